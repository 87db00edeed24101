/** Runs a task repeatedly, never twice at once. For work that a user may wait for: a schedule has no unit below a minute. */

import type { App } from '#server/app.ts'
import { mailSuspensions } from '#server/features/accounts/notices/suspension-mails.ts'
import { mailWaitingInvoices } from '#server/features/billing/invoice-mail.ts'
import { tendCertificates } from '#server/features/certificates/tend-certificates.ts'
import { recheckDueDomains } from '#server/features/checks/recheck-due-domains.ts'
import { mailDeletions } from '#server/features/deletions/mail-deletions.ts'
import { endRightsDue } from '#server/features/mailboxes/access/change-readers.ts'
import { foldOldTexts } from '#server/features/messages/search/fold-old-texts.ts'
import { fillStructures } from '#server/features/messages/structures/fill-structures.ts'
import { mailNewPrograms } from '#server/features/programs/mail-new-programs.ts'
import { runImports } from '#server/features/transfer/run-imports.ts'
import { answerDues } from '#server/features/vacation/answer-dues.ts'
import { within } from '#server/lib/wait.ts'

const LOOK_MS = 2_000
/** How long closing waits for a running task; the task has to check `isClosing`. */
const CLOSE_MS = 5_000

export const startLoops = (app: App): { close(): Promise<void> }[] =>
  loops.map((work) => startLoop(app, work))

type Work = {
  look: (app: App, isClosing: () => boolean) => Promise<unknown>
  /** The warning, logged at the first failure until a run succeeds: without a database it would be logged every few seconds. */
  trouble: string
}

const loops: readonly Work[] = [
  // Checks are due to the second, because a user may be waiting on the domain's page.
  { look: recheckDueDomains, trouble: 'domains wait for their checks' },
  { look: answerDues, trouble: 'vacation replies wait' },
  { look: endRightsDue, trouble: 'rights to read wait for their end' },
  { look: mailSuspensions, trouble: 'holders wait to be told that they are suspended' },
  { look: mailNewPrograms, trouble: 'readers wait to be told of new mail programs' },
  { look: mailDeletions, trouble: 'Admins wait to be told what was deleted' },
  { look: mailWaitingInvoices, trouble: 'credit notes wait to be mailed' },
  { look: runImports, trouble: 'imports wait' },
  { look: foldOldTexts, trouble: 'old mail waits to be found without its accents' },
  { look: tendCertificates, trouble: 'names wait for their certificates' },
  { look: fillStructures, trouble: 'old mail waits for its structure' },
]

const startLoop = (app: App, { look, trouble }: Work): { close(): Promise<void> } => {
  let isClosed = false
  let looking: Promise<void> | null = null
  let isInTrouble = false

  const lookAgain = () => {
    looking ??= look(app, () => isClosed)
      .then(
        () => {
          isInTrouble = false
        },
        (error: unknown) => {
          if (!isInTrouble) app.log.warn({ err: error }, trouble)
          isInTrouble = true
        },
      )
      .finally(() => {
        looking = null
      })
  }

  const timer = setInterval(lookAgain, LOOK_MS)
  return {
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await within(Date.now() + CLOSE_MS, looking, null)
    },
  }
}
