import { type Kysely, sql } from 'kysely'

/** Complaints about mail from here, stops of sending by operators (decision 110), and what operators announce. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table announcements (
    id uuid primary key,
    text text not null,
    link text not null,
    audience text not null,
    ends_at timestamptz,
    made_by text not null,
    made_at timestamptz not null
  )`,
  `create table announcement_dismissals (
    announcement_id uuid not null references announcements on delete cascade,
    user_id uuid not null references users on delete cascade,
    primary key (announcement_id, user_id)
  )`,
  `create table complaints (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    mailbox_id uuid not null references mailboxes on delete cascade,
    at timestamptz not null,
    kind text not null,
    reporter text not null,
    about bytea not null,
    unique (mailbox_id, about)
  )`,
  'create index complaints_age on complaints (at)',
  // Absent: too many bounces stopped it.
  'alter table sending_stops add operator_reason text',
  'alter table sending_stops add is_untold boolean not null default false',
  'create index sending_stops_untold on sending_stops (stopped_at) where is_untold',
]
