/**
 * Events of Stripe: taken when their signature is right, each once, and looked at by a loop. An event only says what to look at: what
 * became of it is asked of Stripe. So it does not matter whether they come late, twice or in another order.
 */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { findCustomer, findPayment } from './card-store.ts'
import { lookAtPayment } from './look-at-payment.ts'
import { idOf } from './make-payment.ts'
import { isMissing, stripeOf } from './stripe-client.ts'
import { refreshCustomer } from './stripe-customer.ts'
import {
  deleteEvents,
  type EventRow,
  insertEvent,
  readWaitingEvents,
  setEvent,
} from './stripe-events-store.ts'

type Listening = Pick<App, 'db' | 'clock' | 'config'>

/** How old a signature may be. */
const TOLERANCE_SECONDS = 300

/** @throws NOT_EXISTS without BILLING=stripe; BAD_REQUEST for one that Stripe did not sign, or that is too old */
export const takeEvent = async (
  app: Listening,
  { payload, signature }: { payload: Buffer; signature: string },
): Promise<void> => {
  if (app.config.stripe === null) throw new AppError('NOT_EXISTS')
  const stripe = await stripeOf(app)
  const { webhookSecret: secret } = app.config.stripe
  const receivedAt = app.clock.now()
  let event: { id: string; type: string; data: { object: object } }
  try {
    event = stripe.webhooks.constructEvent(
      ...([payload, signature, secret, TOLERANCE_SECONDS, undefined] as const),
      receivedAt.getTime(),
    )
  } catch {
    throw new AppError('BAD_REQUEST', { message: 'This is no event that Stripe signed now' })
  }
  await keepEvent(app, event)
}

/** Known types wait for the loop; others are of no use here. */
export const keepEvent = async (
  { db, clock }: Listening,
  { id, type, data }: { id: string; type: string; data: { object: object } },
): Promise<void> => {
  const objectId = aboutOf(type, data.object)
  if (!isOfUse(type) || objectId === '') return
  const receivedAt = clock.now()
  await insertEvent(db, { id, type, objectId, receivedAt, nextAt: receivedAt })
}

/** The customer of a VAT ID, which may be gone; of others themselves. */
const aboutOf = (type: string, object: { id?: unknown; customer?: unknown }): string =>
  String((type.startsWith('customer.tax_id.') ? object.customer : object.id) ?? '')

type Look = (app: Listening, event: EventRow) => Promise<unknown>

const lookAtIntent = async (app: Listening, id: string | null): Promise<void> => {
  if (id === null) return
  const stripe = await stripeOf(app)
  const { metadata } = await stripe.paymentIntents.retrieve(id)
  await lookAtOurs(app, metadata.payment)
}

/** The account at Stripe may collect for others, too. */
const lookAtOurs = async (app: Listening, id: string | undefined): Promise<void> => {
  const payment = id === undefined || !UUID.test(id) ? undefined : await findPayment(app.db, id)
  if (payment) await lookAtPayment(app, payment)
}
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const lookers: readonly (readonly [begin: string, look: Look])[] = [
  [
    'checkout.session.',
    async (app, { objectId }) => {
      const { metadata } = await (await stripeOf(app)).checkout.sessions.retrieve(objectId)
      await lookAtOurs(app, metadata?.payment)
    },
  ],
  ['payment_intent.', (app, { objectId }) => lookAtIntent(app, objectId)],
  [
    'charge.dispute.',
    async (app, { objectId }) => {
      const dispute = await (await stripeOf(app)).disputes.retrieve(objectId)
      await lookAtIntent(app, idOf(dispute.payment_intent))
    },
  ],
  [
    'charge.refund',
    async (app, { objectId }) => {
      const stripe = await stripeOf(app)
      const { payment_intent } = objectId.startsWith('re_')
        ? await stripe.refunds.retrieve(objectId)
        : await stripe.charges.retrieve(objectId)
      await lookAtIntent(app, idOf(payment_intent))
    },
  ],
  ['refund.', async (app, event) => lookAtRefund(app, event)],
  ['customer.', (app, { objectId }) => lookAtCustomer(app, objectId)],
  ['payment_method.', async (app, { objectId }) => lookAtMethod(app, objectId)],
]

const lookerOf = (type: string): Look | undefined =>
  lookers.find(([begin]) => type.startsWith(begin))?.[1]

/** Others are not kept. */
export const isOfUse = (type: string): boolean => lookerOf(type) !== undefined

const lookAtRefund: Look = async (app, { objectId }) => {
  const { payment_intent } = await (await stripeOf(app)).refunds.retrieve(objectId)
  await lookAtIntent(app, idOf(payment_intent))
}

/** `stripeId`: of the customer, or of its card. */
const lookAtCustomer = async (app: Listening, stripeId: string): Promise<void> => {
  const customer = await findCustomer(app.db, stripeId)
  if (customer) await refreshCustomer(app, customer)
}

/** One that was taken away has no customer any more. */
const lookAtMethod = async (app: Listening, id: string): Promise<void> => {
  const { customer } = await (await stripeOf(app)).paymentMethods.retrieve(id)
  await lookAtCustomer(app, idOf(customer) ?? id)
}

const MOST_TRIES = 50
const MOST_WAIT_SECONDS = 3600

/** For a loop. What fails is tried again, later each time. @throws the first failure, at the end */
export const lookAtEvents = async (
  app: Listening,
  isClosing: () => boolean = () => false,
): Promise<void> => {
  if (app.config.stripe === null) return
  const failures: unknown[] = []
  for (const event of await readWaitingEvents(app.db, app.clock.now())) {
    if (isClosing()) return
    try {
      await lookerOf(event.type)?.(app, event)
      await setEvent(app.db, event.id, { nextAt: null, tries: event.tries })
    } catch (error) {
      if (!isMissing(error)) failures.push(error)
      await setEvent(app.db, event.id, laterOf(app.clock.now(), event, isMissing(error)))
    }
  }
  if (failures.length > 0) throw failures[0]
}

const laterOf = (now: Date, { tries }: EventRow, isGone: boolean) => ({
  tries: tries + 1,
  nextAt:
    isGone || tries >= MOST_TRIES
      ? null
      : secondsAfter(now, Math.min(MOST_WAIT_SECONDS, 2 ** Math.min(tries + 1, 12))),
})

const MISSED_DAYS = 7

/** For a job of the night: events that never came, as when this installation was away for longer than Stripe repeats them. */
export const fetchMissedEvents = async (app: Listening): Promise<void> => {
  if (app.config.stripe === null) return
  const stripe = await stripeOf(app)
  const since = secondsAfter(app.clock.now(), -MISSED_DAYS * DAY_SECONDS)
  const created = { gte: Math.floor(since.getTime() / 1000) }
  for await (const event of stripe.events.list({ created, limit: 100 })) await keepEvent(app, event)
}

const KEPT_DAYS = 60

/** Stripe repeats an event for three days at most. */
export const purgeStripeEvents = ({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> =>
  deleteEvents(db, secondsAfter(clock.now(), -KEPT_DAYS * DAY_SECONDS))
