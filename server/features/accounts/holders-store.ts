/** Holders: users bound to the mailbox whose address they sign in with. Lock order: mailbox, then user. */
import { sql } from 'kysely'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { UserRecord } from './auth-store.ts'

export const findHolderOf = (db: Db, mailboxId: string): Promise<UserRecord | undefined> =>
  db.selectFrom('users').selectAll().where('mailboxId', '=', mailboxId).executeTakeFirst()

/** Locks the mailbox against suspension and deletion until the transaction ends. */
export const holdMailboxStatus = async (db: Db, mailboxId: string) => {
  const row = await db
    .selectFrom('mailboxes')
    .select('status')
    .where('id', '=', mailboxId)
    .forShare()
    .executeTakeFirst()
  return row?.status
}

/** Whether the user of this session is the holder of a suspended mailbox. */
export const isOfSuspended = async (db: Db, sessionId: string): Promise<boolean> =>
  (await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .innerJoin('mailboxes', 'mailboxes.id', 'users.mailboxId')
    .select('mailboxes.id')
    .where('sessions.id', '=', sessionId)
    .where('mailboxes.status', '=', 'suspended')
    .executeTakeFirst()) !== undefined

export const endSessionsOfHolders = async (
  db: Db,
  mailboxIds: readonly string[],
  endedAt: Date,
): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ endedAt })
    .where('userId', 'in', (of) =>
      of
        .selectFrom('users')
        .select('id')
        .where('mailboxId', '=', sql<string>`any(${[...mailboxIds]}::uuid[])`),
    )
    .where('endedAt', 'is', null)
    .execute()
}

/** The holders of these mailboxes of whom a private address is known are to be told of their status. */
export const noteUntold = async (db: Db, mailboxIds: readonly string[]): Promise<void> => {
  await db
    .updateTable('users')
    .set({ isStatusUntold: true })
    .where('mailboxId', '=', sql<string>`any(${[...mailboxIds]}::uuid[])`)
    .where('privateEmail', 'is not', null)
    .execute()
}

/** One holder who is to be told, locked; another worker takes the others. Across workspaces. */
export const lockUntold = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('mailboxes', 'mailboxes.id', 'users.mailboxId')
    .select(['users.id', 'users.privateEmail', 'users.isToldSuspended'])
    .select(['mailboxes.email', 'mailboxes.firstName', 'mailboxes.status'])
    .where('users.isStatusUntold', '=', true)
    .orderBy('users.id')
    .limit(1)
    .forUpdate('users')
    .skipLocked()
    .executeTakeFirst()

/** Deletes the holder with sessions, known browsers and the right to read. */
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
    .innerJoin(memberRows(db).as('members'), 'members.workspaceId', 'mailboxes.workspaceId')
    .innerJoin('users', 'users.id', 'members.userId')
    .select(['users.email', 'users.firstName', 'mailboxes.workspaceId'])
    .where('mailboxes.id', '=', mailboxId)
    .where('members.role', '=', 'Admin')
    .where('users.verifiedAt', 'is not', null)
    .execute()

/** Whether a workspace of this installation receives the mail of this domain. */
export const isHostedDomain = async (db: Db, domain: string): Promise<boolean> =>
  (await db
    .selectFrom('domains')
    .select('id')
    .where('name', '=', domain)
    .where('isVerified', '=', true)
    .executeTakeFirst()) !== undefined

/** Whether mail to this address reaches a mailbox here that another user may read. */
export const hasOtherReaders = async (
  db: Db,
  { id, email, base, domain }: { id: string; email: string; base: string; domain: string },
): Promise<boolean> => {
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

/**
 * Locks the domain against becoming a receiving domain until the transaction ends: that step voids links mailed to it,
 * and must see the link being mailed now. A shared lock, since most domains are hosted elsewhere.
 */
export const holdMailedLinks = async (db: Db, domain: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(hashtext(${`mailed links ${domain}`}))`.execute(db)
}

/** Waits for links being mailed to these domains. Lock order: users, then this, then mailed links. */
export const lockMailedLinks = async (db: Db, domains: Iterable<string>): Promise<void> => {
  for (const domain of [...new Set(domains)].sort())
    await sql`select pg_advisory_xact_lock(hashtext(${`mailed links ${domain}`}))`.execute(db)
}

/** Waiting links mailed to any address of this domain. */
export const spendLinksMailedInto = async (db: Db, domain: string, at: Date): Promise<void> => {
  await openLinks(db, at).where(sql<boolean>`split_part(email, '@', 2) = ${domain}`).execute()
}

/** Waiting links mailed to one of these addresses with any +tag. The addresses given have none. */
export const spendLinksMailedTo = async (db: Db, emails: string[], at: Date): Promise<void> => {
  const untagged = sql`regexp_replace(email, '\\+[^@]*@', '@')`
  await openLinks(db, at).where(sql<boolean>`${untagged} = any(${emails}::text[])`).execute()
}

const openLinks = (db: Db, at: Date) =>
  db
    .updateTable('mailLinks')
    .set({ usedAt: at })
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', at)
