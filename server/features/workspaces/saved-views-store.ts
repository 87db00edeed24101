import type { Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { SavedViewsTable } from '#server/storage/rows/workspace-tables.ts'

export type SavedViewRow = Selectable<SavedViewsTable>

type Member = { workspaceId: string; userId: string }

/** Oldest first. */
export const findViews = (db: Db, { workspaceId, userId }: Member): Promise<SavedViewRow[]> =>
  db
    .selectFrom('savedViews')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const insertView = (db: Db, view: SavedViewRow): Promise<SavedViewRow> =>
  db.insertInto('savedViews').values(view).returningAll().executeTakeFirstOrThrow()

/** undefined: the member has no such view. @throws on the unique index of names; see `isSameName`. */
export const updateView = (
  db: Db,
  { workspaceId, userId }: Member,
  id: string,
  change: Partial<Pick<SavedViewRow, 'name' | 'query'>>,
): Promise<SavedViewRow | undefined> =>
  db
    .updateTable('savedViews')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const isSameName = (error: unknown): boolean =>
  error instanceof Error &&
  'constraint' in error &&
  error.constraint === 'saved_views_workspace_id_user_id_list_name_key'

export const deleteViewRow = async (
  db: Db,
  { workspaceId, userId }: Member,
  id: string,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('savedViews')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
