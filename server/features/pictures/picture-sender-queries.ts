import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { type Move, moveByMailbox } from '#server/storage/move-rows.ts'
import type { PictureSendersTable } from '#server/storage/rows/mailbox-tables.ts'

export type PictureSenderRow = Selectable<PictureSendersTable>

export const readPictureSenders = (
  db: Db,
  workspaceId: string,
  mailboxId: string,
): Promise<PictureSenderRow[]> =>
  db
    .selectFrom('pictureSenders')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .orderBy('address')
    .execute()

/** Returns the existing row if there is one. */
export const insertPictureSender = (
  db: Db,
  sender: Insertable<PictureSendersTable>,
): Promise<PictureSenderRow> =>
  db
    .insertInto('pictureSenders')
    .values(sender)
    .onConflict((conflict) =>
      conflict
        .constraint('picture_senders_mailbox_id_address_key')
        .doUpdateSet({ address: sql.ref('excluded.address') }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

/** false when there was none. */
export const deletePictureSender = async (
  db: Db,
  { workspaceId, mailboxId, id }: Pick<PictureSenderRow, 'workspaceId' | 'mailboxId' | 'id'>,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('pictureSenders')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const movePictureRows = (db: Db, move: Move): Promise<void> =>
  moveByMailbox(db, move, ['picture_senders'])
