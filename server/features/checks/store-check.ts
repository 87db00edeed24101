/** Stores the results of a check and what follows from them for the domain. */
import type { Sightings } from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import type { ExpectedRecord } from '#server/dns/record-kind.ts'
import { type Verdict, verdict } from '#server/dns/verdict.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import {
  type DomainRow,
  isHeldError,
  lockDomain,
  readHolder,
  updateDomain,
} from '#server/features/domains/domain-queries.ts'
import {
  type RecordChange,
  type RecordRow,
  readRecords,
  updateRecord,
} from '#server/features/domains/record-queries.ts'
import type { SettingFacts } from '#server/features/domains/setting-queries.ts'
import { storeSetting } from '#server/features/domains/store-setting.ts'
import { noteEvents, type WebhookEvent } from '#server/features/webhooks/event-queries.ts'
import { DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { printable } from '#server/lib/plain-text.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { insertChanges } from './changes-store.ts'
import { hasChanged, snapshotOf } from './record-changes.ts'
import { failuresAfter, isWatched } from './watch-records.ts'

export type Checked = {
  record: ExpectedRecord
  verdict: Verdict
  /** The answer of each server; null when the look-ups took too long. */
  sightings: Sightings | null
  /** false: the record was looked up only to propose a value; its state changes only to verified. */
  isJudged: boolean
}

export const storeCheck = async (
  app: App,
  { id, workspaceId, name }: DomainRow,
  { checked, setting }: { checked: Checked[]; setting: SettingFacts },
  askedAt: Date,
): Promise<{ isHeldElsewhere: boolean }> => {
  const store = () =>
    app.db.transaction().execute(async (tx) => {
      const domain = await lockDomain(tx, workspaceId, id)
      if (!domain) return { isHeldElsewhere: false }
      const holder = await readHolder(tx, name)
      const isHeldElsewhere = holder !== undefined && holder.id !== id
      await storeLocked(tx, domain, isHeldElsewhere ? checked.map(refused) : checked, askedAt)
      await storeSetting(tx, domain, setting, askedAt)
      return { isHeldElsewhere: isHeldElsewhere && checked.some(isProof) }
    })
  try {
    return await store()
  } catch (error) {
    // Another workspace proved the name a moment earlier: the second try sees it as the holder.
    if (isHeldError(error)) return store()
    throw error
  }
}

const isProof = ({ record, verdict: { state } }: Checked): boolean =>
  record.purpose === 'ownership' && state === 'verified'

const refused = (each: Checked): Checked =>
  isProof(each)
    ? {
        ...each,
        verdict: verdict(
          'waiting',
          each.verdict.found,
          'Your record is right, but another workspace holds this domain.',
          'Leave the record where it is; what happens next and when is said on the page of the domain.',
        ),
      }
    : each

const storeLocked = async (
  tx: Db,
  domain: DomainRow,
  checked: Checked[],
  askedAt: Date,
): Promise<void> => {
  const before = await readRecords(tx, domain.workspaceId, domain.id)
  const changes = new Map<string, RecordChange>()
  for (const each of checked) {
    const row = before.find(({ purpose }) => purpose === each.record.purpose)
    // A slow check must not overwrite the results of one that started later.
    if (row && (row.checkedAt === null || row.checkedAt <= askedAt))
      changes.set(row.purpose, changeOf(domain, row, each, askedAt))
  }
  const after = before.map((row) => ({ ...row, ...changes.get(row.purpose) }))
  const state = await updateState(tx, domain, after, askedAt)
  const asked = after.filter(({ purpose }) => state.isVerified || purpose === 'ownership')
  const next = nextCheckAt(askedAt, {
    isActive: state.isActive,
    hasBeenActive: domain.activatedAt !== null,
    since: sinceOf(domain, after),
    isWaitedFor: isWatched(domain, askedAt) && asked.some(({ state }) => state !== 'verified'),
    unansweredSince: earliest(asked.flatMap(({ unansweredSince }) => unansweredSince ?? [])),
  })
  for (const row of after)
    await updateRecord(tx, domain, row.purpose, {
      ...changes.get(row.purpose),
      nextCheckAt: asked.includes(row) ? next : null,
    })
  await insertChanges(tx, domain, historyOf(before, after, askedAt))
  if (state.isChanged || before.some((row, at) => shown(row) !== shown(after[at] ?? row)))
    await announceChange(tx, { topic: 'domains', workspaceId: domain.workspaceId })
}

const SHORTEST_SECONDS = 15
const VERIFIED_SECONDS = 6 * HOUR_SECONDS
const EAGER_SECONDS = 72 * HOUR_SECONDS
/** Shortest wait after a check in which a record got no definite answer. */
const UNANSWERED_SECONDS = 300
/** The wait varies at random by this share, up and down. */
const SPREAD = 0.08

export type Watch = {
  /** Ownership and every required record are verified. */
  isActive: boolean
  /** true: mail depends on the domain, so while it is broken it is checked more often than daily. */
  hasBeenActive: boolean
  /** When the domain was added or one of its records last changed. */
  since: Date
  /** A member has the page open, and not every record is verified. */
  isWaitedFor: boolean
  /** Time since which a record could not be looked up; null: all were. */
  unansweredSince: Date | null
}

/** When a domain is checked again: soon while a member has the page open, then less and less often (decision 020). */
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
  return Math.min(HOUR_SECONDS, Math.max(SHORTEST_SECONDS, elapsed / 4))
}

const secondsSince = (then: Date, now: Date): number => (now.getTime() - then.getTime()) / 1000

/** Spreads the checks of domains that were added or checked together. */
const spread = (seconds: number): number =>
  seconds <= SHORTEST_SECONDS ? seconds : seconds * (1 - SPREAD + Math.random() * 2 * SPREAD)

const changeOf = (
  { isVerified }: DomainRow,
  row: RecordRow,
  { record, verdict, sightings, isJudged }: Checked,
  at: Date,
): RecordChange => {
  const { state, found, explanation, fix } = verdict
  const value = { value: printable(verdict.value ?? record.value), priority: record.priority }
  const seen = { sightings: sightings ?? row.sightings }
  if (state === 'unknown') {
    // No definite answer: keep the known state. 'waiting' and 'unknown' are both pending.
    const pending = row.state === 'waiting' ? { state: 'unknown' as const } : {}
    const unansweredSince = row.unansweredSince ?? at
    const proposed = verdict.value === undefined ? {} : value
    return { ...pending, ...proposed, ...seen, explanation, fix, checkedAt: at, unansweredSince }
  }
  const isOnlyProposed = !isJudged && (row.checkedAt === null || row.state === 'unknown')
  if (isOnlyProposed && state !== 'verified') return { ...value, ...unasked, found }
  return {
    ...value,
    ...(hasChanged(row, { state, found }) && { changedAt: at }),
    ...seen,
    ...{ state, found, explanation, fix, checkedAt: at, unansweredSince: null },
    ...((isVerified || state === 'verified') &&
      failuresAfter(row, state === 'verified', sightings, at)),
  }
}

const historyOf = (before: RecordRow[], after: RecordRow[], at: Date) =>
  after.flatMap((row, index) => {
    const was = before[index]
    // A lookup that only proposed a value is no change of the record.
    if (!was || row.checkedAt !== at || !hasChanged(was, row)) return []
    return [{ purpose: row.purpose, at, from: snapshotOf(was), to: snapshotOf(row) }]
  })

const earliest = (dates: Date[]): Date | null =>
  dates.reduce<Date | null>((first, date) => (first === null || date < first ? date : first), null)

const unasked = { state: 'waiting' as const, explanation: '', fix: '', checkedAt: null }

/**
 * A verified domain stays verified while its ownership record is missing; the record's state shows the fault, and
 * `ownership/` decides for how long.
 */
const updateState = async (tx: Db, domain: DomainRow, records: RecordRow[], at: Date) => {
  const isProven = records.some(
    ({ purpose, state }) => purpose === 'ownership' && state === 'verified',
  )
  const isVerified = domain.isVerified || isProven
  const isActive =
    isVerified && records.every(({ isRequired, state }) => !isRequired || state === 'verified')
  const isChanged = isVerified !== domain.isVerified || isActive !== domain.isActive
  if (isChanged || domain.checkClaimedUntil !== null)
    await updateDomain(tx, domain, {
      isVerified,
      verifiedAt: isVerified ? (domain.verifiedAt ?? at) : null,
      isActive,
      activatedAt: domain.activatedAt ?? (isActive ? at : null),
      checkClaimedUntil: null,
    })
  if (isChanged) await recordState(tx, domain, { isVerified, isActive }, at)
  if (isChanged) await noteEvents(tx, stateEvents(domain, { isVerified, isActive, records }, at))
  return { isVerified, isActive, isChanged }
}

const recordState = async (
  tx: Db,
  { workspaceId, name, ...before }: DomainRow,
  { isVerified, isActive }: Pick<DomainRow, 'isVerified' | 'isActive'>,
  at: Date,
): Promise<void> => {
  const found = { workspaceId, object: toUnicodeDomain(name) }
  if (isVerified && !before.isVerified) await recordBySystem(tx, at, 'domainVerified', found)
  if (isActive !== before.isActive)
    await recordBySystem(tx, at, isActive ? 'domainActive' : 'domainBroken', found)
}

type State = { isVerified: boolean; isActive: boolean; records: readonly RecordRow[] }

const stateEvents = (domain: DomainRow, state: State, at: Date): WebhookEvent[] => {
  const own = { workspaceId: domain.workspaceId, about: domain.id, at }
  const data = { domainId: domain.id, name: domain.name }
  const missing = state.records.filter(
    ({ isRequired, state }) => isRequired && state !== 'verified',
  )
  const broken = { ...data, records: missing.map(({ purpose }) => purpose) }
  return [
    ...(state.isVerified && !domain.isVerified ? [{ ...own, topic: 'domain.verified', data }] : []),
    ...(state.isActive && !domain.isActive ? [{ ...own, topic: 'domain.active', data }] : []),
    ...(domain.isActive && !state.isActive
      ? [{ ...own, topic: 'domain.broken', data: broken }]
      : []),
  ] as WebhookEvent[]
}

const sinceOf = (domain: DomainRow, records: RecordRow[]): Date =>
  records.reduce(
    (latest, { changedAt }) => (changedAt && changedAt > latest ? changedAt : latest),
    domain.createdAt,
  )

/** What the domain's page shows of a record, without the time of the check. */
const shown = (record: RecordRow): string => {
  const { value, priority, state, found, explanation, fix, sightings } = record
  const servers = [...(sightings?.published ?? []), ...(sightings?.visible ?? [])]
  const answers = servers.map(({ server, state, values }) => [server, state, values])
  return JSON.stringify([value, priority, state, found, explanation, fix, answers])
}
