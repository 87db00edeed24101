import { type Kysely, sql } from 'kysely'

/** What mail programs ask again and again: the keywords of a mailbox, and which messages are marked deleted (decision 097). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table mailbox_keywords (
    mailbox_id uuid not null references mailboxes on delete cascade,
    workspace_id uuid not null,
    keyword text not null,
    place int not null
  )`,
  'create unique index mailbox_keywords_one on mailbox_keywords (mailbox_id, lower(keyword))',
  'create index messages_deleted on messages (folder_id, uid) where is_deleted',
]
