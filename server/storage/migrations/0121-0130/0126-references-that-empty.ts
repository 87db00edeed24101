import { type Kysely, sql } from 'kysely'
import { type Keys, narrowsOf, widenKeys } from '../0111-0120/widen-keys.ts'

/**
 * References whose rows stay when the other one goes name the workspace, and keep it (PostgreSQL 15). People refer to the address of
 * their mailbox and not to its row, and the counts of a folder go by a trigger: the keys of mailboxes and folders can have the
 * workspace then (decision 141).
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await widenKeys(db, keys)
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export const keys = {
  references: [
    { from: 'access_entries', columns: 'mailbox_id', to: 'mailboxes', isEmptied: true },
    { from: 'mail_imports', columns: 'folder_id', to: 'folders', isEmptied: true },
    { from: 'outbox_messages', columns: 'mailbox_id', to: 'mailboxes', isEmptied: true },
    { from: 'sendings', columns: 'mailbox_id', to: 'mailboxes', isEmptied: true },
  ],
  others: ['users', 'addresses', 'folder_days'],
} satisfies Keys

export const narrows = {
  ...narrowsOf(keys),
  'the reference users_mailbox_id_fkey of users is another':
    'The address of a mailbox is there as long as the mailbox, and goes with it.',
  'the reference folder_days_folder_id_fkey of folder_days is gone':
    'A trigger deletes what it deleted; only triggers write there.',
  'the trigger forget_folder_days of folders is new':
    'It deletes what the reference of before deleted.',
}

// A workspace that is being restored from a backup has no references.
const statements = [
  `alter table users drop constraint if exists users_mailbox_id_fkey,
    add constraint users_mailbox_id_fkey foreign key (mailbox_id) references addresses (mailbox_id) on delete cascade not valid`,
  'alter table folder_days drop constraint if exists folder_days_folder_id_fkey',
  `create function forget_folder_days() returns trigger language plpgsql as $$
  begin
    delete from folder_days where folder_id = old.id;
    return null;
  end $$`,
  `create trigger forget_folder_days after delete on folders for each row execute function forget_folder_days()`,
]
