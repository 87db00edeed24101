/** The mails about an invoice that is overdue. */
import { formatAmount } from '#contract/money.ts'
import type { App } from '#server/app.ts'
import { compose } from '#server/features/outbox/system-mail.ts'
import type { Db } from '#server/storage/database.ts'
import type { InvoiceRow } from './billing-store.ts'
import { longDate } from './invoice-dates.ts'
import { howToPay, mailPayers, openInvoice } from './invoice-mail.ts'
import { currencyOf, invoiceNumber, openCentsOf } from './to-invoice.ts'

const sumOf = (invoice: InvoiceRow): string =>
  formatAmount(openCentsOf(invoice), currencyOf(invoice))

const RECEIVE = 'They still receive mail, and nothing is deleted.'

/** `suspendedAt`: with the last reminder, when the mailboxes are suspended. */
export const mailReminder = (
  app: App,
  tx: Db,
  invoice: InvoiceRow,
  suspendedAt: Date | null,
): Promise<void> =>
  mailPayers(
    ...([app, tx, invoice.workspaceId] as const),
    compose({
      subject: `Invoice ${invoiceNumber(invoice)} is overdue`,
      greeting: 'Hello,',
      before: [
        `Invoice ${invoiceNumber(invoice)} of ${invoice.sellerName} was due on ${longDate(invoice.dueAt)}, and ${sumOf(invoice)} of it is still to be paid.`,
        ...(suspendedAt
          ? [
              `Unless it is paid, its mailboxes are suspended on ${longDate(suspendedAt)}: nobody can read or send mail with them then. ${RECEIVE}`,
            ]
          : []),
        ...howToPay(invoice),
      ],
      button: openInvoice(app, invoice),
      after: ['If you have paid it in the last days, you can ignore this mail.'],
    }),
  )

export const mailSuspended = (
  app: App,
  tx: Db,
  invoice: InvoiceRow,
  mailboxes: number,
): Promise<void> =>
  mailPayers(
    ...([app, tx, invoice.workspaceId] as const),
    compose({
      subject: `Mailboxes are suspended: invoice ${invoiceNumber(invoice)} is not paid`,
      greeting: 'Hello,',
      before: [
        `Invoice ${invoiceNumber(invoice)} of ${invoice.sellerName} was due on ${longDate(invoice.dueAt)}, and ${sumOf(invoice)} of it is still to be paid. So ${mailboxes === 1 ? '1 mailbox was' : `${mailboxes} mailboxes were`} suspended today. ${RECEIVE}`,
        'The mailboxes resume when the invoice is marked as paid.',
        ...howToPay(invoice),
      ],
      button: openInvoice(app, invoice),
      after: [],
    }),
  )
