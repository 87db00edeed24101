import { type Kysely, sql } from 'kysely'

/**
 * Filing a mail no longer writes its searched text, which took half of the database's time: a worker does, many at once. Sent mail is written at once, because answers without references find it by its subject.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Without a foreign key to messages: whoever takes the row looks for the message anyway, and filing is spared the check.
  `create table texts_to_write (
    mailbox_id uuid not null references mailboxes on delete cascade,
    message_id uuid primary key,
    workspace_id uuid not null
  )`,
  'create index texts_to_write_mailbox on texts_to_write (mailbox_id, message_id)',
  // Files have names only where a part is attached. The same for one message and for many.
  `create function text_of(m messages, is_sent boolean) returns message_texts language sql stable as $$
    select row(m.id, m.workspace_id, m.mailbox_id,
      search_of(m.subject, sender, recipients, body,
        case when m.has_attachments
          then file_words(file_names_of(m.subject, sender || ' ' || people_of(m."to" || m.cc), m.preview, body))
          else '' end),
      left(lower(fold_letters(concat_ws(' ', m.subject, sender, recipients))), 2000),
      case when is_sent then base_subject(m.subject) end,
      m.date)::message_texts
    from (select people_of(m."from") as sender, left(people_of(m."to" || m.cc || m.bcc), 20000) as recipients,
      -- To count letters takes longer than to count bytes.
      case when octet_length(m.search_text) > 100000 then left(m.search_text, 100000) else m.search_text end as body) as parts
  $$`,
  `create or replace function note_filed() returns trigger language plpgsql
  set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  declare
    was_day date;
    now_day date;
  begin
    if exists (select from folders where folders.id = new.folder_id and folders.role = 'sent') then
      insert into message_texts select (text_of(new, true)).*;
    else
      insert into texts_to_write (mailbox_id, message_id, workspace_id) values (new.mailbox_id, new.id, new.workspace_id)
      on conflict do nothing;
    end if;
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
]
