import { type Kysely, sql } from 'kysely'

/**
 * Messages sent by each mailbox, its correspondents, its permanent bounces, and stops of sending. The initial correspondents are
 * read from the Sent folder.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table sendings (
    id uuid primary key,
    workspace_id uuid not null,
    mailbox_id uuid references mailboxes on delete set null,
    at timestamptz not null,
    recipients integer not null,
    new_recipients integer not null
  )`,
  'create index sendings_mailbox on sendings (mailbox_id, at)',
  'create index sendings_workspace on sendings (workspace_id, at)',
  'create index sendings_age on sendings (at)',
  `create table correspondents (
    mailbox_id uuid not null references mailboxes on delete cascade,
    workspace_id uuid not null,
    address text not null,
    primary key (mailbox_id, address)
  )`,
  `insert into correspondents (mailbox_id, workspace_id, address)
    select distinct messages.mailbox_id, messages.workspace_id, person ->> 'address'
    from messages
    join folders on folders.id = messages.folder_id and folders.role = 'sent'
    cross join lateral jsonb_array_elements(messages."to" || messages.cc || messages.bcc) as person
    where not messages.is_draft and person ->> 'address' <> ''`,
  `create table bounces (
    delivery_id uuid primary key,
    mailbox_id uuid not null references mailboxes on delete cascade,
    workspace_id uuid not null,
    at timestamptz not null
  )`,
  'create index bounces_mailbox on bounces (mailbox_id, at)',
  'create index bounces_age on bounces (at)',
  `create table sending_stops (
    id uuid primary key,
    mailbox_id uuid not null references mailboxes on delete cascade,
    workspace_id uuid not null,
    stopped_at timestamptz not null,
    failed integer not null,
    ended integer not null,
    example text not null,
    resumed_at timestamptz
  )`,
  'drop index outbox_messages_mailbox',
  'create index outbox_messages_mailbox on outbox_messages (mailbox_id, created_at)',
  'create unique index sending_stops_now on sending_stops (mailbox_id) where resumed_at is null',
  'create index sending_stops_mailbox on sending_stops (mailbox_id, stopped_at)',
  'create index sending_stops_workspace on sending_stops (workspace_id) where resumed_at is null',
]
