import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { SendsTable } from '#server/storage/rows/sending-tables.ts'

export type SendRow = Selectable<SendsTable>
type Place = { workspaceId: string; mailboxId: string }

/** @returns false when the key exists. Waits for a concurrent transaction with the same key. */
export const insertSend = async (db: Db, send: Insertable<SendsTable>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sends')
    .values(send)
    .onConflict((conflict) => conflict.constraint('sends_pkey').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

const sendOf = (db: Db, { workspaceId, mailboxId }: Place, key: string) =>
  db
    .selectFrom('sends')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('key', '=', key)

export const findSend = (db: Db, place: Place, key: string): Promise<SendRow | undefined> =>
  sendOf(db, place, key).executeTakeFirst()

export const lockSend = (db: Db, place: Place, key: string): Promise<SendRow | undefined> =>
  sendOf(db, place, key).forUpdate().executeTakeFirst()

export const changeSend = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  key: string,
  change: Updateable<SendsTable>,
): Promise<void> => {
  await db
    .updateTable('sends')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('key', '=', key)
    .execute()
}

export const deleteSends = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('sends').where('createdAt', '<', before).execute()
}
