/** While a member has a page with pending records open, DNS is queried every 15 seconds. */
import { type DnsRecord, isWrong, type Sightings } from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import { makeChecksDueAt, markWatched } from '#server/features/domains/due-queries.ts'
import { FAILURES_TO_ALERT } from '#server/features/domains/failing-queries.ts'
import type { RecordRow } from '#server/features/domains/record-queries.ts'
import { secondsAfter } from '#server/lib/clock.ts'

/** An open page reads its records every 15 s; after this time without a read it counts as closed. */
const OPEN_SECONDS = 45
const JUST_NOW_SECONDS = 10
const APART_SECONDS = 15
/** Watched domains per workspace, so that one workspace cannot occupy the resolvers. */
const MOST_OPEN = 20

type Shown = Pick<DnsRecord, 'isVerified' | 'checkedAt' | 'sightings'>

/** Reads the records of a domain for an open page. */
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

/** Returns whether the next check was moved forward. Does nothing once all records are right on all servers. */
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
  return isMarked && makeChecksDueAt(app.db, domain, soonest(now, records, wait))
}

/** Whether a page with the domain's records is open. */
export const isWatched = ({ watchedAt }: { watchedAt: Date | null }, now: Date): boolean =>
  watchedAt !== null && watchedAt > secondsAfter(now, -OPEN_SECONDS)

/** Seconds until the next check. While resolvers cache an old record: until the first of them expires. null: no check needed. */
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

const COUNTED_APART_SECONDS = 600

/**
 * Decides when a record that was right counts as failed. One check can be wrong: the zone is being edited, a cache is old, a
 * resolver is faulty. So several servers must agree each time, and failures close together count once. Pure (decision 020).
 */
export type Failures = Partial<Pick<RecordRow, 'failures' | 'failedAt' | 'verifiedAt'>>
type Before = Pick<RecordRow, 'failures' | 'failedAt' | 'verifiedAt'>

/** The changes after a definite answer. Failures of a record that was never right do not count: it is not published yet. */
export const failuresAfter = (
  { failures, failedAt, verifiedAt }: Before,
  isVerified: boolean,
  sightings: Sightings | null,
  at: Date,
): Failures => {
  if (isVerified) return { failures: 0, failedAt: null, verifiedAt: at }
  if (verifiedAt === null || failures >= FAILURES_TO_ALERT || !isSeenBySeveral(sightings)) return {}
  if (failedAt !== null && at < secondsAfter(failedAt, COUNTED_APART_SECONDS)) return {}
  return { failures: failures + 1, failedAt: at }
}

/** true: two resolvers, or a name server of the zone and a resolver, saw it. */
const isSeenBySeveral = (sightings: Sightings | null): boolean => {
  if (sightings === null) return false
  const resolvers = new Set(sightings.visible.filter(isWrong).map(({ server }) => server)).size
  return resolvers >= 2 || (resolvers === 1 && sightings.published.some(isWrong))
}
