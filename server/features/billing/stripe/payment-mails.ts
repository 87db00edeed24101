/** The mails about payments by card. */
import { formatAmount } from '#contract/money.ts'
import type { App } from '#server/app.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import { type InvoiceRow, readInvoice } from '../billing-store.ts'
import { type Addressed, mailPayers, openInvoice, PAYERS } from '../invoice-mail.ts'
import { currencyOf, invoiceNumber, openCentsOf } from '../to-invoice.ts'
import { lockPaymentToMail, type PaymentRow, setPayment } from './card-store.ts'
import { isQuestionOfBank } from './refusals.ts'

/** For a loop: each once. */
export const mailPayments = async (app: App): Promise<void> => {
  const mailOne = () =>
    app.db.transaction().execute(async (tx) => {
      const payment = await lockPaymentToMail(tx)
      if (payment === undefined) return false
      await setPayment(tx, payment, { mailWaits: null })
      const { workspaceId, invoiceId, mailWaits } = payment
      const invoice = await readInvoice(tx, workspaceId, invoiceId)
      const isOpen = invoice !== undefined && openCentsOf(invoice) > 0
      if (isOpen) {
        const write = mailWaits === 'refused' ? refusedMail : reopenedMail
        await mailPayers(app, tx, workspaceId, write(app, invoice, payment))
      }
      return true
    })
  while (await mailOne());
}

const sumOf = (cents: number, invoice: InvoiceRow): string =>
  formatAmount(cents, currencyOf(invoice))

/** The saved card was not charged. */
export const refusedMail = (
  app: Addressed,
  invoice: InvoiceRow,
  { amountCents, reason }: PaymentRow,
): Mail => {
  const isQuestion = isQuestionOfBank(reason)
  const sum = sumOf(amountCents, invoice)
  const number = invoiceNumber(invoice)
  return compose({
    subject: isQuestion
      ? `Please confirm the payment of invoice ${number}`
      : `Your card was not charged for invoice ${number}`,
    preview: `${sum}. ${reason}.`,
    greeting: 'Hello,',
    before: [
      `Your saved card could not be charged ${sum} for invoice ${number}. ${reason}.`,
      isQuestion
        ? 'Please open the invoice and confirm the payment there. Your bank asks you for it once.'
        : 'Please open the invoice and pay it with another card, or change the saved one: it is charged at once then. The mailboxes work on meanwhile.',
    ],
    button: isQuestion
      ? { ...openInvoice(app, invoice), label: 'Confirm the payment' }
      : openInvoice(app, invoice),
    after: [],
    reason: PAYERS,
  })
}

/** Money went back after the invoice was paid. */
export const reopenedMail = (
  app: Addressed,
  invoice: InvoiceRow,
  { isDisputed, disputedCents }: PaymentRow,
): Mail => {
  const number = invoiceNumber(invoice)
  const sum = sumOf(openCentsOf(invoice), invoice)
  return compose({
    subject: `Invoice ${number} is open again`,
    preview: `${sum} of it went back.`,
    greeting: 'Hello,',
    before: [
      disputedCents > 0
        ? `Your bank took ${sum} of invoice ${number} back, because the owner of the card disputed the payment.`
        : `Of invoice ${number}, ${sum} was given back to your card, so that much of it is open again.`,
      isDisputed
        ? 'The bank decides who gets the money. Until then nothing is to be done, and the mailboxes work on.'
        : 'Please open the invoice to pay it. It is not charged to the saved card by itself.',
    ],
    button: openInvoice(app, invoice),
    after: [],
    reason: PAYERS,
  })
}
