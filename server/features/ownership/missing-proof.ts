/**
 * The steps, and their times, while the proof of a held domain is missing. Pure. Every step is announced NOTICE before it,
 * also when checks were impossible for a long time.
 */
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'

/** A record may be missing for some hours while a zone moves to another provider. */
const WARN_AFTER = DAY_SECONDS
export const STOP_SENDING_AFTER = 7 * DAY_SECONDS
export const RELEASE_AFTER = 30 * DAY_SECONDS
/** Least seconds between an announcement and the announced step. */
const NOTICE = 6 * DAY_SECONDS
const LAST_CALL = 7 * DAY_SECONDS
/** Domains are checked at least daily. When two definite checks lie further apart, the time beyond this does not count. */
const LONGEST_GAP = 1.5 * DAY_SECONDS

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

/** The state after another definite check without the proof; it moves by at most one step. */
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

/** When the next step is due; a check is scheduled then. */
export const nextStepAt = ({ step, since, stopsAt, releasesAt }: MissingProof): Date =>
  step === 'noticed'
    ? secondsAfter(since, WARN_AFTER)
    : step === 'warned'
      ? stopsAt
      : step === 'stopped'
        ? secondsAfter(releasesAt, -LAST_CALL)
        : releasesAt

const latest = (a: Date, b: Date): Date => (a > b ? a : b)
