/** What became of a payment, as Stripe says it now. What an event says is not believed. */
import type Stripe from 'stripe'
import type { PaymentRow } from './card-store.ts'
import { idOf } from './make-payment.ts'
import { OTHER_CURRENCY } from './refusals.ts'

export type Facts = {
  state: PaymentRow['state']
  paymentIntentId: string | null
  /** The card that paid. */
  paymentMethodId: string | null
  /** Stripe's word for why a card was refused. */
  code: string
  paidCents: number
  /** `ours`: the id of our row. */
  refunds: (Gone & { ours: string | null })[]
  /** Ids of our rows whose money did not arrive: it is ours again. */
  failedRefunds: string[]
  /** What banks took. */
  disputes: Gone[]
  isDisputed: boolean
}

/** What went back, by its id at Stripe. */
type Gone = { id: string; cents: number; at: Date }

/** Ends what a refused charge of the saved card leaves, so that it can never be charged later. */
export const readFacts = async (stripe: Stripe, payment: PaymentRow): Promise<Facts> => {
  const { sessionId, paymentIntentId, currency } = payment
  if (sessionId === null)
    return intentFacts(stripe, await endedIntent(stripe, paymentIntentId ?? ''), currency)
  const session = await stripe.checkout.sessions.retrieve(sessionId)
  const intent = idOf(session.payment_intent)
  if (session.status === 'complete' && intent !== null)
    return intentFacts(stripe, await stripe.paymentIntents.retrieve(intent), currency)
  return { ...NOTHING, state: session.status === 'expired' ? 'expired' : 'open' }
}

const NOTHING: Facts = {
  ...{ state: 'open', paymentIntentId: null, paymentMethodId: null, code: '', paidCents: 0 },
  ...{ refunds: [], failedRefunds: [], disputes: [], isDisputed: false },
}

const UNPAID = ['requires_payment_method', 'requires_action', 'requires_confirmation']

const endedIntent = async (stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> => {
  const intent = await stripe.paymentIntents.retrieve(id)
  if (!UNPAID.includes(intent.status)) return intent
  try {
    const ended = await stripe.paymentIntents.cancel(id)
    return { ...ended, last_payment_error: ended.last_payment_error ?? intent.last_payment_error }
  } catch (error) {
    // Something else ended it, or it was paid in this moment.
    const now = await stripe.paymentIntents.retrieve(id)
    if (UNPAID.includes(now.status)) throw error
    return now
  }
}

const intentFacts = async (
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  currency: string,
): Promise<Facts> => {
  const { id: paymentIntentId, last_payment_error: refused } = intent
  const paymentMethodId = idOf(intent.payment_method)
  const found = { ...NOTHING, paymentIntentId, paymentMethodId }
  if (intent.status === 'canceled')
    return { ...found, state: 'failed', code: refused?.decline_code ?? refused?.code ?? '' }
  if (intent.status !== 'succeeded') return { ...found, state: 'confirming' }
  const gone = await readGone(stripe, paymentIntentId)
  if (intent.currency === currency)
    return { ...found, state: 'paid', paidCents: intent.amount_received, ...gone }
  // Cents of another currency settle nothing. Until a person has given them back, nothing else is charged.
  const backCents = gone.refunds.reduce((sum, { cents }) => sum + cents, 0)
  const isBack = backCents >= intent.amount_received
  return { ...found, state: isBack ? 'failed' : 'confirming', code: OTHER_CURRENCY }
}

/** What was given back, or taken. */
const readGone = async (stripe: Stripe, payment_intent: string) => {
  const ofIntent = { payment_intent, limit: 100 }
  const refunds = await stripe.refunds.list(ofIntent)
  const disputes = await stripe.disputes.list(ofIntent)
  const taken = disputes.data.filter(({ status }) => TAKEN.includes(status))
  const hasFailed = ({ status }: Stripe.Refund) => status === 'failed' || status === 'canceled'
  const oursOf = ({ metadata }: Stripe.Refund) => metadata?.refund ?? null
  return {
    refunds: refunds.data
      .filter((refund) => !hasFailed(refund))
      .map((refund) => ({ ...goneOf(refund), ours: oursOf(refund) })),
    failedRefunds: refunds.data
      .filter(hasFailed)
      .map(oursOf)
      .filter((id) => id !== null),
    disputes: taken.map(goneOf),
    isDisputed: taken.some(({ status }) => status !== 'lost'),
  }
}

const goneOf = ({ id, amount, created }: Stripe.Refund | Stripe.Dispute): Gone => ({
  ...{ id, cents: amount, at: new Date(created * 1000) },
})

/** A mere question of a bank ('warning_...') takes nothing yet. */
const TAKEN: Stripe.Dispute.Status[] = ['needs_response', 'under_review', 'lost']
