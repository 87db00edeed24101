/** When a deferred delivery is tried again (RFC 5321 §4.5.4.1), and when it is given up. */

const FIRST_WAIT_SECONDS = 45
const FACTOR = 3
export const LONGEST_WAIT_SECONDS = 4 * 3600
const GIVE_UP_AFTER_SECONDS = 5 * 24 * 3600

/**
 * `attempts` counts those made, the last at `now`. The first waits are short because most deferrals are
 * greylisting. null: five days have passed since `queuedAt`.
 */
export const nextAttemptAt = (queuedAt: Date, attempts: number, now: Date): Date | null => {
  const giveUpAt = queuedAt.getTime() + GIVE_UP_AFTER_SECONDS * 1000
  if (now.getTime() >= giveUpAt) return null
  const waitSeconds = Math.min(
    FIRST_WAIT_SECONDS * FACTOR ** Math.max(0, attempts - 1),
    LONGEST_WAIT_SECONDS,
  )
  // The last attempt is made at the very end, not hours before it.
  return new Date(Math.min(now.getTime() + waitSeconds * 1000, giveUpAt))
}
