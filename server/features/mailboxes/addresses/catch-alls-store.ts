/** The catch-alls of domains in the database. */
import type { Db } from '#server/storage/database.ts'
import type { CatchAllsTable } from '#server/storage/rows/mailbox-tables.ts'

/** Neither is deleted or leaves the workspace until the transaction ends. */
export const holdDomain = (db: Db, workspaceId: string, id: string) =>
  db
    .selectFrom('domains')
    .select(['id', 'name', 'isVerified'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()

export const holdMailbox = (db: Db, workspaceId: string, id: string) =>
  db
    .selectFrom('mailboxes')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()

export const putCatchAll = async (db: Db, catchAll: CatchAllsTable): Promise<void> => {
  const { mailboxId } = catchAll
  await db
    .insertInto('catchAlls')
    .values(catchAll)
    .onConflict((conflict) => conflict.column('domainId').doUpdateSet({ mailboxId }))
    .execute()
}

export const deleteCatchAll = async (
  db: Db,
  workspaceId: string,
  domainId: string,
): Promise<void> => {
  await db
    .deleteFrom('catchAlls')
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', domainId)
    .execute()
}
