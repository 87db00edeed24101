import { type DnsRecord, isVerifiedIn } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { secondKeyRecord } from '#server/dns/expected-records.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import { makeSecondKey, storeKey } from './domain-keys.ts'
import { lockDomain } from './domains-store.ts'
import { insertRecords, type RecordRow, readRecords } from './records-store.ts'

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

/** The records to publish once ownership is proven. */
export const dnsRecords = async (app: App, who: Place, domainId: string): Promise<DnsRecord[]> =>
  (await recordsOf(app, who, domainId))
    .filter((record) => !isOwnership(record) && !isOptional(record))
    .map(toDnsRecord)

/** A domain always has records, so none means that it is not there for this workspace. */
const recordsOf = async (app: App, who: Place, domainId: string): Promise<RecordRow[]> => {
  const records = isId(domainId) ? await readRecords(app.db, who.workspaceId, domainId) : []
  if (records.length === 0) throw new AppError('NOT_EXISTS')
  return records
}

const isOwnership = ({ purpose }: RecordRow): boolean => purpose === 'ownership'

export const isOptional = ({ purpose }: Pick<RecordRow, 'purpose'>): boolean =>
  purpose === 'dkim-ed25519'

export const toDnsRecord = (row: RecordRow): DnsRecord => ({
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
  sightings: row.sightings,
})

/**
 * What a domain may publish besides: a second DKIM key (Ed25519, RFC 8463). Made when somebody first asks for it, checked
 * with the others from then on, and no part of what counts.
 * @throws NOT_EXISTS
 */
export const optionalRecords = async (
  app: App,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  domainId: string,
): Promise<DnsRecord[]> => {
  if (!isId(domainId)) throw new AppError('NOT_EXISTS')
  const read = async () =>
    (await readRecords(app.db, workspaceId, domainId)).filter(isOptional).map(toDnsRecord)
  const known = await read()
  if (known.length > 0) return known
  await makeRecord(app, workspaceId, domainId)
  return read()
}

const makeRecord = (app: App, workspaceId: string, domainId: string): Promise<void> =>
  app.db.transaction().execute(async (tx) => {
    const domain = await lockDomain(tx, workspaceId, domainId)
    if (!domain) throw new AppError('NOT_EXISTS')
    // Somebody else asked at the same moment.
    if ((await readRecords(tx, workspaceId, domainId)).some(isOptional)) return
    const key = makeSecondKey(app)
    await storeKey(tx, domain, key)
    await insertRecords(tx, [
      {
        ...secondKeyRecord(domain.name, key),
        ...{ domainId, workspaceId, found: '[]' },
        ...{ checkedAt: null, nextCheckAt: null, changedAt: null },
      },
    ])
  })
