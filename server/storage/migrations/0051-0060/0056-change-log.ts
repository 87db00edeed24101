import { type Kysely, sql } from 'kysely'

/**
 * One modseq per mailbox (decision 086). What happened before this migration was not noted, so every mailbox begins anew:
 * `forgotten_modseq` is the last modseq of which tombstones may be missing. No row of `messages` is written.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table mailboxes
    add column modseq bigint not null default 1,
    add column forgotten_modseq bigint not null default 0`,
  `update mailboxes set modseq = before.modseq, forgotten_modseq = before.modseq
    from (select mailbox_id, max(highest_modseq) as modseq from folders group by mailbox_id) as before
    where before.mailbox_id = mailboxes.id`,
  'alter table folders add column is_subscribed boolean not null default true',
  'alter table messages add column is_deleted boolean not null default false, add column saved_at timestamptz',
  'create index messages_changed on messages (mailbox_id, modseq)',
  // Without a foreign key to folders: a folder's tombstones outlive it.
  `create table tombstones (
    mailbox_id uuid not null references mailboxes on delete cascade,
    modseq bigint not null,
    folder_id uuid not null,
    uid bigint not null,
    workspace_id uuid not null,
    message_id uuid not null,
    at timestamptz not null,
    blob text,
    size_bytes bigint not null,
    kept jsonb,
    primary key (mailbox_id, modseq, folder_id, uid)
  )`,
  'create index tombstones_at on tombstones (at)',
  'create index tombstones_blob on tombstones (blob text_pattern_ops) where blob is not null',
  'create index tombstones_kept on tombstones (workspace_id, at) where blob is not null',
  'drop function join_thread',
  joinThread(),
]

/** As in migration 0015; a thread that joins another one counts as a change of its messages. */
function joinThread(): string {
  return `create function join_thread(box uuid, own uuid, own_message_id text, ancestors text[], given_subject text, sender text,
    sent_at timestamptz, own_modseq bigint)
  returns uuid language plpgsql volatile set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
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
        update folders set highest_modseq = own_modseq
        where mailbox_id = box and highest_modseq < own_modseq
          and id in (select folder_id from messages where mailbox_id = box and thread_id = any(waiting));
        update messages set thread_id = thread, modseq = own_modseq where mailbox_id = box and thread_id = any(waiting);
      end if;
    end if;
    return thread;
  end $$`
}
