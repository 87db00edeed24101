import { sql } from 'kysely'
import { folderRows } from '#server/features/mailboxes/folder-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import type { Db } from '#server/storage/database.ts'

export type MailboxPlace = { workspaceId: string; mailboxId: string }

/**
 * Of one statement, which may pass them by one message. Hostile text takes the database seconds for each 100 kB, and meanwhile
 * nobody else writes what the statement has locked: a search before it would not find that mail.
 */
const MOST_BYTES = 500_000

/**
 * The messages whose texts wait, in the order of their filing: at most `limit`, and about MOST_BYTES of text; of all mailboxes, or
 * of one.
 */
export const waitingTexts = async (
  db: Db,
  limit: number,
  mailbox?: MailboxPlace,
): Promise<string[]> => {
  const ofMailbox =
    mailbox === undefined
      ? sql``
      : sql`where workspace_id = ${mailbox.workspaceId} and mailbox_id = ${mailbox.mailboxId}`
  const { rows } = await sql<{ id: string }>`
    select id from (
      select first.message_id as id,
        sum(octet_length(m.search_text)) over (order by first.message_id rows unbounded preceding exclude current row) as bytes_before
      from (select message_id from texts_to_write ${ofMailbox} order by message_id limit ${limit}) as first
      left join messages m on m.id = first.message_id
    ) as next where coalesce(bytes_before, 0) < ${MOST_BYTES} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Writes the texts of these messages, if they still wait. It waits for no lock: what is deleted or moved to another workspace
 * just now is left for the next time. @returns how many no longer wait.
 */
export const writeTexts = async (db: Db, ids: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with waiting as (
      select message_id from texts_to_write where message_id = any(${ids}::uuid[]) for update skip locked
    ), open as (
      select m as message, m.id, m.folder_id
      from waiting
      join messages m on m.id = waiting.message_id
      join ${mailboxRows(db)} box on box.id = m.mailbox_id
      for key share of m, box skip locked
    ), written as (
      insert into message_texts
      select text.*
      from open left join ${folderRows(db)} folders on folders.id = open.folder_id
      -- Here and not in the list of columns, where it would be called for each of them.
      cross join lateral text_of(message, coalesce(folders.role = 'sent', false)) as text
      on conflict do nothing
    ), taken as (
      delete from texts_to_write using waiting
      where texts_to_write.message_id = waiting.message_id
        and (waiting.message_id in (select id from open)
          or not exists (select from messages where messages.id = waiting.message_id))
      returning 1
    )
    select count(*)::int as count from taken`.execute(db)
  return rows[0]?.count ?? 0
}

/** @returns how many no longer wait: 1, or 0 when another process was faster. */
export const leaveOut = async (db: Db, id: string): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('textsToWrite')
    .where('messageId', '=', id)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
