/** When each job runs, in UTC; what it does is its feature's. A job may run twice, or on two machines. */
import type { App } from '#server/app.ts'
import { purgeExpired } from '#server/features/accounts/purge-expired.ts'
import { invoiceMonth } from '#server/features/billing/invoices.ts'
import { purgeLinks } from '#server/features/checks/links.ts'
import { mailDomainAlerts } from '#server/features/checks/mail-alerts.ts'
import { settleOwnership } from '#server/features/checks/settle-ownership.ts'
import { purgeGreylist } from '#server/features/junk/greylist.ts'
import { purgeAccessLinks } from '#server/features/mailboxes/access/access-links.ts'
import { purgeChanges } from '#server/features/messages/change-messages.ts'
import { readAgain } from '#server/features/messages/read-again.ts'
import { sweepBlobs } from '#server/features/messages/sweep-blobs.ts'
import { purgeOutbox } from '#server/features/outbox/enqueue-message.ts'
import { purgeBrakes } from '#server/features/sending/get-sending.ts'
import { purgeWriting } from '#server/features/sending/save-draft.ts'
import { purgeTransfers } from '#server/features/transfer/run-imports.ts'
import { purgeVacations } from '#server/features/vacation/edit-vacation.ts'
import { purgeInvitations } from '#server/features/workspaces/invitations.ts'

export type Job = {
  name: string
  /** Minute, hour, day, month, weekday. */
  cron: string
  run: (app: App) => Promise<unknown>
  /** Missed while nothing ran: made up for at the next start, when not longer ago than this. */
  catchUpHours: number
}

export const schedule: readonly Job[] = [
  { name: 'settle-ownership', cron: '* * * * *', run: settleOwnership, catchUpHours: 0 },
  { name: 'mail-domain-alerts', cron: '* * * * *', run: mailDomainAlerts, catchUpHours: 0 },
  { name: 'read-again', cron: '* * * * *', run: readAgain, catchUpHours: 0 },
  { name: 'purge-expired', cron: '7 * * * *', run: purgeExpired, catchUpHours: 1 },
  { name: 'purge-invitations', cron: '27 2 * * *', run: purgeInvitations, catchUpHours: 24 },
  { name: 'purge-dns-links', cron: '32 2 * * *', run: purgeLinks, catchUpHours: 24 },
  { name: 'purge-access-links', cron: '34 2 * * *', run: purgeAccessLinks, catchUpHours: 24 },
  { name: 'purge-outbox', cron: '37 2 * * *', run: purgeOutbox, catchUpHours: 24 },
  { name: 'purge-greylist', cron: '42 * * * *', run: purgeGreylist, catchUpHours: 1 },
  { name: 'purge-brakes', cron: '52 * * * *', run: purgeBrakes, catchUpHours: 1 },
  { name: 'purge-changes', cron: '2 * * * *', run: purgeChanges, catchUpHours: 1 },
  { name: 'purge-vacations', cron: '47 2 * * *', run: purgeVacations, catchUpHours: 24 },
  { name: 'purge-writing', cron: '57 2 * * *', run: purgeWriting, catchUpHours: 24 },
  { name: 'purge-transfers', cron: '57 2 * * *', run: purgeTransfers, catchUpHours: 24 },
  { name: 'sweep-blobs', cron: '17 3 * * *', run: sweepBlobs, catchUpHours: 24 },
  // Daily, although invoices are monthly: it finds nothing to do unless the first of the month was missed.
  { name: 'invoice-month', cron: '12 0 * * *', run: invoiceMonth, catchUpHours: 24 },
]
