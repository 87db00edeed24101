/** While somebody looks at records that are not right yet, DNS is asked every 15 seconds. */
import { type DnsRecord, isWrong, type Sightings } from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import type { RecordRow } from '#server/features/domains/records-store.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { bringForward, markWatched } from './claims-store.ts'

/** An open page reads its records every 15 s; after this it is closed. */
const OPEN_SECONDS = 45
const JUST_NOW_SECONDS = 10
const APART_SECONDS = 15
/** One workspace cannot keep the resolvers busy for all others. */
const MOST_OPEN = 20

type Shown = Pick<DnsRecord, 'isVerified' | 'checkedAt' | 'sightings'>

/** Reads the records of a domain for a page that somebody has open. */
export const readWatched = async <T extends Shown | readonly Shown[]>(
  app: App,
  { workspaceId }: { workspaceId: string },
  domainId: string,
  read: () => Promise<T>,
): Promise<T> => {
  const records = await read()
  const isSooner = await watchRecords(app, { id: domainId, workspaceId }, [records].flat())
  return isSooner ? read() : records
}

/** Answers whether the next check comes sooner now. Does nothing once all of them are right, and seen to be everywhere. */
const watchRecords = async (
  app: App,
  domain: { id: string; workspaceId: string },
  records: readonly Shown[],
): Promise<boolean> => {
  const wait = waitOf(records)
  if (wait === null) return false
  const now = app.clock.now()
  const isMarked = await markWatched(app.db, domain, {
    now,
    justNow: secondsAfter(now, -JUST_NOW_SECONDS),
    since: secondsAfter(now, -OPEN_SECONDS),
    most: MOST_OPEN,
  })
  return isMarked && bringForward(app.db, domain, soonest(now, records, wait))
}

/** Has somebody looked at the domain's records just now? */
export const isWatched = ({ watchedAt }: { watchedAt: Date | null }, now: Date): boolean =>
  watchedAt !== null && watchedAt > secondsAfter(now, -OPEN_SECONDS)

/** Until the next look, in seconds: while a resolver remembers what was there before, until it may have forgotten it. */
const waitOf = (records: readonly Shown[]): number | null => {
  if (records.some(({ isVerified }) => isVerified !== true)) return APART_SECONDS
  const old = records.flatMap(({ sightings }) => (sightings?.visible ?? []).filter(isWrong))
  if (old.length === 0) return null
  return Math.max(APART_SECONDS, 1 + Math.min(...old.map(({ ttlSeconds }) => ttlSeconds)))
}

const soonest = (now: Date, records: readonly Shown[], wait: number): Date => {
  const checked = records.flatMap(({ checkedAt }) => checkedAt ?? []).toSorted()
  const next = secondsAfter(new Date(checked.at(-1) ?? now), wait)
  return next > now ? next : now
}

/** So many in a row, and the Admins are told. */
export const FAILURES_TO_TELL = 3
const COUNTED_APART_SECONDS = 600

/**
 * When a record that was right counts as failed. One look can be wrong: a zone is being edited, a cache is old, a resolver
 * lies. So several servers must agree each time, and failures close together count once. Pure (decision 020).
 */
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
  if (failedAt !== null && at < secondsAfter(failedAt, COUNTED_APART_SECONDS)) return {}
  return { failures: failures + 1, failedAt: at }
}

/** By two resolvers, or by a name server of the zone and a resolver. */
const isSeenBySeveral = (sightings: Sightings | null): boolean => {
  if (sightings === null) return false
  const resolvers = new Set(sightings.visible.filter(isWrong).map(({ server }) => server)).size
  return resolvers >= 2 || (resolvers === 1 && sightings.published.some(isWrong))
}
