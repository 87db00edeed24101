import type { Selectable } from 'kysely'
import { type SqlBool, sql } from 'kysely'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import type { AccessEntriesTable } from '#server/storage/rows/access-tables.ts'

export type EntryRow = Selectable<AccessEntriesTable>

export const insertEntry = async (db: Db, entry: EntryRow): Promise<void> => {
  await db.insertInto('accessEntries').values(entry).execute()
}

/** Newest first; of all mailboxes when none is named. */
export const readEntries = (
  db: Db,
  workspaceId: string,
  mailboxId: string | null,
  { limit, after }: { limit: number; after: PagePosition | null },
): Promise<EntryRow[]> => {
  let query = db.selectFrom('accessEntries').selectAll().where('workspaceId', '=', workspaceId)
  if (mailboxId !== null) query = query.where('mailboxId', '=', mailboxId)
  if (after) query = query.where(sql<SqlBool>`(at, id) < (${after.at}, ${after.id}::uuid)`)
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}
