import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { type Move, moveByMailbox } from '#server/storage/move-rows.ts'
import type { UnsubscriptionsTable } from '#server/storage/rows/mailbox-tables.ts'

export type ListPlace = { workspaceId: string; mailboxId: string; list: string }

/** null: the mailbox did not leave this list. */
export const readUnsubscribedAt = async (db: Db, place: ListPlace): Promise<Date | null> => {
  const row = await db
    .selectFrom('unsubscriptions')
    .select('createdAt')
    .where('workspaceId', '=', place.workspaceId)
    .where('mailboxId', '=', place.mailboxId)
    .where('list', '=', place.list)
    .executeTakeFirst()
  return row?.createdAt ?? null
}

/** The newest time counts. */
export const storeUnsubscription = async (
  db: Db,
  row: Insertable<UnsubscriptionsTable>,
): Promise<void> => {
  await db
    .insertInto('unsubscriptions')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .constraint('unsubscriptions_mailbox_id_list_key')
        .doUpdateSet({ createdAt: sql.ref('excluded.created_at') }),
    )
    .execute()
}

export const moveUnsubscribingRows = (db: Db, move: Move): Promise<void> =>
  moveByMailbox(db, move, ['unsubscriptions'])
