/** The mail that brings an invoice or a credit note to the Admins, as a PDF file. */
import { formatAmount } from '#contract/money.ts'
import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import { adminEmails } from '#server/features/workspaces/member-emails.ts'
import type { WrittenAttachment } from '#server/standards/message-writer.ts'
import type { Db } from '#server/storage/database.ts'
import { type InvoiceRow, lockInvoiceToMail, setInvoice } from './billing-store.ts'
import { longDate, monthName } from './invoice-dates.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { currencyOf, documentOf, invoiceNumber } from './to-invoice.ts'

/** Call in the transaction that issues it: the mail leaves once, or not at all. */
export const mailInvoice = async (app: App, tx: Db, row: InvoiceRow): Promise<void> => {
  if ((await adminEmails(tx, row.workspaceId)).length === 0) return
  const invoice = await documentOf(tx, row)
  const file = {
    ...{ filename: `${invoice.number}.pdf`, contentType: 'application/pdf' },
    content: await invoicePdf(row.workspaceId, invoice),
  }
  const mail =
    row.kind === 'credit'
      ? creditMail(app, row, invoice.corrects?.number ?? '')
      : invoiceMail(app, row)
  await mailPayers(app, tx, row.workspaceId, mail, [file])
}

/** For a loop: mails what was issued from the operator's terminal, each once. */
export const mailWaitingInvoices = async (app: App): Promise<void> => {
  const mailOne = () =>
    app.db.transaction().execute(async (tx) => {
      const row = await lockInvoiceToMail(tx)
      if (row === undefined) return false
      await setInvoice(tx, row, { mailWaits: false })
      await mailInvoice(app, tx, row)
      return true
    })
  while (await mailOne());
}

export const mailPayers = async (
  app: App,
  tx: Db,
  workspaceId: string,
  mail: Mail,
  attachments: readonly WrittenAttachment[] = [],
): Promise<void> => {
  for (const to of await adminEmails(tx, workspaceId))
    await sendSystemMail(app, tx, { to, ...mail, attachments })
}

/** What a link needs. */
export type Addressed = { config: Pick<App['config'], 'publicUrl'> }

export const PAYERS =
  'You get this mail because you are an Admin of the workspace that the invoice is for.'

export const invoiceMail = (app: Addressed, row: InvoiceRow): Mail =>
  compose({
    subject: `Invoice ${invoiceNumber(row)} from ${row.sellerName}`,
    preview: `${sumOf(row)}, to be paid by ${longDate(row.dueAt)}.`,
    greeting: 'Hello,',
    before: [
      `${row.sellerName} has issued invoice ${invoiceNumber(row)} for ${mailboxesOf(row)} in ${monthName(row.periodStart)}: ${sumOf(row)}, to be paid by ${longDate(row.dueAt)}. It is attached as a PDF file.`,
      ...(row.note === '' ? [] : [row.note]),
      ...howToPay(row),
    ],
    button: openInvoice(app, row),
    after: ['Each calendar month brings the next invoice, for the mailboxes that are there then.'],
    reason: PAYERS,
  })

export const creditMail = (app: Addressed, row: InvoiceRow, corrected: string): Mail =>
  compose({
    subject: `Credit note ${invoiceNumber(row)} from ${row.sellerName}`,
    preview: `It takes back a part of invoice ${corrected}, or all of it.`,
    greeting: 'Hello,',
    before: [
      `Credit note ${invoiceNumber(row)} takes back ${formatAmount(-row.amountCents, currencyOf(row))} of invoice ${corrected}, for ${mailboxesOf(row)} in ${monthName(row.periodStart)}. It is attached as a PDF file.`,
      row.note,
    ],
    button: openInvoice(app, row),
    after: ['You owe that much less of the invoice.'],
    reason: PAYERS,
  })

export const openInvoice = (app: Addressed, { id, kind }: Pick<InvoiceRow, 'id' | 'kind'>) => ({
  label: kind === 'credit' ? 'Open the credit note' : 'Open the invoice',
  link: `${app.config.publicUrl}/dashboard/invoices/${id}`,
})

/** In the words of the seller, or whom to ask. */
export const howToPay = ({
  paymentDetails,
  sellerName,
  sellerEmail,
}: Pick<InvoiceRow, 'paymentDetails' | 'sellerName' | 'sellerEmail'>): string[] => {
  if (paymentDetails !== '') return [`How to pay: ${paymentDetails.replaceAll('\n', ', ')}`]
  return sellerEmail === '' ? [] : [`Ask ${sellerName} at ${sellerEmail} how to pay.`]
}

const mailboxesOf = ({ mailboxCount: count }: InvoiceRow): string =>
  count === 1 ? '1 mailbox' : `${count} mailboxes`

const sumOf = (row: InvoiceRow): string => formatAmount(row.amountCents, currencyOf(row))
