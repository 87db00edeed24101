/**
 * What happens when, while the proof of a held domain is missing. Pure. No step is taken before the one that announces
 * it, however long nobody could look.
 */
import { secondsAfter } from '#server/lib/clock.ts'

const DAY = 24 * 3600
/** A record may be away for a while, when somebody moves a zone. */
const WARN_AFTER = DAY
export const STOP_SENDING_AFTER = 7 * DAY
export const RELEASE_AFTER = 30 * DAY
/** Between each announcement and what it announces lie at least so many seconds. */
const NOTICE = 6 * DAY
const LAST_CALL = 7 * DAY
/** Domains are looked at daily at least; what lies beyond between two definite looks does not count. */
const LONGEST_GAP = 1.5 * DAY

export type MissingProof = {
  step: 'noticed' | 'warned' | 'stopped' | 'last-call'
  since: Date
  lookedAt: Date
  stopsAt: Date
  releasesAt: Date
}

export type NextStep = MissingProof | 'release'

export const firstMissing = (now: Date): MissingProof => ({
  step: 'noticed',
  since: now,
  lookedAt: now,
  stopsAt: secondsAfter(now, STOP_SENDING_AFTER),
  releasesAt: secondsAfter(now, STOP_SENDING_AFTER + RELEASE_AFTER),
})

/** After one more definite look that did not find it; at most one step at a time. */
export const stillMissing = (before: MissingProof, now: Date): NextStep => {
  const blind = Math.max(0, (now.getTime() - before.lookedAt.getTime()) / 1000 - LONGEST_GAP)
  const isStopped = before.step === 'stopped' || before.step === 'last-call'
  const stopsAt = isStopped ? before.stopsAt : secondsAfter(before.stopsAt, blind)
  const missing = {
    ...before,
    lookedAt: now,
    stopsAt,
    releasesAt: secondsAfter(before.releasesAt, blind),
  }
  switch (before.step) {
    case 'noticed': {
      if (now < secondsAfter(before.since, WARN_AFTER)) return missing
      const stops = latest(stopsAt, secondsAfter(now, NOTICE))
      return {
        ...missing,
        step: 'warned',
        stopsAt: stops,
        releasesAt: latest(missing.releasesAt, secondsAfter(stops, RELEASE_AFTER)),
      }
    }
    case 'warned':
      if (now < stopsAt) return missing
      return {
        ...missing,
        step: 'stopped',
        stopsAt: now,
        releasesAt: secondsAfter(now, RELEASE_AFTER),
      }
    case 'stopped':
      if (now < secondsAfter(missing.releasesAt, -LAST_CALL)) return missing
      return {
        ...missing,
        step: 'last-call',
        releasesAt: latest(missing.releasesAt, secondsAfter(now, LAST_CALL)),
      }
    case 'last-call':
      return now < missing.releasesAt ? missing : 'release'
  }
}

/** When the next step is due, so that somebody looks then. */
export const nextStepAt = ({ step, since, stopsAt, releasesAt }: MissingProof): Date =>
  step === 'noticed'
    ? secondsAfter(since, WARN_AFTER)
    : step === 'warned'
      ? stopsAt
      : step === 'stopped'
        ? secondsAfter(releasesAt, -LAST_CALL)
        : releasesAt

const latest = (a: Date, b: Date): Date => (a > b ? a : b)
