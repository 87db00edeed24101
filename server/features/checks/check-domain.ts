/** Looks up all records of a domain at once, judges them and stores the definite results. */
import { basicPurposes, type RecordPurpose } from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import { withFormerTerms } from '#server/dns/former-spf.ts'
import { judgeRecord } from '#server/dns/judge-record.ts'
import type { ExpectedRecord } from '#server/dns/record-kind.ts'
import { expectedRecords } from '#server/dns/record-kinds.ts'
import type { Judged } from '#server/dns/sightings.ts'
import { couldNotCheck } from '#server/dns/verdict.ts'
import { isOptional, publishing } from '#server/features/domains/dns-records.ts'
import { readDomain, readKeys } from '#server/features/domains/domain-queries.ts'
import { type RecordRow, readRecords } from '#server/features/domains/record-queries.ts'
import { sendersOf, spfLookUp } from '#server/features/domains/senders.ts'
import { settingFacts } from '#server/features/domains/setting-facts.ts'
import { followOwnership } from '#server/features/ownership/follow-ownership.ts'
import { lookOf } from '#server/features/ownership/ownership-state.ts'
import type { LookUpMemo } from '#server/lib/dns/dns.ts'
import { openTurns, openTurnsOfEach } from '#server/lib/turns/turns.ts'
import { within } from '#server/lib/wait.ts'
import { readChanges } from './changes-store.ts'
import { countOpenLinks } from './link-queries.ts'
import { type Checked, storeCheck } from './store-check.ts'

/**
 * `ownership`: the domain is not proven yet. The other records are looked up too, to propose values that keep existing ones and
 * to count records that are already right. They are never called wrong, because the user is asked to publish them only later
 * (or now, when a DNS link shows them).
 */
export type CheckScope = 'ownership' | 'all'
export type CheckOutcome = { isHeldElsewhere: boolean }

/** Verify calls must answer within 10 s, however many look-ups an SPF record needs. */
const CHECK_LIMIT_MS = 8500

type CheckOptions = {
  limitMs?: number
  /** true: the caller pressed Verify on the ownership record, so a claim that ended may start again. */
  isAskedFor?: boolean
}

/** Never throws for a DNS answer or a DNS failure. Does nothing for a domain that was deleted in the meantime. */
export const checkDomain = async (
  app: App,
  { id, workspaceId }: { id: string; workspaceId: string },
  scope: CheckScope,
  { limitMs = CHECK_LIMIT_MS, isAskedFor = false }: CheckOptions = {},
): Promise<CheckOutcome> => {
  const domain = await readDomain(app.db, workspaceId, id)
  const keys = await readKeys(app.db, id)
  if (!domain) return { isHeldElsewhere: false }
  const askedAt = app.clock.now()
  const giveUpAt = Date.now() + limitMs
  const senders = await sendersOf(app)
  const { mailHost } = app.config
  const published = publishing(app, domain, keys, senders.mechanisms)
  if (!published) return { isHeldElsewhere: false }
  const known = await readRecords(app.db, workspaceId, id)
  const optional = known.filter(isOptional).map(({ purpose }) => purpose)
  const expected = expectedRecords(published, [...basicPurposes, ...optional])
  const memo: LookUpMemo = new Map()
  const place = { workspaceId, now: askedAt }
  const isAllJudged =
    scope === 'all' || domain.isVerified || (await countOpenLinks(app.db, place, [id])) > 0
  // Once a fault of a record was reported, every later check reports it too.
  const askedFor = new Set(
    known.filter(({ checkedAt }) => checkedAt !== null).map(({ purpose }) => purpose),
  )
  const asked = { dns: app.dns, domain: domain.name, senders, mailHost, memo }
  const lookUp = spfLookUp(app, giveUpAt)
  const isToJudge = ({ purpose }: ExpectedRecord) =>
    isAllJudged || purpose === 'ownership' || askedFor.has(purpose)
  const judge = async (record: ExpectedRecord): Promise<Checked & Judged> => {
    const isJudged = isToJudge(record)
    const judged = judgeRecord({
      ...{ ...asked, record, isExplained: isJudged, lookUp },
      keys: keys.filter(({ algorithm }) => algorithm === algorithmOf(record.purpose)),
    })
    return { record, isJudged, ...(await within(giveUpAt, judged, tooLate)) }
  }
  const checked =
    (await runInTurn(workspaceId, giveUpAt, () => Promise.all(expected.map(judge)))) ??
    expected.map((record) => ({ record, isJudged: isToJudge(record), ...tooMany }))
  const seen = (purpose: RecordPurpose) =>
    checked.find(({ record }) => record.purpose === purpose)?.observation ?? null
  const setting = await settingFacts(
    { txt: seen('spf'), mx: seen('mx'), dmarc: seen('dmarc') },
    { domain: domain.name, ourSpf: senders.mechanisms, lookUp, memo, giveUpAtMs: giveUpAt },
  )
  const records = await formerSpf(app, domain, known)
  const former = { domain: domain.name, records, mx: setting.mx, mailHost }
  const compared = checked.map((each) =>
    each.record.purpose === 'spf'
      ? { ...each, verdict: withFormerTerms(each.verdict, former) }
      : each,
  )
  const outcome = await storeCheck(app, domain, { checked: compared, setting }, askedAt)
  await followOwnership(app, { ...domain, isAskedFor }, lookOf(seen('ownership')), askedAt)
  return outcome
}

/** The SPF records that were seen before, newest first. */
const formerSpf = async (
  app: App,
  domain: { id: string; workspaceId: string },
  known: readonly RecordRow[],
): Promise<string[]> => {
  const asked = { purpose: 'spf' as const, after: null, limit: FORMER_CHANGES }
  const changes = await readChanges(app.db, domain, asked)
  const last = known.find(({ purpose }) => purpose === 'spf')?.found ?? []
  return [...last, ...changes.flatMap(({ toValues, fromValues }) => [...toValues, ...fromValues])]
}

const FORMER_CHANGES = 10

/** More than `recheck-due-domains` runs at once, so that Verify need not wait for its checks. */
export const AT_ONCE_OF_A_WORKSPACE = 30
const AT_ONCE = 60

const inAll = openTurns(AT_ONCE)
const ofEach = openTurnsOfEach(AT_ONCE_OF_A_WORKSPACE)

/**
 * Limits how many checks query DNS at once. A check has about a hundred sockets open, for seconds when the zone's servers do not
 * answer: without a limit, one caller who verifies 300 such domains would take the sockets from mail and from other callers.
 * Returns null when no turn was free by the deadline; work that has started is not interrupted.
 */
export const runInTurn = <T>(
  workspaceId: string,
  giveUpAtMs: number,
  work: () => Promise<T>,
): Promise<T | null> =>
  new Promise((resolve, reject) => {
    let isTooLate = false
    const giveUp = () => {
      isTooLate = true
      resolve(null)
    }
    const timer = setTimeout(giveUp, Math.max(0, giveUpAtMs - Date.now()))
    const begin = async () => {
      clearTimeout(timer)
      if (!isTooLate) resolve(await work())
    }
    ofEach.take(workspaceId, () => inAll.take(begin)).catch(reject)
  })

const algorithmOf = (purpose: RecordPurpose): 'rsa' | 'ed25519' =>
  purpose === 'dkim-ed25519' ? 'ed25519' : 'rsa'

const tooLate: Judged = {
  verdict: couldNotCheck('DNS took too long to answer'),
  sightings: null,
  observation: null,
}

const tooMany: Judged = {
  ...tooLate,
  verdict: couldNotCheck('too many other checks are under way'),
}
