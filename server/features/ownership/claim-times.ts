/** How long a claim waits, and when it is looked at. Pure (decision 015). */
import { secondsAfter } from '#server/lib/clock.ts'

const DAY = 24 * 3600
export const CLAIM_DAYS = 7
/** When the proof of the holder has been gone for so long that sending has stopped: its Admins know for a week. */
export const SHORT_CLAIM_DAYS = 2
/** At least so long after the record of the holder was seen to go, whatever was said before. */
const AFTER_RECORD_GONE = 2 * DAY
const REMINDER = DAY
const AGAIN = 600
/** While it is the record of the holder that keeps the domain, the same claim does not start again for so long. */
const QUIET = 30 * DAY

type Times = { decidesAt: Date; isHolderProven: boolean; remindedAt: Date | null }

export const decisionAt = (now: Date, hasSendingStopped: boolean): Date =>
  secondsAfter(now, (hasSendingStopped ? SHORT_CLAIM_DAYS : CLAIM_DAYS) * DAY)

export const afterRecordGone = ({ decidesAt }: Times, now: Date): Date =>
  latest(decidesAt, secondsAfter(now, AFTER_RECORD_GONE))

/** The holder is told once more before the domain goes. */
export const isReminderDue = (claim: Times, now: Date): boolean =>
  !claim.isHolderProven &&
  claim.remindedAt === null &&
  now >= secondsAfter(claim.decidesAt, -REMINDER)

/** Never sooner than announced. */
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
