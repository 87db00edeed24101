/** Publishes what a domain asks for, as a careful person would: other records at the same names stay. */
import type { Selectable } from 'kysely'
import type { Database } from '#server/storage/database.ts'
import type { DomainRecordsTable } from '#server/storage/tables.ts'
import type { SandboxZones } from '../world/sandbox-zones.ts'

export type AskedRecord = Pick<
  Selectable<DomainRecordsTable>,
  'name' | 'type' | 'value' | 'priority' | 'purpose'
>

/** In the order of the domain's page; of all workspaces that ask for this name. */
export const askedRecords = (db: Database, domain: string): Promise<AskedRecord[]> =>
  db
    .selectFrom('domainRecords')
    .innerJoin('domains', 'domains.id', 'domainRecords.domainId')
    .select([
      'domainRecords.name',
      'domainRecords.type',
      'domainRecords.value',
      'domainRecords.priority',
      'domainRecords.purpose',
    ])
    .where('domains.name', '=', domain)
    .orderBy('domains.createdAt')
    .orderBy('domainRecords.position')
    .execute()

/** Every domain that somebody added, whether it has a zone or not. */
export const addedDomains = async (db: Database): Promise<string[]> => {
  const rows = await db.selectFrom('domains').select('name').distinct().orderBy('name').execute()
  return rows.map(({ name }) => name)
}

export const publish = (
  zones: SandboxZones,
  domain: string,
  records: readonly AskedRecord[],
): void => {
  if (zones.zoneOf(domain) === null) zones.addZone(domain)
  for (const record of records) {
    const { name, type } = record
    if (type === 'SRV') continue
    const others = zones.valuesOf(name, type).filter((value) => !isReplaced(record, value))
    zones.set(name, type, [...others, publishedValue(record)])
  }
}

export const publishedValue = ({ type, priority, value }: AskedRecord): string =>
  type === 'MX' ? `${priority ?? 10} ${value}` : value

/** Mail goes where the MX says, and a policy stands alone; a proof stands beside the proofs of others. */
const isReplaced = (asked: AskedRecord, present: string): boolean => {
  if (asked.type !== 'TXT') return true
  if (asked.purpose === 'ownership') return present === asked.value
  const kind = (text: string) => text.trim().split(/[\s;]/)[0]?.toLowerCase()
  return kind(present) === kind(asked.value)
}
