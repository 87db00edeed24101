/** Stores what a check found, and what follows from it for the domain. */
import type { Sightings } from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import type { ExpectedRecord } from '#server/dns/expected-records.ts'
import { type Verdict, verdict } from '#server/dns/verdict.ts'
import {
  type DomainRow,
  isHeldError,
  lockDomain,
  readHolder,
  updateDomain,
} from '#server/features/domains/domains-store.ts'
import {
  type RecordChange,
  type RecordRow,
  readRecords,
  updateRecord,
} from '#server/features/domains/records-store.ts'
import type { SettingFacts } from '#server/features/domains/setting-store.ts'
import { storeSetting } from '#server/features/domains/store-setting.ts'
import { printable } from '#server/lib/dns/printable.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { insertChanges } from './changes-store.ts'
import { nextCheckAt } from './next-check.ts'
import { hasChanged, said } from './record-changes.ts'
import { failuresAfter, isWatched } from './watch-records.ts'

export type Checked = {
  record: ExpectedRecord
  verdict: Verdict
  /** What each server said; null when the look-ups took too long. */
  sightings: Sightings | null
  /** false: before its first check, only to propose a value; its state stays unless it is verified. */
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
    // Somebody else proved the name at the same moment, and was first: now they are seen as its holder.
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
    // A slower check that was asked earlier must not undo a later one.
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
    // Nothing definite: what is known stays. 'waiting' and 'unknown' are both pending.
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
    // What was only proposed is no answer about the record.
    if (!was || row.checkedAt !== at || !hasChanged(was, row)) return []
    return [{ purpose: row.purpose, at, from: said(was), to: said(row) }]
  })

const earliest = (dates: Date[]): Date | null =>
  dates.reduce<Date | null>((first, date) => (first === null || date < first ? date : first), null)

const unasked = { state: 'waiting' as const, explanation: '', fix: '', checkedAt: null }

/**
 * A domain stays verified once it was, also while its ownership record is away: its record and its status show that,
 * and `ownership/` says how long.
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
  return { isVerified, isActive, isChanged }
}

const sinceOf = (domain: DomainRow, records: RecordRow[]): Date =>
  records.reduce(
    (latest, { changedAt }) => (changedAt && changedAt > latest ? changedAt : latest),
    domain.createdAt,
  )

/** What the page of the domain shows of a record, but for the time of the check. */
const shown = (record: RecordRow): string => {
  const { value, priority, state, found, explanation, fix, sightings } = record
  const servers = [...(sightings?.published ?? []), ...(sightings?.visible ?? [])]
  const answers = servers.map(({ server, state, values }) => [server, state, values])
  return JSON.stringify([value, priority, state, found, explanation, fix, answers])
}
