/** Looks the records of a domain up, all at once, judges them and stores what is definite. */
import type { App } from '#server/app.ts'
import type { LookUpMemo } from '#server/lib/dns.ts'
import type { SpfLookUp } from '#server/standards/dns-records/spf-check.ts'
import { readDomain, readKeys } from './domains-store.ts'
import { expectedRecords } from './records/expected-records.ts'
import { judgeRecord } from './records/judge-record.ts'
import { sendersOf } from './records/sending-addresses.ts'
import { couldNotCheck, valuesOf } from './records/verdict.ts'
import { type Checked, storeCheck } from './store-check.ts'

/**
 * `ownership`: before a domain is proven. The other records are looked at too, to propose values that keep what is
 * there and to count what is right already; nobody has been asked to publish them yet, so none is called wrong.
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
  const keys = await readKeys(app.db, id)
  const [key] = keys
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
  })
  const memo: LookUpMemo = new Map()
  const isAllJudged = scope === 'all' || domain.isVerified
  const asked = { dns: app.dns, domain: domain.name, senders, mailHost, memo, keys }
  const checked = await Promise.all(
    expected.map(async (record): Promise<Checked> => {
      const isJudged = isAllJudged || record.purpose === 'ownership'
      const judged = judgeRecord({
        ...asked,
        record,
        isExplained: isJudged,
        lookUp: spfLookUp(app),
      })
      return { record, isJudged, ...(await before(giveUpAt, judged, tooLate)) }
    }),
  )
  return storeCheck(app, domain, checked, askedAt)
}

const tooLate = { verdict: couldNotCheck('DNS took too long to answer'), sightings: null }

export const spfLookUp =
  (app: App): SpfLookUp =>
  async (name, type) => {
    const answer = await app.dns.lookUp(name, type)
    const values = valuesOf(answer)
    if (values === null) return { outcome: 'failed' }
    return answer.outcome === 'found' ? { outcome: 'found', values } : { outcome: 'none' }
  }

const before = async <T>(giveUpAt: number, work: Promise<T>, otherwise: T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((done) => {
    timer = setTimeout(() => done(otherwise), Math.max(0, giveUpAt - Date.now()))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
