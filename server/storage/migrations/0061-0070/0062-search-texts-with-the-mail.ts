import { type Kysely, sql } from 'kysely'

/**
 * The searched text of a mail is made where the mail is parsed and stored with it (decision 095): PostgreSQL took three times as long, and
 * ten times for a text with accents. What still waited for its text gets it here.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `insert into message_texts
    select text.* from texts_to_write waiting
    join messages m on m.id = waiting.message_id
    join folders on folders.id = m.folder_id
    cross join lateral text_of(m, coalesce(folders.role = 'sent', false)) as text
    on conflict do nothing`,
  'drop table texts_to_write',
  `create or replace function note_filed() returns trigger language plpgsql
  set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  declare
    was_day date;
    now_day date;
  begin
    select (date at time zone 'UTC')::date into was_day
    from conversations where folder_id = new.folder_id and thread_id = new.thread_id;
    insert into conversations as was (folder_id, thread_id, workspace_id, mailbox_id, latest_id, date, messages, unread, starred)
    values (new.folder_id, new.thread_id, new.workspace_id, new.mailbox_id, new.id, new.date, 1,
      (not new.is_read)::int, new.is_starred::int)
    on conflict (folder_id, thread_id) do update set
      latest_id = case when (excluded.date, excluded.latest_id) > (was.date, was.latest_id) then excluded.latest_id else was.latest_id end,
      date = greatest(was.date, excluded.date), messages = was.messages + 1,
      unread = was.unread + excluded.unread, starred = was.starred + excluded.starred
    returning (date at time zone 'UTC')::date into now_day;
    if was_day is distinct from now_day then
      if was_day is not null then
        update folder_days set conversations = conversations - 1 where folder_id = new.folder_id and day = was_day;
      end if;
      insert into folder_days as before values (new.folder_id, now_day, 1)
      on conflict (folder_id, day) do update set conversations = before.conversations + 1;
    end if;
    return null;
  end $$`,
  'drop function text_of',
  'drop function search_of',
]
