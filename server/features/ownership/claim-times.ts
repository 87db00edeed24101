/** How long a claim waits, and when it is checked. Pure (decision 015). */
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'

export const CLAIM_DAYS = 7
/** Used when the holder's sending has already stopped for a missing proof: its Admins were mailed a week ago. */
export const SHORT_CLAIM_DAYS = 2
/** Least time between the first check that misses the holder's record and the decision, whatever date was announced. */
const AFTER_RECORD_GONE = 2 * DAY_SECONDS
const REMINDER = DAY_SECONDS
const AGAIN = 600
/** After a claim failed because the holder is proven too, the same claim cannot start by itself for this time. */
const QUIET = 30 * DAY_SECONDS

type Times = { decidesAt: Date; isHolderProven: boolean; remindedAt: Date | null }

export const decisionAt = (now: Date, hasSendingStopped: boolean): Date =>
  secondsAfter(now, (hasSendingStopped ? SHORT_CLAIM_DAYS : CLAIM_DAYS) * DAY_SECONDS)

export const afterRecordGone = ({ decidesAt }: Times, now: Date): Date =>
  latest(decidesAt, secondsAfter(now, AFTER_RECORD_GONE))

/** The holder gets one reminder before the domain changes hands. */
export const isReminderDue = (claim: Times, now: Date): boolean =>
  !claim.isHolderProven &&
  claim.remindedAt === null &&
  now >= secondsAfter(claim.decidesAt, -REMINDER)

/** Never earlier than the announced date. */
export const afterReminder = ({ decidesAt }: Times, now: Date): Date =>
  latest(decidesAt, secondsAfter(now, REMINDER))

export const lookAt = (claim: Times, now: Date): Date =>
  latest(
    secondsAfter(now, AGAIN),
    claim.isHolderProven || claim.remindedAt !== null
      ? claim.decidesAt
      : secondsAfter(claim.decidesAt, -REMINDER),
  )

export const isQuiet = (endedAt: Date, now: Date): boolean => now < secondsAfter(endedAt, QUIET)

const latest = (a: Date, b: Date): Date => (a > b ? a : b)
