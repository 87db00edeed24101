/** Reads `conversations` and `folder_days`, which triggers maintain (decision 025). */
import { type RawBuilder, sql } from 'kysely'
import type { Person } from '#contract/messages.ts'
import { folderRows } from '#server/features/mailboxes/folder-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { type SummaryRow, summaryOfM } from './message-queries.ts'
import type { FolderPlace } from './structures/structures-store.ts'

export type ConversationRow = SummaryRow & {
  threadId: string
  unread: number
  starred: number
  messages: number
  people: (Person | null)[]
  opensId: string | null
}

const MAX_PEOPLE = 5

/** The number of conversations in the folder, and the day that contains position `from`. */
const daysOf = async (db: Db, folderId: string, from: number) => {
  const { rows } = await sql<{ total: number; day: string | null; before: number | null }>`
    with days as (
      select day, sum(conversations) over (order by day desc) - conversations as before
      from folder_days where folder_id = ${folderId}
    )
    select (select coalesce(sum(conversations), 0) from folder_days where folder_id = ${folderId})::int as total,
      start.day::text, start.before::int
    from (select 1) as one
    left join lateral (
      select day, before from days where before <= ${from} order by before desc, day limit 1
    ) as start on true`.execute(db)
  return rows[0] ?? { total: 0, day: null, before: null }
}

/** Latest first, from any position; conversations of earlier days are counted by `folder_days`, not read. */
export const conversationRows = async (
  db: Db,
  place: FolderPlace,
  { from, limit }: { from: number; limit: number },
): Promise<{ rows: ConversationRow[]; total: number }> => {
  const { total, day, before } = await daysOf(db, place.folderId, from)
  if (day === null || before === null || from >= total) return { rows: [], total }
  const page = sql`
        and date < ((${day}::date + 1)::timestamp at time zone 'UTC')
      order by date desc, latest_id desc
      offset ${from - before} limit ${limit}`
  return { rows: await rowsOf(db, place, page), total }
}

/** Those of the threads that are in the folder, latest first. */
export const conversationsOf = (
  db: Db,
  place: FolderPlace,
  threadIds: readonly string[],
): Promise<ConversationRow[]> => rowsOf(db, place, sql`and thread_id = any(${threadIds}::uuid[])`)

/** `which`: the rest of a query of `conversations`. */
const rowsOf = async (
  db: Db,
  { workspaceId, mailboxId, folderId }: FolderPlace,
  which: RawBuilder<unknown>,
): Promise<ConversationRow[]> => {
  const { rows } = await sql<ConversationRow>`
    with page as (
      select thread_id, latest_id, unread, starred, date from conversations
      where workspace_id = ${workspaceId} and folder_id = ${folderId} ${which}
    )
    select ${summaryOfM}, page.thread_id, page.unread, page.starred, whole.messages,
      coalesce(case when whole.messages > 1 then (
        select jsonb_agg(each."from") from (
          select "from" from messages
          where mailbox_id = ${mailboxId} and thread_id = page.thread_id
          order by date desc, id desc limit 30
        ) as each
      ) end, '[]') as people,
      case when page.unread > 0 and whole.messages > 1 then (
        select each.id from messages each
        where each.mailbox_id = ${mailboxId} and each.thread_id = page.thread_id and each.folder_id = ${folderId}
          and not each.is_read
        order by each.date, each.id limit 1
      ) end as opens_id
    from page
    join messages m on m.id = page.latest_id and m.workspace_id = ${workspaceId}
    cross join lateral (
      select sum(c.messages)::int as messages from conversations c
      join ${folderRows(db)} f on f.id = c.folder_id and f.workspace_id = c.workspace_id
      where c.mailbox_id = ${mailboxId} and c.thread_id = page.thread_id
        and (c.folder_id = ${folderId} or f.role is null or f.role not in ('trash', 'junk'))
    ) as whole
    order by page.date desc, page.latest_id desc`.execute(db)
  return rows
}

/** Each person once, latest first. */
export const namesOf = (people: readonly (Person | null)[]): Person[] => {
  const known = new Map<string, Person>()
  for (const person of people)
    if (person && !known.has(person.address.toLowerCase()))
      known.set(person.address.toLowerCase(), person)
  return [...known.values()].slice(0, MAX_PEOPLE)
}

export type ConversationMessageRow = SummaryRow & { threadId: string }

/** The latest messages of a thread, oldest first, without Trash, Junk and Drafts, unless `messageId` is there. */
export const messagesOfThread = async (
  db: Db,
  place: { workspaceId: string; mailboxId: string; messageId: string },
  limit: number,
): Promise<ConversationMessageRow[]> => {
  const { workspaceId, mailboxId, messageId } = place
  const { rows } = await sql<ConversationMessageRow>`
    select ${summaryOfM}, m.thread_id
    from messages asked
    join messages m on m.mailbox_id = asked.mailbox_id and m.thread_id = asked.thread_id
      and m.workspace_id = asked.workspace_id
    join ${folderRows(db)} f on f.id = m.folder_id and f.workspace_id = m.workspace_id
    where asked.workspace_id = ${workspaceId} and asked.mailbox_id = ${mailboxId} and asked.id = ${messageId}
      and (m.folder_id = asked.folder_id or f.role is null or f.role not in ('trash', 'junk', 'drafts'))
    order by m.date desc, m.id desc limit ${limit}`.execute(db)
  return rows.toReversed()
}
