/** Domains and their keys in the database. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { DomainKeysTable, DomainsTable } from '#server/storage/rows/domain-tables.ts'

export type DomainRow = Selectable<DomainsTable>
export type DomainKeyRow = Selectable<DomainKeysTable>

export type ListedDomain = DomainRow & {
  requiredRecords: number
  verifiedRecords: number
  failedRecords: number
  mailboxes: number
  catchAllId: string | null
  catchAllEmail: string | null
}

/** false when the workspace has a domain of that name already. */
export const insertDomain = async (db: Db, domain: Insertable<DomainsTable>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('domains')
    .values(domain)
    .onConflict((conflict) => conflict.columns(['workspaceId', 'name']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const insertKey = async (db: Db, key: Insertable<DomainKeysTable>): Promise<void> => {
  await db.insertInto('domainKeys').values(key).execute()
}

export const readKeys = (db: Db, domainId: string): Promise<DomainKeyRow[]> =>
  db
    .selectFrom('domainKeys')
    .selectAll()
    .where('domainId', '=', domainId)
    .orderBy('createdAt')
    .execute()

/** Newest first, each with its counts; one query however many there are. */
export const readDomainList = (
  db: Db,
  workspaceId: string,
  id: string | null = null,
): Promise<ListedDomain[]> => {
  const query = db
    .selectFrom('domains')
    .leftJoin(
      (records) =>
        records
          .selectFrom('domainRecords')
          .select([
            'domainId',
            sql<number>`count(*)`.as('required'),
            sql<number>`count(*) filter (where state = 'verified')`.as('verified'),
            sql<number>`count(*) filter (where state in ('different', 'conflict'))`.as('failed'),
          ])
          .where('workspaceId', '=', workspaceId)
          .where('isRequired', '=', true)
          .groupBy('domainId')
          .as('counts'),
      (join) => join.onRef('counts.domainId', '=', 'domains.id'),
    )
    .leftJoin('catchAlls', 'catchAlls.domainId', 'domains.id')
    .leftJoin('mailboxes as catchAll', (join) =>
      join
        .onRef('catchAll.id', '=', 'catchAlls.mailboxId')
        .onRef('catchAll.workspaceId', '=', 'domains.workspaceId'),
    )
    .selectAll('domains')
    .select(['catchAll.id as catchAllId', 'catchAll.email as catchAllEmail'])
    .select(({ fn, val }) => [
      fn.coalesce('counts.required', val(0)).as('requiredRecords'),
      fn.coalesce('counts.verified', val(0)).as('verifiedRecords'),
      fn.coalesce('counts.failed', val(0)).as('failedRecords'),
    ])
    .select((of) =>
      of
        .selectFrom('mailboxes')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('mailboxes.domainId', '=', 'domains.id')
        .$asScalar()
        .$notNull()
        .as('mailboxes'),
    )
    .where('domains.workspaceId', '=', workspaceId)
    .orderBy('domains.createdAt', 'desc')
    .orderBy('domains.id', 'desc')
  return (id === null ? query : query.where('domains.id', '=', id)).execute()
}

export const readDomain = (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<DomainRow | undefined> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()

/** Makes everything else that changes this domain wait, until the transaction ends. */
export const lockDomain = (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<DomainRow | undefined> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** The domain that holds the name: at most one in the installation. */
export const readHolder = (db: Db, name: string): Promise<DomainRow | undefined> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('name', '=', name)
    .where('isVerified', '=', true)
    .executeTakeFirst()

/** @throws on the unique index domains_holder when another workspace holds the name; see `isHeldError`. */
export const updateDomain = async (
  db: Db,
  { id, workspaceId }: Pick<DomainRow, 'id' | 'workspaceId'>,
  change: Updateable<DomainsTable>,
): Promise<void> => {
  await db
    .updateTable('domains')
    .set(change)
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .execute()
}

export const isHeldError = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'domains_holder'

/**
 * Its mailboxes go with it, and all aliases on it or of them. Whoever deletes mailboxes locks them and then their aliases
 * in the order of their ids, so that nobody waits in a circle.
 */
export const removeDomain = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const mailboxes = db.selectFrom('mailboxes').select('id').where('domainId', '=', id)
  await mailboxes.orderBy('id').forUpdate().execute()
  await db
    .selectFrom('aliases')
    .select('id')
    .where(({ or, eb }) => or([eb('domainId', '=', id), eb('mailboxId', 'in', mailboxes)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  const { numDeletedRows } = await db
    .deleteFrom('domains')
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
