/** Looks the records of a domain up, all at once, judges them and stores what is definite. */
import type { RecordPurpose } from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import type { DnsAnswer, LookUpMemo } from '#server/lib/dns.ts'
import type { SpfLookUp } from '#server/standards/dns-records/spf-check.ts'
import { type DomainRow, readDomain, readKeys } from './domains-store.ts'
import {
  compareDkim,
  compareDmarc,
  compareMx,
  compareOwnership,
} from './records/compare-records.ts'
import { compareSpf } from './records/compare-spf.ts'
import { type ExpectedRecord, expectedRecords } from './records/expected-records.ts'
import { type Senders, sendersOf } from './records/sending-addresses.ts'
import { couldNotCheck, type Verdict, valuesOf } from './records/verdict.ts'
import { type Checked, storeCheck } from './store-check.ts'

/**
 * `ownership`: what a domain shows before it is proven. SPF and DMARC are looked at too, but only to propose values
 * that keep what is there: nobody has been asked to publish them yet, so they are not judged.
 */
export type CheckScope = 'ownership' | 'all'
export type CheckOutcome = { isHeldElsewhere: boolean }

/** Verify calls answer within 10 s, however many look-ups an SPF record takes. */
const CHECK_LIMIT_MS = 8500

/** Never throws for what DNS says or does not say. A domain that is gone meanwhile is left alone. */
export const checkDomain = async (
  app: App,
  { id, workspaceId }: { id: string; workspaceId: string },
  scope: CheckScope,
  limitMs = CHECK_LIMIT_MS,
): Promise<CheckOutcome> => {
  const domain = await readDomain(app.db, workspaceId, id)
  const [key] = await readKeys(app.db, id)
  if (!domain || !key) return { isHeldElsewhere: false }
  const askedAt = app.clock.now()
  const giveUpAt = Date.now() + limitMs
  const senders = await sendersOf(app)
  const expected = expectedRecords({
    ...domain,
    selector: key.selector,
    publicKey: key.publicKey,
    spfMechanisms: senders.mechanisms,
    mailHost: app.config.mailHost,
  }).filter(({ purpose }) => scope === 'all' || isSeenEarly(purpose))
  const memo: LookUpMemo = new Map()
  const checked = await Promise.all(
    expected.map(async (record): Promise<Checked> => {
      const asked = { app, domain, record, senders, memo, publicKey: key.publicKey }
      const verdict = await before(giveUpAt, judge(asked))
      return { record, verdict, isJudged: scope === 'all' || record.purpose === 'ownership' }
    }),
  )
  return storeCheck(app, domain, checked, askedAt)
}

const isSeenEarly = (purpose: RecordPurpose): boolean =>
  purpose === 'ownership' || purpose === 'spf' || purpose === 'dmarc'

type Asked = {
  app: App
  domain: DomainRow
  record: ExpectedRecord
  senders: Senders
  memo: LookUpMemo
  publicKey: string
}

const judge = async (asked: Asked): Promise<Verdict> => {
  const { app, record, memo } = asked
  const answer = await app.dns.lookUpAtSource(record.name, record.type, memo)
  if (answer.outcome === 'failed') return couldNotCheck(answer.reason)
  return compare(asked, answer)
}

const compare = (
  { app, record, senders, publicKey }: Asked,
  answer: DnsAnswer,
): Verdict | Promise<Verdict> => {
  const { name, purpose, value } = record
  const values = valuesOf(answer) ?? []
  const { mailHost } = app.config
  switch (purpose) {
    case 'ownership':
      return compareOwnership(values, name, value)
    case 'spf':
      return compareSpf(values, { name, mailHost, senders, lookUp: spfLookUp(app) })
    case 'dkim':
      return compareDkim(values, name, publicKey)
    case 'dmarc':
      return compareDmarc(values, name)
    case 'mx':
      return compareMx(answer.outcome === 'found' ? answer.records : [], name, mailHost)
  }
}

export const spfLookUp =
  (app: App): SpfLookUp =>
  async (name, type) => {
    const answer = await app.dns.lookUp(name, type)
    const values = valuesOf(answer)
    if (values === null) return { outcome: 'failed' }
    return answer.outcome === 'found' ? { outcome: 'found', values } : { outcome: 'none' }
  }

const before = async (giveUpAt: number, judging: Promise<Verdict>): Promise<Verdict> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<Verdict>((done) => {
    timer = setTimeout(
      () => done(couldNotCheck('DNS took too long to answer')),
      Math.max(0, giveUpAt - Date.now()),
    )
  })
  try {
    return await Promise.race([judging, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
