/** When the Admins of a workspace were last mailed about its records. */
import type { Db } from '#server/storage/database.ts'

export const readMailedAt = async (db: Db, workspaceId: string): Promise<Date | null> => {
  const row = await db
    .selectFrom('domainAlerts')
    .select('mailedAt')
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()
  return row?.mailedAt ?? null
}

export const writeMailedAt = async (tx: Db, workspaceId: string, mailedAt: Date): Promise<void> => {
  await tx
    .insertInto('domainAlerts')
    .values({ workspaceId, mailedAt })
    .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet({ mailedAt }))
    .execute()
}
