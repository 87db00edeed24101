/** The records of domains in the database. */
import type { Insertable, Selectable } from 'kysely'
import type { RecordPurpose } from '#contract/domains.ts'
import type { Db } from '#server/storage/database.ts'
import type { DomainRecordsTable } from '#server/storage/rows/domain-tables.ts'
import type { DomainKeyRow } from './domains-store.ts'

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
    | 'verifiedAt'
    | 'unansweredSince'
    | 'failures'
    | 'failedAt'
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

/** RSA always; the second key while its record is right. */
export const readSigningKeys = (db: Db, domainId: string): Promise<DomainKeyRow[]> =>
  db
    .selectFrom('domainKeys')
    .selectAll()
    .where('domainId', '=', domainId)
    .where((is) =>
      is.or([
        is('algorithm', '=', 'rsa'),
        is.exists(
          is
            .selectFrom('domainRecords')
            .select('domainRecords.domainId')
            .where('domainRecords.domainId', '=', domainId)
            .where('purpose', '=', 'dkim-ed25519')
            .where('state', '=', 'verified'),
        ),
      ]),
    )
    .orderBy('createdAt')
    .execute()
