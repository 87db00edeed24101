/**
 * Has Stripe make what a payment needs: a page to pay at, or a charge of the saved card. Each is made once: an object that was made
 * before, and whose answer was lost, is found by its metadata, and the key of the call makes a second one impossible (decision 123).
 */
import type Stripe from 'stripe'
import type { App } from '#server/app.ts'
import { HOUR_MS } from '#server/lib/clock.ts'
import { isUnderWay } from './begin-payment.ts'
import { type PaymentRow, readPayments, setMade, setPayment } from './card-store.ts'
import { type Refusal, refusalOf, stripeOf } from './stripe-client.ts'
import { requireCustomer } from './stripe-customer.ts'

type Paying = Pick<App, 'db' | 'clock' | 'config'>

/** Stripe keeps keys for a day. Later a call would make a second object, so none is made. */
const MAKE_WITHIN_MS = 20 * HOUR_MS
/** Then no call of ours can be under way any more. */
const UNMADE_AFTER_MS = 22 * HOUR_MS

export type Made = Pick<PaymentRow, 'sessionId' | 'sessionUrl' | 'paymentIntentId'>

/** @returns what was made, what Stripe refused for good, or 'never' when it was not made and will not be */
export const makePayment = async (
  app: Paying,
  payment: PaymentRow,
): Promise<PaymentRow | Refusal | 'never' | 'later'> => {
  if (payment.sessionId !== null || payment.paymentIntentId !== null) return payment
  const stripe = await stripeOf(app)
  const asked = await withCustomer(app, payment)
  const made = (await findMade(app, stripe, asked)) ?? (await makeNow(app, stripe, asked))
  if (typeof made === 'string' || 'code' in made) return made
  // Another one that asked may have been sooner, and its payment may have ended since.
  return setMade(app.db, asked, made)
}

/** Fixed before the first call, so that each call is the same. */
const withCustomer = async (app: Paying, payment: PaymentRow): Promise<Asked> => {
  const { workspaceId, customerId: fixed } = payment
  if (fixed !== null) return { ...payment, customerId: fixed }
  const customerId = await requireCustomer(app, workspaceId)
  return app.db.transaction().execute(async (tx) => {
    const [now] = (await readPayments(tx, payment)).filter(({ id }) => id === payment.id)
    if (now?.customerId) return { ...now, customerId: now.customerId }
    await setPayment(tx, payment, { customerId })
    return { ...payment, customerId }
  })
}

type Asked = PaymentRow & { customerId: string }

/**
 * What was made for this payment before; or what was paid of its invoice and is not known here any more, since the database came back
 * from a backup.
 */
const findMade = async (app: Paying, stripe: Stripe, payment: Asked): Promise<Made | null> => {
  const { customerId: customer, invoiceId, kind, id } = payment
  const rows = await readPayments(app.db, payment)
  const isOfOther = ({ id: intent, metadata }: Stripe.PaymentIntent) =>
    rows.some(
      (row) => row.id !== id && (row.paymentIntentId === intent || row.id === metadata.payment),
    )
  const intents = await stripe.paymentIntents.list({ customer, limit: 100 })
  const isMade = (intent: Stripe.PaymentIntent) =>
    !isOfOther(intent) &&
    ((kind === 'saved card' && intent.metadata.payment === id) ||
      (intent.metadata.invoice === invoiceId && intent.status === 'succeeded'))
  const intent = intents.data.find(isMade)
  if (intent) return { sessionId: null, sessionUrl: null, paymentIntentId: intent.id }
  if (kind === 'saved card') return null
  const { data } = await stripe.checkout.sessions.list({ customer, limit: 100 })
  const session = data.find(({ metadata }) => metadata?.payment === id)
  return session ? madeOf(session) : null
}

const madeOf = ({ id, url, payment_intent }: Stripe.Checkout.Session): Made => ({
  ...{ sessionId: id, sessionUrl: url, paymentIntentId: idOf(payment_intent) },
})

export const idOf = (given: string | { id: string } | null | undefined): string | null =>
  typeof given === 'string' ? given : (given?.id ?? null)

const makeNow = async (
  { clock, config }: Paying,
  stripe: Stripe,
  payment: Asked,
): Promise<Made | Refusal | 'never' | 'later'> => {
  const age = clock.now().getTime() - payment.createdAt.getTime()
  if (age > UNMADE_AFTER_MS) return 'never'
  if (age > MAKE_WITHIN_MS || !isUnderWay(payment)) return 'later'
  // The attempt is a part of it: a new try is a new payment.
  const key = { idempotencyKey: `invoice-${payment.invoiceId}-${payment.attempt}` }
  try {
    if (payment.kind === 'checkout')
      return madeOf(
        await stripe.checkout.sessions.create(sessionOf(config.publicUrl, payment), key),
      )
    const { id } = await stripe.paymentIntents.create(intentOf(payment), key)
    return { sessionId: null, sessionUrl: null, paymentIntentId: id }
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    // A refused card leaves a payment that must be ended at Stripe.
    if (refusal.paymentIntentId === null) return refusal
    return { sessionId: null, sessionUrl: null, paymentIntentId: refusal.paymentIntentId }
  }
}

const metadataOf = ({ id, invoiceId, workspaceId }: PaymentRow) => ({
  ...{ payment: id, invoice: invoiceId, workspace: workspaceId },
})

const sessionOf = (publicUrl: string, payment: Asked): Stripe.Checkout.SessionCreateParams => {
  const page = `${publicUrl}/dashboard/invoices/${payment.invoiceId}?payment=`
  const metadata = metadataOf(payment)
  return {
    ...{ mode: 'payment', customer: payment.customerId, metadata },
    payment_intent_data: { setup_future_usage: 'off_session', metadata },
    allowed_payment_method_types: ['card'],
    line_items: [
      {
        quantity: 1,
        price_data: {
          ...{ currency: payment.currency, unit_amount: payment.amountCents },
          product_data: { name: 'Mailboxes' },
        },
      },
    ],
    ...{ success_url: `${page}done`, cancel_url: `${page}cancelled` },
  }
}

const intentOf = (payment: Asked): Stripe.PaymentIntentCreateParams => ({
  ...{ amount: payment.amountCents, currency: payment.currency, customer: payment.customerId },
  ...(payment.paymentMethodId && { payment_method: payment.paymentMethodId }),
  ...{ allowed_payment_method_types: ['card'], off_session: true, confirm: true },
  metadata: metadataOf(payment),
})
