import { type Kysely, sql } from 'kysely'

/**
 * Messages that were filed with only their header parsed, to be parsed again. Also indexes for frequent queries: the next import
 * to run, and the number of messages in a workspace.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table messages_read_in_part (
    message_id uuid primary key references messages on delete cascade,
    mailbox_id uuid not null references mailboxes on delete cascade,
    workspace_id uuid not null,
    tries integer not null default 0,
    due_at timestamptz not null
  )`,
  'create index messages_read_in_part_due on messages_read_in_part (due_at)',
  'create index messages_read_in_part_mailbox on messages_read_in_part (mailbox_id)',
  'create index mail_imports_turns on mail_imports (workspace_id, touched_at desc)',
  'create index folders_workspace on folders (workspace_id)',
]
