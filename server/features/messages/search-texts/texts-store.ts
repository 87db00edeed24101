import { sql } from 'kysely'
import { folderRows } from '#server/features/mailboxes/folder-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import type { Db } from '#server/storage/database.ts'

/**
 * Of one statement, which may pass them by one message. Hostile text takes the database seconds for each 100 kB, and meanwhile
 * nobody else writes what the statement has locked: a search before it would not find that mail.
 */
const MOST_BYTES = 500_000

/**
 * Writes the texts of messages that wait for it, at most `limit`, in the order of their filing; of all mailboxes, or of one.
 * It waits for no lock: what is deleted or moved to another workspace just now is left for the next time.
 * @returns how many were taken from those that wait.
 */
export const writeTexts = async (
  db: Db,
  limit: number,
  mailbox?: { workspaceId: string; mailboxId: string },
): Promise<number> => {
  const ofMailbox =
    mailbox === undefined
      ? sql``
      : sql`where workspace_id = ${mailbox.workspaceId} and mailbox_id = ${mailbox.mailboxId}`
  const { rows } = await sql<{ count: number }>`
    with next as (
      select first.mailbox_id, first.message_id,
        sum(octet_length(m.search_text)) over (order by first.message_id rows unbounded preceding exclude current row) as bytes_before
      from (
        select mailbox_id, message_id from texts_to_write ${ofMailbox} order by message_id limit ${limit}
      ) as first left join messages m on m.id = first.message_id
    ), waiting as (
      select texts_to_write.mailbox_id, texts_to_write.message_id
      from next join texts_to_write using (mailbox_id, message_id)
      where coalesce(next.bytes_before, 0) < ${MOST_BYTES} for update of texts_to_write skip locked
    ), open as (
      select m as message, m.id, m.folder_id
      from waiting
      join messages m on m.id = waiting.message_id
      join ${mailboxRows(db)} box on box.id = m.mailbox_id
      for key share of m, box skip locked
    ), written as (
      insert into message_texts
      select (text_of(message, coalesce(folders.role = 'sent', false))).*
      from open left join ${folderRows(db)} folders on folders.id = open.folder_id
      on conflict do nothing
    ), taken as (
      delete from texts_to_write using waiting
      where texts_to_write.mailbox_id = waiting.mailbox_id and texts_to_write.message_id = waiting.message_id
        and (waiting.message_id in (select id from open)
          or not exists (select from messages where messages.id = waiting.message_id))
      returning 1
    )
    select count(*)::int as count from taken`.execute(db)
  return rows[0]?.count ?? 0
}

/** Of those that wait, in the order of `writeTexts`. @returns its id */
export const leaveFirstOut = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ messageId: string }>`
    delete from texts_to_write where message_id = (select message_id from texts_to_write order by message_id limit 1)
    returning message_id`.execute(db)
  return rows[0]?.messageId
}

/** Whether texts of this mailbox wait. */
export const areTextsWaiting = async (
  db: Db,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string },
): Promise<boolean> =>
  (await db
    .selectFrom('textsToWrite')
    .select('messageId')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .limit(1)
    .executeTakeFirst()) !== undefined
