/** Whether Stripe takes our key and its events reach us, for the health of the installation. */
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { stripeOf } from './stripe-client.ts'
import { isKept, readLastEvent } from './stripe-events-store.ts'
import { isOfUse } from './take-events.ts'
import { countUnpayable } from './trouble-queries.ts'

export type StripeHealth = {
  key: 'accepted' | 'refused' | 'without the right to read events'
  /** When the newest event was received. */
  lastEventAt: Date | null
  /** When an event was made that should be here, and is not. */
  missedEventAt: Date | null
  /** Due invoices that no card pays. */
  unpayable: number
}

/** Stripe delivers within seconds. */
const LATE_SECONDS = 600

/** @throws what keeps Stripe from answering */
export const readStripeHealth = async (
  app: Pick<App, 'config' | 'db' | 'clock'>,
): Promise<StripeHealth> => {
  const [asked, last, unpayable] = await Promise.all([
    newestEvent(app),
    readLastEvent(app.db),
    countUnpayable(app.db),
  ])
  const known = { lastEventAt: last?.receivedAt ?? null, unpayable }
  if (typeof asked === 'string') return { key: asked, missedEventAt: null, ...known }
  const isMissed = asked.id !== null && !(await isKept(app.db, asked.id))
  return { key: 'accepted', missedEventAt: isMissed ? asked.at : null, ...known }
}

/** The newest that should be here by now. */
const newestEvent = async (
  app: Pick<App, 'config' | 'clock'>,
): Promise<{ id: string | null; at: Date | null } | Exclude<StripeHealth['key'], 'accepted'>> => {
  const stripe = await stripeOf(app)
  const before = secondsAfter(app.clock.now(), -LATE_SECONDS)
  try {
    const { data } = await stripe.events.list({ limit: 50 })
    const isDue = (created: number) => created * 1000 <= before.getTime()
    const event = data.find(({ type, created }) => isOfUse(type) && isDue(created))
    return { id: event?.id ?? null, at: event ? new Date(event.created * 1000) : null }
  } catch (error) {
    const { type } = error as { type?: string }
    if (type === 'StripeAuthenticationError') return 'refused'
    if (type === 'StripePermissionError') return 'without the right to read events'
    throw error
  }
}
