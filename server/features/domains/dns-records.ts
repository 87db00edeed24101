import { type DnsRecord, isVerifiedIn } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import { type RecordRow, readRecords } from './records-store.ts'

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
