/** Looks the records of a domain up, all at once, judges them and stores what is definite. */
import type { RecordPurpose } from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import { type ExpectedRecord, expectedRecords } from '#server/dns/expected-records.ts'
import { judgeRecord } from '#server/dns/judge-record.ts'
import type { Judged } from '#server/dns/sightings.ts'
import { couldNotCheck } from '#server/dns/verdict.ts'
import { readDomain, readKeys } from '#server/features/domains/domains-store.ts'
import { readRecords } from '#server/features/domains/records-store.ts'
import { sendersOf, spfLookUp } from '#server/features/domains/senders.ts'
import { settingFacts } from '#server/features/domains/setting-facts.ts'
import { followOwnership } from '#server/features/ownership/follow-ownership.ts'
import { lookOf } from '#server/features/ownership/ownership-state.ts'
import type { LookUpMemo } from '#server/lib/dns/dns.ts'
import { within } from '#server/lib/dns/within.ts'
import { openTurns, openTurnsOfEach } from '#server/lib/turns/turns.ts'
import { countOpenLinks } from './links-store.ts'
import { type Checked, storeCheck } from './store-check.ts'

/**
 * `ownership`: before a domain is proven. The other records are looked at too, to propose values that keep what is
 * there and to count what is right already; unless a link shows them to somebody, nobody has been asked to publish them yet, so none
 * is called wrong.
 */
export type CheckScope = 'ownership' | 'all'
export type CheckOutcome = { isHeldElsewhere: boolean }

/** Verify calls answer within 10 s, however many look-ups an SPF record takes. */
const CHECK_LIMIT_MS = 8500

type CheckOptions = {
  limitMs?: number
  /** Somebody pressed Verify on the ownership record: a claim that ended may start again. */
  isAskedFor?: boolean
}

/** Never throws for what DNS says or does not say. A domain that is gone meanwhile is left alone. */
export const checkDomain = async (
  app: App,
  { id, workspaceId }: { id: string; workspaceId: string },
  scope: CheckScope,
  { limitMs = CHECK_LIMIT_MS, isAskedFor = false }: CheckOptions = {},
): Promise<CheckOutcome> => {
  const domain = await readDomain(app.db, workspaceId, id)
  const keys = await readKeys(app.db, id)
  const key = keys.find(({ algorithm }) => algorithm === 'rsa')
  if (!domain || !key) return { isHeldElsewhere: false }
  const askedAt = app.clock.now()
  const giveUpAt = Date.now() + limitMs
  const senders = await sendersOf(app)
  const { mailHost } = app.config
  const expected = expectedRecords({
    ...domain,
    selector: key.selector,
    publicKey: key.publicKey,
    spfMechanisms: senders.mechanisms,
    mailHost,
    secondKey: keys.find(({ algorithm }) => algorithm === 'ed25519'),
  })
  const memo: LookUpMemo = new Map()
  const place = { workspaceId, now: askedAt }
  const isAllJudged =
    scope === 'all' || domain.isVerified || (await countOpenLinks(app.db, place, id)) > 0
  // Once somebody was told what is wrong with a record, every later check tells it too.
  const known = isAllJudged ? [] : await readRecords(app.db, workspaceId, id)
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
    (await inTurn(workspaceId, giveUpAt, () => Promise.all(expected.map(judge)))) ??
    expected.map((record) => ({ record, isJudged: isToJudge(record), ...tooMany }))
  const seen = (purpose: RecordPurpose) =>
    checked.find(({ record }) => record.purpose === purpose)?.observation ?? null
  const setting = await settingFacts(
    { txt: seen('spf'), mx: seen('mx'), dmarc: seen('dmarc') },
    { domain: domain.name, ourSpf: senders.mechanisms, lookUp, memo, giveUpAtMs: giveUpAt },
  )
  const outcome = await storeCheck(app, domain, { checked, setting }, askedAt)
  await followOwnership(app, { ...domain, isAskedFor }, lookOf(seen('ownership')), askedAt)
  return outcome
}

/** More than `recheck-due-domains` makes at once, so that whoever presses Verify need not wait for it. */
export const AT_ONCE_OF_A_WORKSPACE = 30
const AT_ONCE = 60

const inAll = openTurns(AT_ONCE)
const ofEach = openTurnsOfEach(AT_ONCE_OF_A_WORKSPACE)

/**
 * How many checks ask DNS at once. Each has about a hundred sockets open, and for seconds when its zone names servers that
 * stay silent: without turns, whoever presses Verify for 300 such domains takes them from mail and from everybody else.
 * null when no turn comes by then: the work is never begun. Begun, it takes the time that it takes.
 */
export const inTurn = <T>(
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
