import { type Kysely, sql } from 'kysely'

/** Links an outgoing message to its copy in Sent, so that its delivery can be shown there. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw('alter table outbox_messages add column sent_message_id uuid').execute(db)
  await sql
    .raw(
      'create index outbox_messages_sent on outbox_messages (sent_message_id) where sent_message_id is not null',
    )
    .execute(db)
}
