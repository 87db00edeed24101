import { type Kysely, sql } from 'kysely'

/** The last test mail of each domain. Deleted with the domain or the mailbox that sent it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table test_mails (
    domain_id uuid primary key references domains on delete cascade,
    workspace_id uuid not null,
    mailbox_id uuid not null references mailboxes on delete cascade,
    recipient text not null,
    message_id text not null,
    outbox_message_id uuid not null,
    sent_at timestamptz not null,
    answered_at timestamptz,
    answer_results jsonb
  )`,
  'create index test_mails_mailbox on test_mails (mailbox_id)',
]
