/** The records of domains in the database, and which are due to be looked at. */
import type { Insertable, Selectable } from 'kysely'
import type { RecordPurpose } from '#contract/domains.ts'
import type { Db } from '#server/storage/database.ts'
import type { DomainRecordsTable } from '#server/storage/tables.ts'

export type RecordRow = Selectable<DomainRecordsTable>

export const insertRecords = async (
  db: Db,
  records: Insertable<DomainRecordsTable>[],
): Promise<void> => {
  await db.insertInto('domainRecords').values(records).execute()
}

/** In the order of the page. */
export const readRecords = (db: Db, workspaceId: string, domainId: string): Promise<RecordRow[]> =>
  db
    .selectFrom('domainRecords')
    .selectAll()
    .where('domainId', '=', domainId)
    .where('workspaceId', '=', workspaceId)
    .orderBy('position')
    .execute()

export type RecordChange = Partial<
  Pick<
    RecordRow,
    | 'value'
    | 'priority'
    | 'state'
    | 'found'
    | 'explanation'
    | 'fix'
    | 'checkedAt'
    | 'nextCheckAt'
    | 'changedAt'
    | 'sightings'
  >
>

export const updateRecord = async (
  db: Db,
  domain: { id: string; workspaceId: string },
  purpose: RecordPurpose,
  { found, sightings, ...change }: RecordChange,
): Promise<void> => {
  await db
    .updateTable('domainRecords')
    .set({
      ...change,
      ...(found === undefined ? {} : { found: JSON.stringify(found) }),
      ...(sightings === undefined ? {} : { sightings: JSON.stringify(sightings) }),
    })
    .where('domainId', '=', domain.id)
    .where('workspaceId', '=', domain.workspaceId)
    .where('purpose', '=', purpose)
    .execute()
}

export type DueDomain = { id: string; workspaceId: string; isVerified: boolean }

/** Takes domains that are due and puts them off until `leaseUntil`, so that no other process checks them too. */
export const claimDueDomains = async (
  db: Db,
  now: Date,
  leaseUntil: Date,
  limit: number,
): Promise<DueDomain[]> => {
  const due = await db
    .selectFrom('domains')
    .select(['id', 'workspaceId', 'isVerified'])
    .where('id', 'in', (of) =>
      of
        .selectFrom('domainRecords')
        .select('domainRecords.domainId')
        .where('domainRecords.nextCheckAt', '<=', now)
        .orderBy('domainRecords.nextCheckAt')
        .limit(limit * 10),
    )
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  if (due.length === 0) return []
  await db
    .updateTable('domainRecords')
    .set({ nextCheckAt: leaseUntil })
    .where(
      'domainId',
      'in',
      due.map(({ id }) => id),
    )
    .where('nextCheckAt', '<=', now)
    .execute()
  return due
}
