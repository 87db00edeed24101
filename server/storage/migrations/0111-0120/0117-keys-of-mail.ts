import { type Kysely, sql } from 'kysely'
import { buildsOf, type Keys, narrowsOf, widenKeys } from './widen-keys.ts'

/**
 * Keys of the tables that grow with all mail (decision 140). The functions that keep conversations named the columns of their key;
 * they name the key.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await widenKeys(db, keys)
  await sql.raw(NAME_THE_KEY).execute(db)
}

export const keys: Keys = {
  areLarge: true,
  primary: {
    conversations: 'folder_id, thread_id',
    message_texts: 'message_id',
    messages: 'id',
    tombstones: 'mailbox_id, modseq, folder_id, uid',
  },
  unique: { messages: { messages_folder_id_uid_key: 'folder_id, uid' } },
  references: [
    { from: 'drafts', columns: 'message_id', to: 'messages' },
    { from: 'message_texts', columns: 'message_id', to: 'messages' },
    { from: 'messages_read_in_part', columns: 'message_id', to: 'messages' },
    { from: 'vacation_dues', columns: 'message_id', to: 'messages' },
  ],
}

const NAME_THE_KEY = `
  do $$ declare kept record; begin
    for kept in select pg_get_functiondef(p.oid) as text from pg_proc p
      where pronamespace = current_schema()::regnamespace and prosrc like '%on conflict (folder_id, thread_id)%'
    loop
      execute replace(kept.text, 'on conflict (folder_id, thread_id)', 'on conflict on constraint conversations_pkey');
    end loop;
  end $$`

export const builds = buildsOf(keys)

const SAME_ANSWER =
  'It does the same, and is replaced in the transaction that changes the key which it names.'

export const narrows = {
  ...narrowsOf(keys),
  ...Object.fromEntries(
    ['messages_changed', 'messages_removed', 'messages_filed'].map((trigger) => [
      `the trigger ${trigger} of messages is another`,
      SAME_ANSWER,
    ]),
  ),
}
