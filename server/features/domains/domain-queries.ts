/** Domains and their keys: for this room, and for those that check, prove, use and move domains. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { type Move, moveByDomain } from '#server/storage/move-rows.ts'
import type { DomainKeysTable, DomainsTable } from '#server/storage/rows/domain-tables.ts'

export type DomainRow = Selectable<DomainsTable>
export type NewDomain = Insertable<DomainsTable>
export type DomainKeyRow = Selectable<DomainKeysTable>

export const domainRows = (db: Db) =>
  db
    .selectFrom('domains')
    .select(['id', 'workspaceId', 'name', 'isVerified', 'isActive', 'ownershipToken'])
    .select(['sendingStoppedAt', 'createdAt', 'endsAt', 'deletedBy', 'mailboxLimit'])

/** Returns false when the workspace already has a domain of that name. */
export const insertDomain = async (db: Db, domain: NewDomain): Promise<boolean> => {
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

/** Not one that was deleted. */
export const readDomain = (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<DomainRow | undefined> => oneDomain(db, workspaceId, id).executeTakeFirst()

/** Locks the domain against other changes until the transaction ends. */
export const lockDomain = (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<DomainRow | undefined> =>
  oneDomain(db, workspaceId, id).forNoKeyUpdate().executeTakeFirst()

/** Like `lockDomain`; also no mailbox or alias can be added to it. */
export const lockWholeDomain = (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<DomainRow | undefined> => oneDomain(db, workspaceId, id).forUpdate().executeTakeFirst()

/** Prevents deletion and moves to another workspace until the transaction ends. */
export const holdDomain = (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<DomainRow | undefined> => oneDomain(db, workspaceId, id).forKeyShare().executeTakeFirst()

const oneDomain = (db: Db, workspaceId: string, id: string) =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .where('endsAt', 'is', null)

/** Like `lockDomain` for the workspace's domains of these names, in the order of their ids. */
export const lockDomains = (db: Db, workspaceId: string, names: string[]): Promise<DomainRow[]> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .where('endsAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Like `lockDomain` for those of these domains that the workspace has, in the order of their ids. */
export const lockDomainsById = (
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<DomainRow[]> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** The domains of one name in all workspaces. */
export const readNamesakes = (db: Db, name: string): Promise<DomainRow[]> =>
  namesakes(db, name).execute()

/** Until the transaction ends the name cannot be proven, released, claimed or deleted. */
export const lockNamesakes = (db: Db, name: string): Promise<DomainRow[]> =>
  namesakes(db, name).forNoKeyUpdate().execute()

const namesakes = (db: Db, name: string) =>
  db.selectFrom('domains').selectAll().where('name', '=', name).orderBy('id')

export const setSendingStopped = async (db: Db, id: string, at: Date | null): Promise<void> => {
  await db.updateTable('domains').set({ sendingStoppedAt: at }).where('id', '=', id).execute()
}

export const setMailboxLimit = async (db: Db, id: string, limit: number | null): Promise<void> => {
  await db.updateTable('domains').set({ mailboxLimit: limit }).where('id', '=', id).execute()
}

export const hasDomainNamed = async (db: Db, workspaceId: string, name: string): Promise<boolean> =>
  (await domainRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('name', '=', name)
    .executeTakeFirst()) !== undefined

/** The workspace's domains of these names, also deleted ones. */
export const domainsNamed = (
  db: Db,
  workspaceId: string,
  names: string[],
): Promise<{ id: string; name: string; endsAt: Date | null }[]> =>
  domainRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .execute()

/** Those of these domains that the workspace has, by name. */
export const namesOfDomains = (
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> =>
  domainRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('endsAt', 'is', null)
    .orderBy('name')
    .execute()

/** Which of these names are proven domains of this workspace. */
export const ownNames = async (db: Db, workspaceId: string, names: string[]): Promise<string[]> => {
  const rows = await domainRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .where('isVerified', '=', true)
    .execute()
  return rows.map(({ name }) => name)
}

/** The domain that holds the name: at most one in the installation. */
export const readHolder = (db: Db, name: string): Promise<DomainRow | undefined> =>
  db
    .selectFrom('verifiedDomains')
    .innerJoin('domains', (domain) =>
      domain
        .onRef('domains.id', '=', 'verifiedDomains.domainId')
        .onRef('domains.workspaceId', '=', 'verifiedDomains.workspaceId'),
    )
    .selectAll('domains')
    .where('verifiedDomains.name', '=', name)
    .executeTakeFirst()

/** @throws when another workspace holds the name; see `isHeldError`. */
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
  error instanceof Error &&
  'constraint' in error &&
  (error.constraint === 'verified_domains_pkey' || error.constraint === 'domains_holder')

/** Deletes the domain and its dependent rows. The caller has locked its mailboxes and their aliases. */
export const removeDomain = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('domains')
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Moves the domain with its records, settings and keys. Rows that depend on its mailboxes must have moved before. */
export const moveDomainRows = async (db: Db, move: Move): Promise<void> => {
  await moveByDomain(db, move, ['domain_records', 'domain_settings', 'domain_keys'])
  await updateDomain(db, { id: move.domainId, workspaceId: move.from }, { workspaceId: move.to })
}
