/** When a domain is looked at again: soon after something happened, then ever more seldom. */
import { secondsAfter } from '#server/lib/clock.ts'

const HOUR = 3600
const SHORTEST_SECONDS = 15
const ACTIVE_SECONDS = 6 * HOUR
const EAGER_SECONDS = 72 * HOUR
const DAY_SECONDS = 24 * HOUR
/** After a check that learnt nothing of some record. */
const AGAIN_SECONDS = 300

/** `since`: when the domain was added or one of its records last changed. */
export const nextCheckAt = (
  now: Date,
  domain: { isActive: boolean; since: Date; isAnyUnknown?: boolean },
): Date => {
  // Spread, so that domains added together are not checked together for ever.
  if (domain.isActive)
    return secondsAfter(
      now,
      (domain.isAnyUnknown ? AGAIN_SECONDS : ACTIVE_SECONDS) * (0.95 + Math.random() * 0.1),
    )
  const elapsed = (now.getTime() - domain.since.getTime()) / 1000
  if (elapsed >= EAGER_SECONDS) return secondsAfter(now, DAY_SECONDS)
  return secondsAfter(
    now,
    Math.min(domain.isAnyUnknown ? AGAIN_SECONDS : HOUR, Math.max(SHORTEST_SECONDS, elapsed / 4)),
  )
}
