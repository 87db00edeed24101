import type { Defaulted, Optional } from './column-types.ts'

/** The customer of a workspace at Stripe, and the card that is saved there. */
export type CardCustomersTable = {
  workspaceId: string
  /** Rises when the customer was deleted at Stripe: then another one is made. */
  generation: Defaulted<number>
  customerId: Optional<string>
  paymentMethodId: Optional<string>
  /** 'visa', as Stripe writes it; '' without a card. */
  cardBrand: Defaulted<string>
  cardLast4: Defaulted<string>
  /** '2028-04'. */
  cardExpires: Defaulted<string>
  /** The address and the VAT ID that Stripe told last, as JSON; '' before the first time. */
  told: Defaulted<string>
  updatedAt: Date
}

/** One try to collect what is open of an invoice. At most one of an invoice is open or confirming (unique index). */
export type CardPaymentsTable = {
  id: string
  workspaceId: string
  invoiceId: string
  attempt: number
  kind: 'checkout' | 'saved card'
  /** confirming: paid by the person, not yet by the bank. expired: nobody paid. */
  state: 'open' | 'confirming' | 'paid' | 'failed' | 'expired'
  amountCents: number
  currency: string
  /** Fixed before Stripe is asked. */
  customerId: Optional<string>
  paymentMethodId: Optional<string>
  /** null: Stripe was not asked, or its answer was lost. */
  sessionId: Optional<string>
  sessionUrl: Optional<string>
  paymentIntentId: Optional<string>
  reason: Defaulted<string>
  createdAt: Date
  /** When Stripe is asked again what became of it; null: an event says when. */
  lookAt: Optional<Date>
  endedAt: Optional<Date>
  paidCents: Defaulted<number>
  refundedCents: Defaulted<number>
  /** What banks took back, or hold until they decide. */
  disputedCents: Defaulted<number>
  /** A bank has not decided. */
  isDisputed: Defaulted<boolean>
  /** A loop mails it: the terminal of operators writes none. */
  mailWaits: Optional<'refused' | 'reopened'>
}

/** What an operator gives back. Each ends as a credit note, where none took it back before, or refused. */
export type CardRefundsTable = {
  id: string
  workspaceId: string
  cardPaymentId: string
  amountCents: number
  note: string
  /** An e-mail address, or 'terminal'. */
  askedBy: string
  state: 'open' | 'done' | 'refused'
  refundId: Optional<string>
  creditId: Optional<string>
  createdAt: Date
}

/** What came in for an invoice and went back. What is collected of an invoice is the sum of its entries. Never changed. */
export type LedgerEntriesTable = {
  id: string
  workspaceId: string
  invoiceId: string
  /** card, hand: paid. refund: given back by an operator here. return: given back at Stripe, or taken by a bank. */
  kind: 'card' | 'hand' | 'refund' | 'return'
  /** Less than nothing: it went back. More, of a refund or a return: that came back to us. */
  cents: number
  at: Date
  cardPaymentId: Optional<string>
  /** The id at Stripe of the payment, the refund or the dispute. */
  source: Optional<string>
}

/** What Stripe told, each once, of the whole installation. */
export type StripeEventsTable = {
  id: string
  type: string
  /** What it is about: a session, a payment, a charge, a dispute, a customer or a card. */
  objectId: string
  receivedAt: Date
  /** When it is looked at; null: done. */
  nextAt: Date | null
  tries: Defaulted<number>
}
