/** When a domain is looked at again: at once while somebody waits at the page, then ever more seldom (decision 020). */
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'

const HOUR = 3600
const SHORTEST_SECONDS = 15
const VERIFIED_SECONDS = 6 * HOUR
const EAGER_SECONDS = 72 * HOUR
/** At the soonest, after a check that learnt nothing of some record. */
const UNANSWERED_SECONDS = 300
/** Of the wait, to both sides. */
const SPREAD = 0.08

export type Watch = {
  /** Ownership and every required record are verified. */
  isActive: boolean
  /** Mail depends on it: when it stays broken it is not left to once a day. */
  hasBeenActive: boolean
  /** When the domain was added or one of its records last changed. */
  since: Date
  /** Somebody has the page open, and not all of it is verified. */
  isWaitedFor: boolean
  /** Since when a record could not be looked up. */
  unansweredSince: Date | null
}

export const nextCheckAt = (now: Date, watch: Watch): Date => {
  if (watch.isWaitedFor) return secondsAfter(now, SHORTEST_SECONDS)
  const usual = watch.isActive ? VERIFIED_SECONDS : pendingSeconds(now, watch)
  const { unansweredSince } = watch
  const wait =
    unansweredSince === null
      ? usual
      : Math.min(usual, Math.max(UNANSWERED_SECONDS, secondsSince(unansweredSince, now) / 4))
  return secondsAfter(now, spread(wait))
}

const pendingSeconds = (now: Date, { since, hasBeenActive }: Watch): number => {
  const elapsed = secondsSince(since, now)
  if (elapsed >= EAGER_SECONDS) return hasBeenActive ? VERIFIED_SECONDS : DAY_SECONDS
  return Math.min(HOUR, Math.max(SHORTEST_SECONDS, elapsed / 4))
}

const secondsSince = (then: Date, now: Date): number => (now.getTime() - then.getTime()) / 1000

/** So that domains added or checked together are not checked together for ever. */
const spread = (seconds: number): number =>
  seconds <= SHORTEST_SECONDS ? seconds : seconds * (1 - SPREAD + Math.random() * 2 * SPREAD)
