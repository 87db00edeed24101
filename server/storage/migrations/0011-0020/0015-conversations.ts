import { type Kysely, sql } from 'kysely'

/**
 * Tables for lists and searches, maintained by triggers so that every change of mail keeps them correct (decision 025):
 * `conversations` has a row for each thread in each folder; `folder_days` counts them per day, so that a list can jump to any
 * position; `message_texts` has the searched text, apart from flags and folders, which change.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...tables, ...functions, ...triggers, ...filling])
    await sql.raw(statement).execute(db)
}

/** Plans of functions are cached: a plan made while a table is empty would scan the whole table later. */
const BY_INDEX = 'set enable_seqscan = off'

const tables = [
  'create extension if not exists pg_trgm',
  'create extension if not exists btree_gin',
  `create table message_texts (
    message_id uuid primary key references messages on delete cascade,
    workspace_id uuid not null,
    mailbox_id uuid not null,
    search tsvector not null,
    head text not null,
    sent_subject text,
    date timestamptz not null
  )`,
  `create table conversations (
    folder_id uuid not null references folders on delete cascade,
    thread_id uuid not null,
    workspace_id uuid not null,
    mailbox_id uuid not null,
    latest_id uuid not null,
    date timestamptz not null,
    messages integer not null,
    unread integer not null,
    starred integer not null,
    primary key (folder_id, thread_id)
  )`,
  `create table folder_days (
    folder_id uuid not null references folders on delete cascade,
    day date not null,
    conversations integer not null,
    primary key (folder_id, day)
  )`,
  `create table bulk_changes (
    id uuid primary key,
    workspace_id uuid not null,
    mailbox_id uuid not null references mailboxes on delete cascade,
    at timestamptz not null,
    changed jsonb not null
  )`,
  'create index bulk_changes_mailbox on bulk_changes (mailbox_id, at)',
]

/** The case of a single new message: reads only its own conversation. */
const one = `
    if (select count(*) from added) = 1 then
      select * into mail from added;
      select (date at time zone 'UTC')::date into was_day
      from conversations where folder_id = mail.folder_id and thread_id = mail.thread_id;
      insert into conversations as was (folder_id, thread_id, workspace_id, mailbox_id, latest_id, date, messages, unread, starred)
      values (mail.folder_id, mail.thread_id, mail.workspace_id, mail.mailbox_id, mail.id, mail.date, 1,
        (not mail.is_read)::int, mail.is_starred::int)
      on conflict (folder_id, thread_id) do update set
        latest_id = case when (excluded.date, excluded.latest_id) > (was.date, was.latest_id) then excluded.latest_id else was.latest_id end,
        date = greatest(was.date, excluded.date), messages = was.messages + 1,
        unread = was.unread + excluded.unread, starred = was.starred + excluded.starred
      returning (date at time zone 'UTC')::date into now_day;
      if was_day is distinct from now_day then
        update folder_days set conversations = conversations - 1 where folder_id = mail.folder_id and day = was_day;
        insert into folder_days as before values (mail.folder_id, now_day, 1)
        on conflict (folder_id, day) do update set conversations = before.conversations + 1;
      end if;
      return null;
    end if;`

const functions = [
  `create function base_subject(subject text) returns text language sql immutable parallel safe as $$
    select left(regexp_replace(lower(subject), '^\\s*((re|aw|sv|vs|antw|ant|odp|res|ref|rif)(\\[[0-9]{1,3}\\])?\\s*[:：]\\s*){1,20}', ''), 200)
  $$`,
  // Punctuation becomes spaces, so that each part of an address, a name or a number is a searchable word.
  `create function words_of(given text) returns text language sql immutable parallel safe as $$
    select translate(given, '@._-/:<>()[]{}&+=%?#~\\*|"'',;!', '                              ')
  $$`,
  `create function people_of(people jsonb) returns text language sql immutable parallel safe as $$
    select coalesce(string_agg(concat_ws(' ', person ->> 'name', person ->> 'address'), ' '), '')
    from jsonb_array_elements(case jsonb_typeof(people) when 'array' then people when 'object' then jsonb_build_array(people) else '[]' end) person
  $$`,
  `create function note_texts() returns trigger language plpgsql as $$
  begin
    insert into message_texts (message_id, workspace_id, mailbox_id, search, head, sent_subject, date)
    select added.id, added.workspace_id, added.mailbox_id,
      setweight(to_tsvector('simple', words_of(added.subject)), 'A')
        || setweight(to_tsvector('simple', words_of(sender)), 'B')
        || setweight(to_tsvector('simple', words_of(recipients)), 'C')
        || to_tsvector('simple', words_of(left(added.search_text, 100000))),
      left(lower(concat_ws(' ', added.subject, sender, recipients)), 2000),
      case when folders.role = 'sent' then base_subject(added.subject) end,
      added.date
    from added
    join folders on folders.id = added.folder_id
    cross join lateral (select people_of(added."from") as sender,
      left(people_of(added."to" || added.cc || added.bcc), 20000) as recipients) people;
    return null;
  end $$`,
  conversationsFunction('note_added', 'added', '', one),
  conversationsFunction('note_removed', '', 'removed'),
  conversationsFunction('note_changed', 'added', 'removed'),
  // Volatile, so that it sees what is committed when it runs, which is after its caller has locked the mailbox.
  `create function join_thread(box uuid, own uuid, own_message_id text, ancestors text[], given_subject text, sender text, sent_at timestamptz)
  returns uuid language plpgsql volatile ${BY_INDEX} as $$
  declare
    thread uuid;
    waiting uuid[];
  begin
    select m.thread_id into thread
    from unnest(ancestors) with ordinality as a (message_id, place)
    join messages m on m.mailbox_id = box and m.message_id = a.message_id and not m.is_draft
    order by a.place desc limit 1;
    if thread is null and ancestors = '{}' and sender <> '' and base_subject(given_subject) <> left(lower(given_subject), 200)
      and base_subject(given_subject) <> '' then
      select m.thread_id into thread
      from message_texts t join messages m on m.id = t.message_id
      where t.mailbox_id = box and t.sent_subject = base_subject(given_subject) and t.date between sent_at - interval '30 days' and sent_at
        and exists (select from jsonb_array_elements(m."to" || m.cc) person where lower(person ->> 'address') = lower(sender))
      order by t.date desc limit 1;
    end if;
    thread := coalesce(thread, own);
    if own_message_id <> '' then
      select array_agg(thread_id) into waiting from (
        select distinct m.thread_id from messages m
        where m.mailbox_id = box and m.in_reply_to = own_message_id and not m.is_draft and m.thread_id <> thread
          and not exists (
            select from messages before
            where before.mailbox_id = box and before.message_id = own_message_id and not before.is_draft
          )
        limit 20
      ) as children;
      if waiting is not null then
        update messages set thread_id = thread where mailbox_id = box and thread_id = any(waiting);
      end if;
    end if;
    return thread;
  end $$`,
]

/** What comes and what goes, of all rows that a statement changed. */
function changesOf(added: string, removed: string): string {
  const part = (table: string, sign: 1 | -1) => `
    select folder_id, thread_id, workspace_id, mailbox_id, ${sign} as messages,
      ${sign} * (not is_read)::int as unread, ${sign} * is_starred::int as starred, date, id
    from ${table}`
  const parts = [...(added ? [part(added, 1)] : []), ...(removed ? [part(removed, -1)] : [])]
  return parts.join(' union all ')
}

/** Lock order: mailbox, folder, messages, then these tables; every writer of mail has locked the mailbox's row. */
function conversationsFunction(name: string, added: string, removed: string, first = ''): string {
  const isDifferent =
    added && removed
      ? `having sum(messages) <> 0 or sum(unread) <> 0 or sum(starred) <> 0
          or array_agg((date, id) order by date, id) filter (where messages > 0)
            is distinct from array_agg((date, id) order by date, id) filter (where messages < 0)`
      : ''
  return `create function ${name}() returns trigger language plpgsql ${BY_INDEX} as $$
  declare
    mail record;
    was_day date;
    now_day date;
  begin${first}
    with changes as (
      select folder_id, thread_id, workspace_id, mailbox_id, sum(messages)::int as messages,
        sum(unread)::int as unread, sum(starred)::int as starred
      from (${changesOf(added, removed)}) as each
      group by folder_id, thread_id, workspace_id, mailbox_id ${isDifferent}
    ), was as (
      select conversations.* from conversations join changes using (folder_id, thread_id)
    ), now_is as (
      select changes.folder_id, changes.thread_id, changes.workspace_id, changes.mailbox_id, latest.id as latest_id, latest.date,
        coalesce(was.messages, 0) + changes.messages as messages,
        coalesce(was.unread, 0) + changes.unread as unread,
        coalesce(was.starred, 0) + changes.starred as starred
      from changes
      left join was using (folder_id, thread_id)
      left join lateral (
        select id, date from messages
        where messages.mailbox_id = changes.mailbox_id and messages.thread_id = changes.thread_id
          and messages.folder_id = changes.folder_id
        order by date desc, id desc limit 1
      ) as latest on true
    ), kept as (
      insert into conversations (folder_id, thread_id, workspace_id, mailbox_id, latest_id, date, messages, unread, starred)
      select folder_id, thread_id, workspace_id, mailbox_id, latest_id, date, messages, unread, starred
      from now_is where messages > 0 and latest_id is not null
      on conflict (folder_id, thread_id) do update set latest_id = excluded.latest_id, date = excluded.date,
        messages = excluded.messages, unread = excluded.unread, starred = excluded.starred
    ), gone as (
      delete from conversations using now_is
      where conversations.folder_id = now_is.folder_id and conversations.thread_id = now_is.thread_id
        and (now_is.messages <= 0 or now_is.latest_id is null)
    ), days as (
      select folder_id, day, sum(conversations)::int as conversations from (
        select folder_id, (date at time zone 'UTC')::date as day, 1 as conversations from now_is where messages > 0 and latest_id is not null
        union all
        select folder_id, (date at time zone 'UTC')::date, -1 from was
      ) as each group by folder_id, day having sum(conversations) <> 0
    ), more as (
      insert into folder_days select folder_id, day, conversations from days where conversations > 0
      on conflict (folder_id, day) do update set conversations = folder_days.conversations + excluded.conversations
    )
    update folder_days set conversations = folder_days.conversations + days.conversations
    from days
    where days.conversations < 0 and folder_days.folder_id = days.folder_id and folder_days.day = days.day;
    return null;
  end $$`
}

const triggers = [
  // A draft is a conversation of its own until it is sent: opening it opens the editor.
  'update messages set thread_id = id where is_draft and thread_id <> id',
  // The searched text leaves the table whose rows change with every flag: PostgreSQL writes a changed row to all indexes again.
  'drop index messages_search',
  'alter table messages drop column search',
  'create index messages_conversation on messages (mailbox_id, thread_id, date desc, id desc)',
  'create index messages_answers on messages (mailbox_id, in_reply_to) where in_reply_to is not null',
  'create index messages_unread on messages (mailbox_id, date desc, id desc) where not is_read',
  'create index messages_starred on messages (mailbox_id, date desc, id desc) where is_starred',
  `create trigger messages_texts after insert on messages referencing new table as added
    for each statement execute function note_texts()`,
  `create trigger messages_added after insert on messages referencing new table as added
    for each statement execute function note_added()`,
  `create trigger messages_changed after update on messages referencing new table as added old table as removed
    for each statement execute function note_changed()`,
  `create trigger messages_removed after delete on messages referencing old table as removed
    for each statement execute function note_removed()`,
]

/** Fills the tables with existing mail, then creates the indexes. */
const filling = [
  `insert into message_texts (message_id, workspace_id, mailbox_id, search, head, sent_subject, date)
    select messages.id, messages.workspace_id, messages.mailbox_id,
      setweight(to_tsvector('simple', words_of(subject)), 'A')
        || setweight(to_tsvector('simple', words_of(sender)), 'B')
        || setweight(to_tsvector('simple', words_of(recipients)), 'C')
        || to_tsvector('simple', words_of(left(search_text, 100000))),
      left(lower(concat_ws(' ', subject, sender, recipients)), 2000),
      case when folders.role = 'sent' then base_subject(subject) end,
      date
    from messages
    join folders on folders.id = messages.folder_id
    cross join lateral (select people_of("from") as sender, left(people_of("to" || cc || bcc), 20000) as recipients) people
    on conflict do nothing`,
  `insert into conversations (folder_id, thread_id, workspace_id, mailbox_id, latest_id, date, messages, unread, starred)
    select distinct on (folder_id, thread_id) folder_id, thread_id, workspace_id, mailbox_id, id, date,
      count(*) over thread, count(*) filter (where not is_read) over thread, count(*) filter (where is_starred) over thread
    from messages
    window thread as (partition by folder_id, thread_id)
    order by folder_id, thread_id, date desc, id desc
    on conflict (folder_id, thread_id) do nothing`,
  `insert into folder_days
    select folder_id, (date at time zone 'UTC')::date, count(*) from conversations group by 1, 2`,
  'create index message_texts_search on message_texts using gin (mailbox_id, search)',
  'create index message_texts_head on message_texts using gin (mailbox_id, head gin_trgm_ops)',
  'create index message_texts_sent on message_texts (mailbox_id, sent_subject, date) where sent_subject is not null',
  'create index conversations_list on conversations (folder_id, date desc, latest_id desc)',
  'create index conversations_thread on conversations (mailbox_id, thread_id)',
]
