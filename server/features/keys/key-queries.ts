/** For later rooms: ends the keys of a member. */
import type { Db } from '#server/storage/database.ts'

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
