/** The time of the next attempt for a deferred delivery, and the time when attempts end (RFC 5321 §4.5.4.1). */

import { DAY_SECONDS, HOUR_SECONDS } from '#server/lib/clock.ts'
import { backoff } from '#server/lib/wait.ts'

export const LONGEST_WAIT_SECONDS = 4 * HOUR_SECONDS
const WAITS = { first: 45, longest: LONGEST_WAIT_SECONDS, factor: 3 }
const GIVE_UP_AFTER_SECONDS = 5 * DAY_SECONDS

/**
 * `attempts`: the attempts so far, the last one at `now`. The first waits are short because most deferrals are greylisting.
 * Returns null when five days have passed since `queuedAt`.
 */
export const nextAttemptAt = (queuedAt: Date, attempts: number, now: Date): Date | null => {
  const giveUpAt = queuedAt.getTime() + GIVE_UP_AFTER_SECONDS * 1000
  if (now.getTime() >= giveUpAt) return null
  const waitSeconds = backoff(attempts, WAITS)
  // The last attempt is at the deadline, not hours before it.
  return new Date(Math.min(now.getTime() + waitSeconds * 1000, giveUpAt))
}
