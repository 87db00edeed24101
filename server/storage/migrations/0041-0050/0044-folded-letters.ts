import { type Kysely, sql } from 'kysely'

/**
 * Searched texts have their letters without accents, and the names of files (decision 066): new mail at once. `text_folding` holds how far a loop of the
 * worker has come with the mail that is there, newest first; ids are in the order of time. No row is written here.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // The same as `foldLetters` in contract/mail/fold-letters.ts. Counting the letters is the quickest way to know plain ASCII.
  `create function fold_letters(given text) returns text language sql immutable parallel safe as $$
    select case when octet_length(given) = char_length(given) then given else
      normalize(
        replace(replace(replace(replace(replace(replace(replace(replace(
          translate(regexp_replace(normalize(given, NFD), '[\\u0300-\\u036f]+', '', 'g'), 'øØłŁđĐðÐħĦŧŦı', 'oOlLdDdDhHtTi'),
          'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'þ', 'th'), 'Þ', 'TH'),
        NFC)
    end
  $$`,
  // Folds the written form of a vector, so that words, places and weights stay. A word may become too long: then it stays as it is.
  `create function fold_search(given tsvector) returns tsvector language plpgsql immutable parallel safe as $$
  begin
    return fold_letters(given::text)::tsvector;
  exception when program_limit_exceeded then
    return given;
  end $$`,
  // The searched text is subject, people, names of files and text: this takes the names, from between what the columns know.
  `create function file_names_of(subject text, people text, preview text, body text) returns text
  language sql immutable parallel safe as $$
    select lower(fold_letters(left(rest, case
      when char_length(preview) < 200 then greatest(char_length(rest) - char_length(preview), 0)
      when position(preview in rest) > 0 then position(preview in rest) - 1
      else 2000 end)))
    from (
      select substr(body, char_length(regexp_replace(trim(concat_ws(' ', subject, people)), '\\s+', ' ', 'g')) + 1, 20000) as rest
    ) as after_people
  $$`,
  // '/plan' is a word of the name of a file: no other word begins with a slash, which words_of takes out.
  `create function file_words(names text) returns tsvector language sql immutable parallel safe as $$
    select array_to_tsvector(coalesce(array_agg('/' || left(word, 100)), '{}'))
    from regexp_split_to_table(words_of(names), '\\s+') word where word <> ''
  $$`,
  `create function search_of(subject text, sender text, recipients text, body text, files tsvector) returns tsvector
  language sql immutable parallel safe as $$
    select setweight(to_tsvector('simple', words_of(fold_letters(subject))), 'A')
      || setweight(to_tsvector('simple', words_of(fold_letters(sender))), 'B')
      || setweight(to_tsvector('simple', words_of(fold_letters(recipients))), 'C')
      || to_tsvector('simple', words_of(fold_letters(body)))
      || files
  $$`,
  `create or replace function note_filed() returns trigger language plpgsql
  set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  declare
    sender text := people_of(new."from");
    recipients text := left(people_of(new."to" || new.cc || new.bcc), 20000);
    body text := new.search_text;
    files tsvector := '';
    was_day date;
    now_day date;
  begin
    -- To count letters takes longer than to count bytes.
    if octet_length(body) > 100000 then
      body := left(body, 100000);
    end if;
    if new.has_attachments then
      files := file_words(file_names_of(new.subject, sender || ' ' || people_of(new."to" || new.cc), new.preview, body));
    end if;
    insert into message_texts (message_id, workspace_id, mailbox_id, search, head, sent_subject, date)
    values (new.id, new.workspace_id, new.mailbox_id, search_of(new.subject, sender, recipients, body, files),
      left(lower(fold_letters(concat_ws(' ', new.subject, sender, recipients))), 2000),
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
  'create table text_folding (below uuid primary key)',
  `insert into text_folding select 'ffffffff-ffff-ffff-ffff-ffffffffffff' where exists (select from message_texts)`,
]
