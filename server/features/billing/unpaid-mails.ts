/** The mails about an invoice that is overdue. */
import { formatAmount } from '#contract/money.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import type { InvoiceRow } from './billing-store.ts'
import { longDate } from './invoice-dates.ts'
import { type Addressed, howToPay, openInvoice, PAYERS } from './invoice-mail.ts'
import { currencyOf, invoiceNumber, openCentsOf } from './to-invoice.ts'

const sumOf = (invoice: InvoiceRow): string =>
  formatAmount(openCentsOf(invoice), currencyOf(invoice))

const RECEIVE = 'They still receive mail, and nothing is deleted.'

/** `suspendedAt`: with the last reminder, when the mailboxes are suspended. */
export const overdueMail = (app: Addressed, invoice: InvoiceRow, suspendedAt: Date | null): Mail =>
  compose({
    subject: `Invoice ${invoiceNumber(invoice)} is overdue`,
    preview: `${sumOf(invoice)} was due on ${longDate(invoice.dueAt)}.`,
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
    reason: PAYERS,
  })

export const suspendedMail = (app: Addressed, invoice: InvoiceRow, mailboxes: number): Mail =>
  compose({
    subject: `Mailboxes are suspended: invoice ${invoiceNumber(invoice)} is not paid`,
    preview: `${sumOf(invoice)} was due on ${longDate(invoice.dueAt)}. Nothing is deleted.`,
    greeting: 'Hello,',
    before: [
      `Invoice ${invoiceNumber(invoice)} of ${invoice.sellerName} was due on ${longDate(invoice.dueAt)}, and ${sumOf(invoice)} of it is still to be paid. So ${mailboxes === 1 ? '1 mailbox was' : `${mailboxes} mailboxes were`} suspended today. ${RECEIVE}`,
      'The mailboxes resume when the invoice is paid.',
      ...howToPay(invoice),
    ],
    button: openInvoice(app, invoice),
    after: [],
    reason: PAYERS,
  })
