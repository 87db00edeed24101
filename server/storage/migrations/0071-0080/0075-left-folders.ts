import { type Kysely, sql } from 'kysely'

/** From which deleted folder a message came to Trash, and the list of what can be recovered. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table messages add column left_folder text',
  'create index messages_left on messages (mailbox_id, saved_at desc, id desc) where left_folder is not null',
  'create index tombstones_recoverable on tombstones (mailbox_id, at desc, message_id desc) where blob is not null',
]
