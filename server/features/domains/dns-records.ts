import {
  type DnsRecord,
  isVerifiedIn,
  type OptionalPurpose,
  optionalPurposes,
  type RecordPurpose,
} from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Publishing } from '#server/dns/record-kind.ts'
import { expectedRecords, recordKinds } from '#server/dns/record-kinds.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import { makeSecondKey, storeKey } from './domain-keys.ts'
import { type DomainKeyRow, type DomainRow, lockDomain, readKeys } from './domain-queries.ts'
import { mailServerOf, webHostOf } from './mail-server.ts'
import { insertRecords, type ReadRecord, readRecords } from './record-queries.ts'
import { sendersWithoutDns } from './senders.ts'
import { requirePublicNames } from './trial.ts'

type Place = Pick<Who, 'workspaceId'>

/** The TXT record that proves ownership. */
export const ownershipRecord = async (
  app: App,
  who: Place,
  domainId: string,
): Promise<DnsRecord> => {
  const record = (await recordsOf(app, who, domainId)).find(isOwnership)
  if (!record) throw new AppError('NOT_EXISTS')
  return toDnsRecord(record)
}

/** The records to publish once ownership is proven. @throws NOT_EXISTS, TRIAL */
export const dnsRecords = async (app: App, who: Place, domainId: string): Promise<DnsRecord[]> => {
  const records = await recordsOf(app, who, domainId)
  requirePublicNames(app)
  return records.filter((record) => !isOwnership(record) && !isOptional(record)).map(toDnsRecord)
}

/** A domain always has records, so an empty result means that the workspace has no such domain. */
const recordsOf = async (app: App, who: Place, domainId: string): Promise<ReadRecord[]> => {
  const records = isId(domainId) ? await readRecords(app.db, who.workspaceId, domainId) : []
  if (records.length === 0) throw new AppError('NOT_EXISTS')
  return records
}

const isOwnership = ({ purpose }: ReadRecord): boolean => purpose === 'ownership'

export const isOptional = ({ purpose }: Pick<ReadRecord, 'purpose'>): boolean =>
  optionalPurposes.some((each) => each === purpose)

export const toDnsRecord = (row: ReadRecord): DnsRecord => ({
  name: row.name,
  value: row.value,
  ttl: row.ttl,
  isVerified: isVerifiedIn(row.state),
  type: row.type,
  priority: row.priority,
  purpose: row.purpose,
  required: row.isRequired,
  state: row.state,
  found: row.found,
  explanation: row.explanation,
  fix: row.fix,
  checkedAt: row.checkedAt?.toISOString() ?? null,
  nextCheckAt: row.nextCheckAt?.toISOString() ?? null,
  changedAt: row.changedAt?.toISOString() ?? null,
  verifiedAt: row.verifiedAt?.toISOString() ?? null,
  uncheckedSince: row.uncheckedSince?.toISOString() ?? null,
  sightings: row.sightings,
})

/**
 * The optional records. Made on the first request and checked with the others from then on, but not needed for an active
 * domain.
 * @throws NOT_EXISTS, TRIAL
 */
export const optionalRecords = async (
  app: App,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  domainId: string,
): Promise<DnsRecord[]> => {
  if (!isId(domainId)) throw new AppError('NOT_EXISTS')
  const read = async () => (await readRecords(app.db, workspaceId, domainId)).filter(isOptional)
  const known = await read()
  requirePublicNames(app)
  const publishable = publishablePurposes(app)
  if (known.length >= publishable.length) return known.map(toDnsRecord)
  await makeMissing(app, { workspaceId, domainId }, publishable)
  return (await read()).map(toDnsRecord)
}

/** Some of the records of mail programs cannot be published: those that cannot name our ports, or a host without a name. */
const publishablePurposes = (app: App): readonly OptionalPurpose[] => {
  const key = { selector: '', publicKey: '' }
  const any = { ...key, name: '', ownershipToken: '', spfMechanisms: [], secondKey: key }
  const domain = { ...any, mailHost: app.config.mailHost, setUp: setUpOf(app) }
  return optionalPurposes.filter((purpose) => recordKinds[purpose].expected(domain) !== null)
}

const setUpOf = (app: App) => ({ webHost: webHostOf(app), mailServer: mailServerOf(app.config) })

/**
 * Makes those of these records that the domain has not yet.
 * @throws NOT_EXISTS
 */
export const makeMissing = async (
  app: App,
  { workspaceId, domainId }: { workspaceId: string; domainId: string },
  purposes: readonly RecordPurpose[],
): Promise<void> => {
  const { mechanisms } = await sendersWithoutDns(app)
  await app.db.transaction().execute(async (tx) => {
    const domain = await lockDomain(tx, workspaceId, domainId)
    if (!domain) throw new AppError('NOT_EXISTS')
    // Read under the lock: a concurrent request may have made them.
    const known = await readRecords(tx, workspaceId, domainId)
    const missing = purposes.filter((each) => known.every(({ purpose }) => purpose !== each))
    if (missing.includes('dkim-ed25519')) await storeKey(tx, domain, makeSecondKey(app))
    const published = publishing(app, domain, await readKeys(tx, domainId), mechanisms)
    if (published) await insertRecords(tx, domain, expectedRecords(published, missing))
  })
}

/** What the records of a domain are made from; null when its keys are gone. */
export const publishing = (
  app: App,
  { name, ownershipToken }: Pick<DomainRow, 'name' | 'ownershipToken'>,
  keys: readonly DomainKeyRow[],
  spfMechanisms: string[],
): Publishing | null => {
  const first = keys.find(({ algorithm }) => algorithm === 'rsa')
  const secondKey = keys.find(({ algorithm }) => algorithm === 'ed25519')
  const { mailHost } = app.config
  return first
    ? {
        ...{ name, ownershipToken, spfMechanisms, mailHost, secondKey },
        setUp: setUpOf(app),
        ...{ selector: first.selector, publicKey: first.publicKey },
      }
    : null
}
