import type { App } from '#server/app.ts'
import { readWaiting, type Waiting } from '#server/features/outbox/queue-queries.ts'
import { heldBackReplies } from '#server/features/sending/stops/stop-sending.ts'
import { DAY_MS, HOUR_MS, timeText } from '#server/lib/clock.ts'
import type { Condition } from './condition.ts'
import { minutesText } from './texts.ts'

const MINUTE_MS = 60_000
/** A worker takes what is due within seconds. */
const DUE_MS = 15 * MINUTE_MS
/** A server that does not answer for an hour is no greylist. */
const LATE_MS = HOUR_MS
/** Some servers are always away: late are at least so many of the last day, to so many domains, and this share of what is delivered. */
const LATE = { deliveries: 10, domains: 3, share: 0.05 }

export const queueAge: Condition = {
  name: 'queue-age',
  afterMinutes: 5,
  mend: 'Read what the servers answer: npm run operator -- queue list. Often port 25 is shut to the outside, our address is on a block list, or RELAY_URL takes nothing. Where nothing is tried, the worker hangs and wants a new start, or one server takes much mail slowly.',
  look: async (app) => {
    const now = app.clock.now()
    const waiting = await readWaiting(app.db, {
      ...{ lateBefore: before(now, LATE_MS), lateAfter: before(now, DAY_MS) },
      notReplies: heldBackReplies,
    })
    return queueTrouble(waiting, deliveredPerDay(app), now)
  },
}

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)

/** `deliveredPerDay` null: it is not known yet. */
export const queueTrouble = (
  { dueSince, oldestAt, late, lateDomains }: Waiting,
  deliveredPerDay: number | null,
  now: Date,
): string | null => {
  const dueMs = dueSince === null ? 0 : now.getTime() - dueSince.getTime()
  if (dueMs >= DUE_MS)
    return `Mail in the queue is due, and has not been tried for ${minutesText(dueMs)}.`
  if (deliveredPerDay === null || lateDomains < LATE.domains || oldestAt === null) return null
  if (late < Math.max(LATE.deliveries, LATE.share * deliveredPerDay)) return null
  return `${late} deliveries of the last day, to ${lateDomains} domains, have waited for more than an hour. The oldest in the queue is of ${timeText(oldestAt)}.`
}

/** By installation: when this process began to count. */
const countedSince = new WeakMap<App, Date>()

/** By this process, at its rate since it started; null in the first hour. */
const deliveredPerDay = (app: App): number | null => {
  const now = app.clock.now()
  const since = countedSince.get(app) ?? now
  countedSince.set(app, since)
  const ms = now.getTime() - since.getTime()
  if (ms < HOUR_MS) return null
  const delivered = app.counters
    .samplesOf('deliveries')
    .filter(({ labels }) => labels?.result === 'delivered')
    .reduce((sum, { value }) => sum + value, 0)
  return (delivered * DAY_MS) / ms
}
