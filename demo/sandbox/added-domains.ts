/** The records that a domain needs, and the owner of its zone: read from the product's database. */
import type { Selectable } from 'kysely'
import type { Database } from '#server/storage/database.ts'
import type { DomainRecordsTable } from '#server/storage/rows/domain-tables.ts'

export type AskedRecord = Pick<
  Selectable<DomainRecordsTable>,
  'name' | 'type' | 'value' | 'priority' | 'purpose'
>

export type AddedDomain = { id: string; name: string; asked: AskedRecord[] }

/** The domains of one workspace, or one of them, ordered by name; records in the order of the page. */
export const addedDomains = async (
  db: Database,
  workspaceId: string,
  id: string | null = null,
): Promise<AddedDomain[]> => {
  const query = db
    .selectFrom('domainRecords')
    .innerJoin('domains', 'domains.id', 'domainRecords.domainId')
    .select(['domains.id', 'domains.name as domain', 'domainRecords.name', 'domainRecords.type'])
    .select(['domainRecords.value', 'domainRecords.priority', 'domainRecords.purpose'])
    .where('domains.workspaceId', '=', workspaceId)
    .orderBy('domains.name')
    .orderBy('domainRecords.position')
  const rows = await (id === null ? query : query.where('domains.id', '=', id)).execute()
  const byDomain = Map.groupBy(rows, (row) => row.id)
  return [...byDomain].map(([key, records]) => ({
    id: key,
    name: records[0]?.domain ?? '',
    asked: records.map(({ id: _, domain: __, ...record }) => record),
  }))
}

/** The workspaces that may edit these zones: the holder of the domain, otherwise the first that added it. */
export const ownersOf = async (
  db: Database,
  zones: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (zones.length === 0) return new Map()
  const rows = await db
    .selectFrom('domains')
    .select(['name', 'workspaceId'])
    .where('name', 'in', zones)
    .orderBy('isVerified')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  // A later row replaces an earlier one of the same name.
  return new Map(rows.map(({ name, workspaceId }) => [name, workspaceId]))
}
