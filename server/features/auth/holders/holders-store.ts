/** Holders in the database: users bound to the mailbox whose address they sign in with. Locks go mailbox first, then user. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { UserRecord } from '../auth-store.ts'

export const findHolderOf = (db: Db, mailboxId: string): Promise<UserRecord | undefined> =>
  db.selectFrom('users').selectAll().where('mailboxId', '=', mailboxId).executeTakeFirst()

/** Until the transaction ends nobody suspends or deletes it. */
export const holdMailboxStatus = async (db: Db, mailboxId: string) => {
  const row = await db
    .selectFrom('mailboxes')
    .select('status')
    .where('id', '=', mailboxId)
    .forShare()
    .executeTakeFirst()
  return row?.status
}

/** With their sessions, browsers and right to read. */
export const deleteHolder = async (db: Db, mailboxId: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('users')
    .where('mailboxId', '=', mailboxId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The proven addresses of the Admins of the mailbox's workspace. */
export const adminsOfMailbox = async (db: Db, mailboxId: string) =>
  db
    .selectFrom('mailboxes')
    .innerJoin('members', 'members.workspaceId', 'mailboxes.workspaceId')
    .innerJoin('users', 'users.id', 'members.userId')
    .select(['users.email', 'users.firstName', 'mailboxes.workspaceId'])
    .where('mailboxes.id', '=', mailboxId)
    .where('members.role', '=', 'Admin')
    .where('users.verifiedAt', 'is not', null)
    .execute()

/**
 * Whether mail to this address is stored in a mailbox here that somebody else may read: by its own address, an alias, the
 * name before a +tag, or the catch-all of its domain.
 */
export const isReadByOthers = async (
  db: Db,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
): Promise<boolean> => {
  const [local = '', domain = ''] = email.split('@')
  const base = `${local.split('+', 1)[0]}@${domain}`
  const { rows } = await sql`
    select from domains
      join mailbox_readers readers on readers.workspace_id = domains.workspace_id and readers.user_id <> ${id}
    where domains.name = ${domain} and domains.is_verified and readers.mailbox_id = coalesce(
      (select mailboxes.id from mailboxes where mailboxes.email = ${email}),
      (select aliases.mailbox_id from aliases where aliases.email = ${email}),
      (select mailboxes.id from mailboxes where mailboxes.email = ${base}),
      (select aliases.mailbox_id from aliases where aliases.email = ${base}),
      (select catch_alls.mailbox_id from catch_alls where catch_alls.domain_id = domains.id))
    limit 1`.execute(db)
  return rows.length > 0
}

/** Links that wait in mail to addresses of this domain; which of its mailboxes got them is not asked, they are asked for again. */
export const spendLinksMailedTo = async (db: Db, domain: string, at: Date): Promise<void> => {
  await db
    .updateTable('mailLinks')
    .set({ usedAt: at })
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', at)
    .where(sql<boolean>`split_part(email, '@', 2) = ${domain}`)
    .execute()
}
