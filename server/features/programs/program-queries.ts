/** For later rooms: counts and ends the app passwords of mailboxes. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

/** Of all their readers, also of those who may go on reading. The caller announces it. */
export const endAppPasswordsOf = async (db: Db, mailboxIds: readonly string[]): Promise<void> => {
  const ids = sql<string>`any(${[...mailboxIds]}::uuid[])`
  await db.deleteFrom('programUses').where('mailboxId', '=', ids).execute()
  await db.deleteFrom('appPasswords').where('mailboxId', '=', ids).execute()
}

/** Without the secret. */
export const appPasswordRows = (db: Db) =>
  db.selectFrom('appPasswords').select(['id', 'workspaceId', 'mailboxId', 'name', 'expiresAt'])

export const programUseRows = (db: Db) =>
  db.selectFrom('programUses').select(['mailboxId', 'lastAt'])
