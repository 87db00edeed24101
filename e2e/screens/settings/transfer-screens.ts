/** Of a mailbox's settings what takes days to come about: an import under way, stopped or done, and a vacation. */
import type { MailImport } from '#contract/mail/transfer.ts'
import type { Vacation } from '#contract/mail/vacation.ts'
import type { Screen } from '../screen.ts'

const SUBJECT = 'Minutes of the meeting of the northern department, the second and last part'
const faults = Array.from({ length: 3 }, (_, n) => ({
  ...{ n: 21_000 + n, subject: SUBJECT, reason: 'its structure cannot be read' },
}))

const anImport: MailImport = {
  ...{ _id: crypto.randomUUID(), filename: `${'all-mail-of-the-old-server-'.repeat(3)}.mbox` },
  ...{ fingerprint: 'x', state: 'running', reason: '', size: 840_000_000, received: 840_000_000 },
  ...{ read: 310_000_000, filed: 20_900, skipped: 112, failed: 3, faults },
  createdAt: '2026-11-01T08:00:00.000Z',
}

const vacation: Vacation = {
  ...{ isOn: true, firstDay: '2026-11-20', lastDay: '2026-12-04', timeZone: 'Europe/Berlin' },
  ...{ subject: 'Away until December', text: 'I read mail again on 5 December.\n\nAda' },
  ...{ state: 'on', answered: 12 },
}

const setting = (part: string, name: string, of: Pick<Screen, 'answers' | 'ready'>): Screen => ({
  ...{ name: `mailbox settings, ${name}`, who: 'member', state: 'full' },
  path: ({ mailboxId }) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`,
  steps: (page) =>
    page
      .getByRole('navigation', { name: 'Parts of this page' })
      .getByRole('link', { name: part })
      .click(),
  ...of,
})

const importing = (given: Partial<MailImport>) => ({
  'GET /mailboxes/*/imports': { json: [{ ...anImport, ...given }] },
})

export const transferScreens: Screen[] = [
  setting('Export and import', 'import running', {
    answers: importing({}),
    ready: (page) => page.getByText(/You may leave this page/),
  }),
  setting('Export and import', 'import left', {
    answers: importing({ state: 'uploading', received: 120_000_000, faults: [] }),
    ready: 'Choose the same file',
  }),
  setting('Export and import', 'import stopped', {
    answers: importing({ state: 'stopped', reason: 'the storage of this workspace is full' }),
    ready: 'What could not be imported',
  }),
  setting('Export and import', 'import done', {
    answers: importing({ state: 'done', read: 840_000_000 }),
    ready: (page) => page.getByText(/is done:/),
  }),
  setting('Vacation reply', 'vacation on', {
    answers: { 'GET /mailboxes/*/vacation': { json: vacation } },
    ready: (page) => page.getByLabel('Last day'),
  }),
]
