import { type Kysely, sql } from 'kysely'

/**
 * Makes filing a mail faster. `translate` compared each letter with each sign, which took half of the time. A row trigger needs
 * no transition table. Generic plans are kept: PostgreSQL planned anew for each mail, because it assumes ten ancestors when it
 * does not know their number.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create or replace function words_of(given text) returns text language sql immutable parallel safe as $$
    select regexp_replace(given, '[-@._/:<>()\\[\\]{}&+=%?#~\\\\*|"'',;!]+', ' ', 'g')
  $$`,
  'drop trigger messages_texts on messages',
  'drop trigger messages_added on messages',
  'drop function note_texts',
  'drop function note_added',
  `create function note_filed() returns trigger language plpgsql
  set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  declare
    sender text := people_of(new."from");
    recipients text := left(people_of(new."to" || new.cc || new.bcc), 20000);
    body text := new.search_text;
    was_day date;
    now_day date;
  begin
    -- To count letters takes longer than to count bytes.
    if octet_length(body) > 100000 then
      body := left(body, 100000);
    end if;
    insert into message_texts (message_id, workspace_id, mailbox_id, search, head, sent_subject, date)
    values (new.id, new.workspace_id, new.mailbox_id,
      setweight(to_tsvector('simple', words_of(new.subject)), 'A')
        || setweight(to_tsvector('simple', words_of(sender)), 'B')
        || setweight(to_tsvector('simple', words_of(recipients)), 'C')
        || to_tsvector('simple', words_of(body)),
      left(lower(concat_ws(' ', new.subject, sender, recipients)), 2000),
      (select base_subject(new.subject) from folders where folders.id = new.folder_id and folders.role = 'sent'),
      new.date);
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
  'create trigger messages_filed after insert on messages for each row execute function note_filed()',
  'alter function join_thread set plan_cache_mode = force_generic_plan',
]
