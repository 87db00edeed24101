/** The two Verify buttons: each checks now and answers when the result is stored. */

import type {
  listRecordChanges as listRecordChangesRoute,
  RecordChange,
} from '#contract/dns/setting.ts'
import { type DnsRecord, sentencesOf } from '#contract/domains.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import { MAX_AT_ONCE, type VerifiedRow } from '#contract/many-domains.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { dnsRecords, isOptional, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { type DomainRow, readDomain } from '#server/features/domains/domain-queries.ts'
import { listDomainHealth } from '#server/features/domains/list-health.ts'
import { readRecords } from '#server/features/domains/record-queries.ts'
import { requirePublicNames } from '#server/features/domains/trial.ts'
import { eachRow } from '#server/features/limits/each-row.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { hasOpenClaim } from '#server/features/ownership/read-ownership.ts'
import { isId } from '#server/lib/ids.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { type ChangeRow, readChanges } from './changes-store.ts'
import { AT_ONCE_OF_A_WORKSPACE, checkDomain } from './check-domain.ts'

const BOTH_PROVEN =
  'Another workspace holds this domain, and its ownership record is in DNS beside yours. Remove the other record, then verify again'
const PER_DOMAIN = { limit: 10, windowSeconds: 60 }
const PER_WORKSPACE = { limit: 300, windowSeconds: 60 }

/**
 * When another workspace holds the name, the proof starts a claim on it.
 * @throws DOMAIN_HELD when the claim has ended because the holder's proof is in DNS too; TOO_MANY_REQUESTS
 */
export const verifyOwnership = async (app: App, who: Who, id: string): Promise<DnsRecord> => {
  const domain = await domainToCheck(app, who, id)
  const { isHeldElsewhere } = await checkDomain(app, domain, 'ownership', { isAskedFor: true })
  const record = await ownershipRecord(app, who, id)
  if (isHeldElsewhere && record.state !== 'verified' && !(await hasOpenClaim(app, domain.id)))
    throw new AppError('DOMAIN_HELD', { message: BOTH_PROVEN })
  return record
}

/** @throws DOMAIN_NOT_VERIFIED before ownership is proven; TRIAL */
export const verifyDns = async (app: App, who: Who, id: string): Promise<DnsRecord[]> => {
  const domain = await domainToCheck(app, who, id)
  if (!domain.isVerified) throw new AppError('DOMAIN_NOT_VERIFIED')
  requirePublicNames(app)
  await checkDomain(app, domain, 'all')
  return dnsRecords(app, who, id)
}

/** As many as Verify of a page may ask for, in one call. */
const MANY = { limit: MAX_AT_ONCE, windowSeconds: 60 }
const AT_ONCE = AT_ONCE_OF_A_WORKSPACE - 5

/**
 * Looks every record of these domains up, also before their ownership is proven, as a DNS link does. A row is done when the
 * domain needs no work any more (decision 078).
 * @throws TOO_MANY_REQUESTS
 */
export const verifyMany = async (app: App, who: Who, ids: string[]): Promise<VerifiedRow[]> => {
  await spendThrottle(app, `verify-many-of:${who.workspaceId}`, MANY, ids.length)
  const outcomes = new Map<string, Outcome>()
  const rows = await eachRow(
    ids,
    async (id) => {
      const { outcome, message } = await verifyOneOfMany(app, who, id)
      outcomes.set(id, outcome)
      return message
    },
    AT_ONCE,
  )
  return rows.map((row) => ({ ...row, outcome: outcomes.get(row.id) ?? 'unchecked' }))
}

type Outcome = VerifiedRow['outcome']

const verifyOneOfMany = async (
  app: App,
  who: Who,
  id: string,
): Promise<{ outcome: Outcome; message: string }> => {
  const domain = await readDomain(app.db, who.workspaceId, id)
  if (!domain) throw new AppError('NOT_EXISTS')
  await spendThrottle(app, `verify-domain:${domain.id}`, PER_DOMAIN)
  requirePublicNames(app)
  await checkDomain(app, domain, 'all', { isAskedFor: true })
  const rows = await readRecords(app.db, who.workspaceId, id)
  // Not only after repeated checks: whoever asks now is told how this one went.
  const unanswered = rows.filter((row) => !isOptional(row) && row.unansweredSince !== null)
  const silent = new Set(unanswered.map(({ purpose }) => purpose))
  const [health] = await listDomainHealth(app, who, [id])
  const toDo = health?.records.filter(({ isToDo, purpose }) => isToDo && !silent.has(purpose)) ?? []
  if (toDo.length > 0) {
    const sentences = sentencesOf(toDo).map(
      ({ title, text }) => `${title}: ${text || 'not published yet.'}`,
    )
    return { outcome: 'work', message: sentences.join(' ') }
  }
  if (unanswered.length === 0) return { outcome: 'right', message: '' }
  const reasons = new Set(unanswered.map(({ explanation }) => explanation))
  return { outcome: 'unchecked', message: [...reasons].join(' ') }
}

const domainToCheck = async (app: App, who: Who, id: string): Promise<DomainRow> => {
  const domain = isId(id) ? await readDomain(app.db, who.workspaceId, id) : undefined
  if (!domain) throw new AppError('NOT_EXISTS')
  await spendThrottle(app, `verify-domain:${domain.id}`, PER_DOMAIN)
  await spendThrottle(app, `verify-domains-of:${who.workspaceId}`, PER_WORKSPACE)
  return domain
}

/** Changes of a domain's records, newest first; at most fifty per record. */
export const listRecordChanges = async (
  app: App,
  who: Who,
  id: string,
  { purpose, limit, cursor }: Input<typeof listRecordChangesRoute>['query'],
): Promise<Output<typeof listRecordChangesRoute>> => {
  const domain = isId(id) ? await readDomain(app.db, who.workspaceId, id) : undefined
  if (!domain) throw new AppError('NOT_EXISTS')
  const after = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && after === null) throw invalidField('cursor', 'Not a cursor')
  const asked = { purpose: purpose ?? null, after, limit: limit + 1 }
  const page = pageOf(await readChanges(app.db, domain, asked), limit, ({ at, id }) => ({ at, id }))
  return { items: page.items.map(toRecordChange), nextCursor: page.nextCursor }
}

const toRecordChange = (row: ChangeRow): RecordChange => ({
  _id: row.id,
  purpose: row.purpose,
  at: row.at.toISOString(),
  from: { state: row.fromState, values: row.fromValues },
  to: { state: row.toState, values: row.toValues },
})
