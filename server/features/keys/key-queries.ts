/** For later rooms: lists and ends keys. */
import { userRows } from '#server/features/accounts/user-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'

/** The caller tells the event streams. @returns those that ended. */
export const endKeysBy = (
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<{ id: string }[]> =>
  db
    .deleteFrom('apiKeys')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .returning('id')
    .execute()

/** Without the secret. */
export const apiKeyRows = (db: Db) => db.selectFrom('apiKeys').select(['id', 'workspaceId', 'name'])

/** Of a workspace, newest first, each with the address of its maker; without the secret. */
export const keyRows = (db: Db, workspaceId: string) =>
  db
    .selectFrom('apiKeys')
    .innerJoin(userRows(db).as('person'), 'person.id', 'apiKeys.userId')
    .select(['apiKeys.id', 'apiKeys.kind', 'apiKeys.name', 'apiKeys.scopes', 'person.email'])
    .select(['apiKeys.createdAt', 'apiKeys.expiresAt', 'apiKeys.lastUsedAt', 'apiKeys.lastUsedIp'])
    .where('apiKeys.workspaceId', '=', workspaceId)
    .orderBy('apiKeys.createdAt', 'desc')

/** @returns its name; null when the workspace has no such key. */
export const removeKey = async (
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<string | null> => {
  const row = await db
    .deleteFrom('apiKeys')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name ?? null
}

export const announceKeysEnded = (db: Db): Promise<void> => announceSessionsEnded(db)
