/**
 * When a record that was right counts as failed. One look can be wrong: a zone is being edited, a cache is old, a resolver
 * lies. So several servers must agree each time, and failures close together count once. Pure (decision 020).
 */
import { isWrong, type Sightings } from '#contract/domains.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import type { RecordRow } from '../records-store.ts'

/** So many in a row, and the Admins are told. */
export const FAILURES_TO_TELL = 3
const APART_SECONDS = 600

export type Failures = Partial<Pick<RecordRow, 'failures' | 'failedAt' | 'verifiedAt'>>
type Before = Pick<RecordRow, 'failures' | 'failedAt' | 'verifiedAt'>

/** What a definite answer changes. Nothing is counted of what was never right: that is not there yet. */
export const failuresAfter = (
  { failures, failedAt, verifiedAt }: Before,
  isVerified: boolean,
  sightings: Sightings | null,
  at: Date,
): Failures => {
  if (isVerified) return { failures: 0, failedAt: null, verifiedAt: at }
  if (verifiedAt === null || failures >= FAILURES_TO_TELL || !isSeenBySeveral(sightings)) return {}
  if (failedAt !== null && at < secondsAfter(failedAt, APART_SECONDS)) return {}
  return { failures: failures + 1, failedAt: at }
}

/** By two resolvers, or by a name server of the zone and a resolver. */
const isSeenBySeveral = (sightings: Sightings | null): boolean => {
  if (sightings === null) return false
  const resolvers = new Set(sightings.visible.filter(isWrong).map(({ server }) => server)).size
  return resolvers >= 2 || (resolvers === 1 && sightings.published.some(isWrong))
}
