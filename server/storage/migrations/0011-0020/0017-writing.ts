import { type Kysely, sql } from 'kysely'

/**
 * Uploads and drafts, the keys of messages sent from them, and the contacts of a mailbox. Contacts are read from the Sent folder:
 * `rank` grows with each message and halves in 30 days, stored as a logarithm so that it can be indexed.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const HALF_LIFE_SECONDS = 30 * 24 * 3600

const statements = [
  `create table uploads (
    id uuid primary key,
    workspace_id uuid not null,
    mailbox_id uuid not null references mailboxes on delete cascade,
    blob text not null,
    filename text not null,
    content_type text not null,
    size_bytes bigint not null,
    created_at timestamptz not null
  )`,
  'create index uploads_mailbox on uploads (mailbox_id)',
  'create index uploads_blob on uploads (blob)',
  'create index uploads_age on uploads (created_at)',
  `create table drafts (
    mailbox_id uuid not null references mailboxes on delete cascade,
    key uuid not null,
    workspace_id uuid not null,
    message_id uuid not null unique references messages on delete cascade,
    writer uuid not null,
    save integer not null,
    uploads uuid[] not null,
    in_reply_to uuid,
    forward_of uuid,
    unfinished jsonb not null default '{}',
    saved_at timestamptz not null,
    primary key (mailbox_id, key)
  )`,
  'create index drafts_age on drafts (saved_at)',
  `create table sends (
    mailbox_id uuid not null references mailboxes on delete cascade,
    key uuid not null,
    workspace_id uuid not null,
    state text not null check (state in ('sent', 'undone')),
    message_id uuid,
    outbox_message_id uuid,
    undo_until timestamptz,
    sending_id uuid,
    new_correspondents text[] not null default '{}',
    original_id uuid,
    original_mark text check (original_mark in ('answered', 'forwarded')),
    created_at timestamptz not null,
    primary key (mailbox_id, key)
  )`,
  'create index sends_age on sends (created_at)',
  `create table contacts (
    mailbox_id uuid not null references mailboxes on delete cascade,
    address text not null,
    workspace_id uuid not null,
    name text not null,
    words text not null,
    times integer not null,
    rank double precision not null,
    primary key (mailbox_id, address)
  )`,
  'create index contacts_rank on contacts (mailbox_id, rank desc)',
  `insert into contacts (mailbox_id, address, workspace_id, name, words, times, rank)
    select mailbox_id, address, workspace_id, name,
      ' ' || lower(regexp_replace(
        regexp_replace(normalize(name || ' ' || address, nfkd), '[\\u0300-\\u036f]', '', 'g'),
        '[^[:alnum:]]+', ' ', 'g')) || ' ' || address,
      times, newest + ln(mass)
    from (
      select distinct on (mailbox_id, address) mailbox_id, address, workspace_id, name, newest,
        count(*) over of_address as times, sum(exp(greatest(age - newest, -700))) over of_address as mass
      from (
        select messages.mailbox_id, messages.workspace_id, messages.date,
          lower(person ->> 'address') as address, left(person ->> 'name', 200) as name,
          extract(epoch from messages.date) * ln(2) / ${HALF_LIFE_SECONDS} as age,
          max(extract(epoch from messages.date) * ln(2) / ${HALF_LIFE_SECONDS})
            over (partition by messages.mailbox_id, lower(person ->> 'address')) as newest
        from messages
        join folders on folders.id = messages.folder_id and folders.role = 'sent'
        cross join lateral jsonb_array_elements(messages."to" || messages.cc || messages.bcc) as person
        where not messages.is_draft and person ->> 'address' <> ''
      ) as written
      window of_address as (partition by mailbox_id, address)
      order by mailbox_id, address, (name = ''), date desc
    ) as known`,
]
