import { sql } from 'kysely'
import type { Database } from '#server/storage/database.ts'

/** Counters that differ from the stored messages; empty when all are right. */
export const wrongCounts = async (db: Database, mailboxId: string): Promise<unknown[]> => {
  const folders = sql`
    select f.id::text, f.message_count, f.unread_count, f.uid_next > coalesce(max(m.uid), 0) as is_beyond,
      count(m.id) as there, count(m.id) filter (where not m.is_read) as unread,
      count(distinct m.uid) as uids, coalesce(max(m.modseq), 0) <= f.highest_modseq as is_newest
    from folders f left join messages m on m.folder_id = f.id
    where f.mailbox_id = ${mailboxId} group by f.id, f.workspace_id
    having f.message_count <> count(m.id) or f.unread_count <> count(m.id) filter (where not m.is_read)
      or count(distinct m.uid) <> count(m.id) or f.uid_next <= coalesce(max(m.uid), 0)
      or coalesce(max(m.modseq), 0) > f.highest_modseq`
  const conversations = sql`
    select * from (
      select folder_id, thread_id, latest_id, date, messages::bigint, unread::bigint, starred::bigint
      from conversations where mailbox_id = ${mailboxId}
    ) as kept
    full join (
      select distinct on (folder_id, thread_id) folder_id, thread_id, id as latest_id, date,
        count(*) over thread as messages, count(*) filter (where not is_read) over thread as unread,
        count(*) filter (where is_starred) over thread as starred
      from messages where mailbox_id = ${mailboxId}
      window thread as (partition by folder_id, thread_id)
      order by folder_id, thread_id, date desc, id desc
    ) as there on (kept.*) = (there.*)
    where kept.folder_id is null or there.folder_id is null`
  const days = sql`
    select * from (
      select folder_id, day, conversations::bigint from folder_days
      where conversations <> 0 and folder_id in (select id from folders where mailbox_id = ${mailboxId})
    ) as kept
    full join (
      select folder_id, (date at time zone 'UTC')::date as day, count(*) as conversations
      from conversations where mailbox_id = ${mailboxId} group by 1, 2
    ) as there on (kept.*) = (there.*)
    where kept.folder_id is null or there.folder_id is null`
  const used = sql`
    select used_bytes, (select coalesce(sum(size_bytes), 0) from messages where mailbox_id = ${mailboxId}) as there
    from mailboxes where id = ${mailboxId}
      and used_bytes <> (select coalesce(sum(size_bytes), 0) from messages where mailbox_id = ${mailboxId})`
  const found = await Promise.all(
    [folders, conversations, days, used].map((query) => query.execute(db)),
  )
  return found.flatMap(({ rows }) => rows)
}
