/** What the page of an invoice says about its payment by card: what happened, what is open, and what to press. */
import type { InvoiceDocument } from '#contract/billing.ts'
import { formatAmount } from '#contract/money.ts'
import type { SavedCard } from '#contract/workspace/card-payments.ts'

/** `text` null: it depends on the saved card. */
export type CardWords = { title: string; text: string | null; button?: string }

/** How the page was reached from Stripe's; asking: Stripe is asked now; unknown: that failed. */
export type Return = 'done' | 'cancelled' | 'asking' | 'unknown' | null

/** null: there is nothing to say. */
export const wordsOf = (invoice: InvoiceDocument, back: Return): CardWords | null => {
  const { isByCard, kind, status, payment } = invoice
  if (!isByCard || kind === 'credit') return null
  if (status !== 'Due')
    return back !== null && back !== 'cancelled' && status === 'Paid'
      ? { title: 'Thank you, the invoice is paid', text: 'Its mailboxes work now.' }
      : null
  if (back === 'asking') return CONFIRMING
  if (back === 'unknown') return UNKNOWN
  if (payment === null) return withoutPayment(invoice, back)
  return wordsOfState[payment.state](invoice, payment.reason)
}

const PAY = 'Pay by card'

const CONFIRMING: CardWords = {
  title: 'Payment is being confirmed',
  text: 'This takes a moment. The page shows it by itself.',
}

const UNKNOWN: CardWords = {
  title: 'Stripe could not be asked about the payment',
  text: 'If you have paid, do not pay again: the page shows it by itself in a few minutes.',
  button: 'Check again',
}

const sumOf = ({ openCents, currency }: InvoiceDocument): string =>
  formatAmount(openCents, currency)

const withoutPayment = (invoice: InvoiceDocument, back: Return): CardWords =>
  back === 'cancelled'
    ? { title: 'Nothing was charged', text: null, button: PAY }
    : { title: `${sumOf(invoice)} to pay`, text: null, button: PAY }

type State = NonNullable<InvoiceDocument['payment']>['state']
type Say = (invoice: InvoiceDocument, reason: string) => CardWords

const wordsOfState: Record<State, Say> = {
  confirming: () => CONFIRMING,
  'needs confirmation': (invoice, reason) => ({
    ...{ title: reason, button: 'Confirm the payment' },
    text: `It is for ${sumOf(invoice)}. You confirm it once, on the page of Stripe.`,
  }),
  failed: (_invoice, reason) => ({
    title: 'The card was not charged',
    text: `${reason}. Pay by another card, or change the saved one under Billing.`,
    button: PAY,
  }),
  disputed: (invoice) => ({
    title: 'The bank is deciding about the payment',
    text: `The owner of the card asked for ${sumOf(invoice)} back. Nothing is to be paid until the bank has decided.`,
  }),
  'given back': (invoice) => ({
    title: `${sumOf(invoice)} was given back, and is open again`,
    text: `It is not charged by itself: press ${PAY}. If you need not pay it any more, ask ${invoice.seller.name} for a credit note.`,
    button: PAY,
  }),
  'taken back': (invoice) => ({
    title: `The bank took ${sumOf(invoice)} back, so it is open again`,
    text: `The owner of the card disputed the payment, and the bank decided for them. It is not charged by itself: press ${PAY}.`,
    button: PAY,
  }),
}

/** Of an invoice that waits for its payment. 'soon': a page of Stripe that is still open keeps the saved card waiting, for a day at most. */
export const cardWords = (card: SavedCard | null | undefined): string =>
  card
    ? `${card.brand} ending ${card.last4} is charged soon, by itself.`
    : 'The card is saved, and pays the next months, too.'
