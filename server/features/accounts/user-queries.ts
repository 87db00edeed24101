/** For later rooms: reads and writes users. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

export const userRows = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'firstName', 'lastName', 'email', 'avatar', 'mailboxId'])
    .select(['verifiedAt', 'lastLoginAt', 'createdAt'])

/** What decides whether a program acts for this person: keys made before `appPasswordsFrom` do not. */
export const actingRows = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'firstName', 'lastName', 'email', 'avatar', 'mailboxId'])
    .select(['appPasswordsFrom', 'createdAt', 'endsAt'])

/** What decides whether a mail program of this person gets in. */
export const signingRows = (db: Db) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'firstName',
      'email',
      'mailboxId',
      'passwordHash',
      'appPasswordsFrom',
      'createdAt',
    ])
    .where('verifiedAt', 'is not', null)

export const setCurrentWorkspace = async (
  db: Db,
  userId: string,
  workspaceId: string,
): Promise<void> => {
  await db
    .updateTable('users')
    .set({ currentWorkspaceId: workspaceId })
    .where('id', '=', userId)
    .execute()
}

/** If it was their current one. */
export const forgetCurrentWorkspace = async (
  db: Db,
  userId: string,
  workspaceId: string,
): Promise<void> => {
  await db
    .updateTable('users')
    .set({ currentWorkspaceId: null })
    .where('id', '=', userId)
    .where('currentWorkspaceId', '=', workspaceId)
    .execute()
}

/** A proven account, not a holder, that signs in with this address. */
export const hasAccountWith = async (db: Db, email: string): Promise<boolean> =>
  (await userRows(db)
    .where('email', '=', email)
    .where('verifiedAt', 'is not', null)
    .where('mailboxId', 'is', null)
    .executeTakeFirst()) !== undefined

/** Whether somebody has an account here that is proven. */
export const hasAccounts = async (db: Db): Promise<boolean> =>
  (await userRows(db).where('verifiedAt', 'is not', null).limit(1).executeTakeFirst()) !== undefined

/** The user who signed up first; empty without users. */
export const firstUserEmail = async (db: Db): Promise<string[]> => {
  const row = await userRows(db)
    .where('verifiedAt', 'is not', null)
    .where('mailboxId', 'is', null)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? [] : [row.email]
}

const holdersOf = (mailboxIds: readonly string[]) =>
  sql<boolean>`mailbox_id = any(${[...mailboxIds]}::uuid[])`

export const countHoldersOf = async (db: Db, mailboxIds: readonly string[]): Promise<number> => {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(holdersOf(mailboxIds))
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes the holders of these mailboxes with their sessions, browsers and rights to read. */
export const deleteHoldersOf = async (db: Db, mailboxIds: readonly string[]): Promise<void> => {
  await db.deleteFrom('users').where(holdersOf(mailboxIds)).execute()
}

/** Those that have neither ended nor run out. */
export const countSessions = async (db: Db, userId: string, now: Date): Promise<number> => {
  const { count } = await db
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export const endSessionsOf = async (db: Db, userId: string, at: Date): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ endedAt: at })
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .execute()
}

/** With its sessions, browsers, roles and rights to read. */
export const deleteAccountRow = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/** When the account ends that its owner leaves; null: it stays. */
export const readEndOf = async (db: Db, id: string): Promise<Date | null> => {
  const row = await db.selectFrom('users').select('endsAt').where('id', '=', id).executeTakeFirst()
  return row?.endsAt ?? null
}

/** One transaction at a time decides on it. */
export const lockEndOf = async (db: Db, id: string): Promise<Date | null> => {
  const row = await db
    .selectFrom('users')
    .select('endsAt')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row?.endsAt ?? null
}

export const setEndOf = async (db: Db, id: string, endsAt: Date | null): Promise<void> => {
  await db.updateTable('users').set({ endsAt }).where('id', '=', id).execute()
}

/** Ids of accounts whose end has come, the longest due first. */
export const endingAccounts = async (db: Db, now: Date, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('endsAt', '<=', now)
    .orderBy('endsAt')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
