import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { WorkspaceExportsTable } from '#server/storage/rows/workspace-tables.ts'

export type ExportRow = Selectable<WorkspaceExportsTable>

/** undefined: another one of the workspace is under way. */
export const insertExport = (
  db: Db,
  row: Insertable<WorkspaceExportsTable>,
): Promise<ExportRow | undefined> =>
  db
    .insertInto('workspaceExports')
    .values(row)
    .onConflict((conflict) =>
      // As parameters they would be unknown to a plan that is kept, which then finds no index.
      conflict
        .column('workspaceId')
        .where(sql<SqlBool>`state in ('waiting', 'running')`)
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()

/** Newest first. */
export const readExports = (db: Db, workspaceId: string): Promise<ExportRow[]> =>
  db
    .selectFrom('workspaceExports')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** false: it has gone, or belongs to another worker by now. */
export const changeExport = async (
  db: Db,
  { workspaceId, id, tries }: Pick<ExportRow, 'workspaceId' | 'id' | 'tries'>,
  change: Updateable<WorkspaceExportsTable>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('workspaceExports')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('tries', '=', tries)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const deleteExport = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('workspaceExports')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** @returns their ids */
export const deleteExportsOf = async (db: Db, workspaceId: string): Promise<string[]> => {
  const rows = await db
    .deleteFrom('workspaceExports')
    .where('workspaceId', '=', workspaceId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** One file of a workspace is kept: the newest. @returns their ids */
export const deleteOthers = async (
  db: Db,
  { workspaceId, id }: Pick<ExportRow, 'workspaceId' | 'id'>,
): Promise<string[]> => {
  const rows = await db
    .deleteFrom('workspaceExports')
    .where('workspaceId', '=', workspaceId)
    .where('id', '!=', id)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/**
 * The one that waits longest, or that a worker left. A lease that ends long after `claimedUntil` was written before the clock was
 * set back: a minute later may be one that another worker renewed just now.
 */
export const claimExport = async (
  db: Db,
  now: Date,
  claimedUntil: Date,
): Promise<ExportRow | undefined> => {
  const { rows } = await sql<ExportRow>`
    update workspace_exports set state = 'running', tries = tries + 1, written = 0, claimed_until = ${claimedUntil}
    where id = (select id from workspace_exports where state in ('waiting', 'running')
      and (claimed_until is null or claimed_until <= ${now} or claimed_until > ${claimedUntil}::timestamptz + interval '1 minute')
      order by created_at limit 1 for update skip locked)
    returning *`.execute(db)
  return rows[0]
}

/** By a link that has not run out. It works once. */
export const spendLink = (db: Db, tokenHash: Buffer, now: Date): Promise<ExportRow | undefined> =>
  db
    .updateTable('workspaceExports')
    .set({ tokenHash: null, tokenExpiresAt: null })
    .where('tokenHash', '=', tokenHash)
    .where('tokenExpiresAt', '>', now)
    .where('state', '=', 'done')
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()

/** @returns their ids */
export const deleteExpired = async (db: Db, now: Date): Promise<string[]> => {
  const rows = await db
    .deleteFrom('workspaceExports')
    .where('expiresAt', '<=', now)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Of these ids, those that have a row. */
export const knownExports = async (db: Db, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('workspaceExports')
    .select('id')
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
