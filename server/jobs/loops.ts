/** What the workers do every few seconds. */
import type { App } from '#server/app.ts'
import { mailFactorResets } from '#server/features/accounts/notices/factor-reset-mails.ts'
import { mailSuspensions } from '#server/features/accounts/notices/suspension-mails.ts'
import { mailWaitingInvoices } from '#server/features/billing/invoice-mail.ts'
import { collectPayments } from '#server/features/billing/stripe/collect-payments.ts'
import { mailPayments } from '#server/features/billing/stripe/payment-mails.ts'
import { lookAtEvents } from '#server/features/billing/stripe/take-events.ts'
import { tendCertificates } from '#server/features/certificates/tend-certificates.ts'
import { recheckDueDomains } from '#server/features/checks/recheck-due-domains.ts'
import { mailDeletions } from '#server/features/deletions/mail-deletions.ts'
import { runExports } from '#server/features/exports/run-exports.ts'
import { endRightsDue } from '#server/features/mailboxes/access/change-readers.ts'
import { mailRequiredFactors } from '#server/features/members/mail-required-factor.ts'
import { foldOldTexts } from '#server/features/messages/search/fold-old-texts.ts'
import { fillStructures } from '#server/features/messages/structures/fill-structures.ts'
import { watchAlerts, watchDatabase } from '#server/features/operating/alerts/watch-alerts.ts'
import { mailReceipts } from '#server/features/operating/mail-receipts.ts'
import { mailNewPrograms } from '#server/features/programs/mail-new-programs.ts'
import { runImports } from '#server/features/transfer/run-imports.ts'
import { answerDues } from '#server/features/vacation/answer-dues.ts'
import { mailWebhooksOff } from '#server/features/webhooks/switch-off.ts'
import { type Loop, startLoop, type Work } from './loop.ts'
import { mailLogWork } from './mail-loop.ts'

export const startLoops = (app: App): Loop[] => loops.map((work) => startLoop(app, work))

/** The name of `look` is that of the loop. */
export const loops: readonly Work[] = [
  mailLogWork,
  // Checks are due to the second, because a user may be waiting on the domain's page.
  { look: recheckDueDomains, trouble: 'domains wait for their checks' },
  { look: answerDues, trouble: 'vacation replies wait' },
  { look: endRightsDue, trouble: 'rights to read wait for their end' },
  { look: mailSuspensions, trouble: 'holders wait to be told that they are suspended' },
  { look: mailRequiredFactors, trouble: 'people wait to be told that a second factor is required' },
  { look: mailFactorResets, trouble: 'people wait to be told that their second factor was reset' },
  { look: mailNewPrograms, trouble: 'readers wait to be told of new mail programs' },
  { look: mailDeletions, trouble: 'Admins wait to be told what was deleted' },
  { look: mailWebhooksOff, trouble: 'Admins wait to be told that a webhook is off' },
  { look: mailReceipts, trouble: 'receipts of operators wait to be mailed' },
  { look: mailWaitingInvoices, trouble: 'credit notes wait to be mailed' },
  { look: lookAtEvents, trouble: 'events of Stripe wait' },
  { look: collectPayments, trouble: 'payments by card wait' },
  { look: mailPayments, trouble: 'payers wait to be told of their payments' },
  { look: runImports, trouble: 'imports wait' },
  { look: runExports, trouble: 'exports of workspaces wait' },
  { look: foldOldTexts, trouble: 'old mail waits to be found without its accents' },
  { look: tendCertificates, trouble: 'names wait for their certificates' },
  { look: fillStructures, trouble: 'old mail waits for its structure' },
  { look: watchAlerts, trouble: 'alerts wait' },
  { look: watchDatabase, trouble: 'it is not told whether the database is away' },
]
