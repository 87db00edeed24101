import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { MailLinksTable, UsersTable } from '#server/storage/rows/account-tables.ts'
import type { WorkspacesTable } from '#server/storage/rows/workspace-tables.ts'

export type UserRecord = Selectable<UsersTable>
export type MailLink = Selectable<MailLinksTable>

export const findUserByEmail = (db: Db, email: string): Promise<UserRecord | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

export const findUser = (db: Db, id: string): Promise<UserRecord | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks the row, so that two mailed links cannot be opened at the same time. */
export const lockUser = (db: Db, id: string): Promise<UserRecord> =>
  db.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export const lockUserByEmail = (db: Db, email: string): Promise<UserRecord | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).forUpdate().executeTakeFirst()

/** @returns false when the address is taken. */
export const insertUser = async (db: Db, user: UserRecord): Promise<boolean> => {
  const row = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const updateUser = async (
  db: Db,
  id: string,
  changes: Updateable<UsersTable>,
): Promise<UserRecord> =>
  db.updateTable('users').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Inside a transaction: one sign-up at a time from here on, so that only one can be the first. */
export const lockSignUps = async (db: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('mailstead sign-up'))`.execute(db)
}

export const hasUsers = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined

/** To any workspace, and the invitation still waits. */
export const isInvited = async (db: Db, email: string, now: Date): Promise<boolean> =>
  (await db
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', email)
    .where('outcome', 'is', null)
    .where('expiresAt', '>', now)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const insertMailLink = async (db: Db, link: Insertable<MailLinksTable>): Promise<void> => {
  await db.insertInto('mailLinks').values(link).execute()
}

export const findMailLink = (db: Db, tokenHash: Buffer): Promise<MailLink | undefined> =>
  db.selectFrom('mailLinks').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst()

/** The newest sign-up of this browser for the account. */
export const findSignUpOf = (
  db: Db,
  userId: string,
  browserHash: Buffer,
): Promise<MailLink | undefined> =>
  db
    .selectFrom('mailLinks')
    .selectAll()
    .where('userId', '=', userId)
    .where('purpose', '=', 'email-verification')
    .where('browserHash', '=', browserHash)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Whether somebody signed up with the same address in another browser, and with another password. */
export const hasRivals = async (
  db: Db,
  { userId, browserHash, passwordHash }: MailLink,
): Promise<boolean> =>
  (await db
    .selectFrom('mailLinks')
    .select('userId')
    .where('userId', '=', userId)
    .where('purpose', '=', 'email-verification')
    .where('passwordHash', '!=', passwordHash)
    .where('browserHash', 'is distinct from', browserHash)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** The newest link that would change the user's e-mail, unless it was used or withdrawn. */
export const findEmailChange = (db: Db, userId: string): Promise<MailLink | undefined> =>
  emailChanges(db).where('userId', '=', userId).executeTakeFirst()

/** The same by the address that it was mailed to. */
export const findEmailChangeTo = (db: Db, email: string): Promise<MailLink | undefined> =>
  emailChanges(db).where('email', '=', email).executeTakeFirst()

const emailChanges = (db: Db) =>
  db
    .selectFrom('mailLinks')
    .selectAll()
    .where('purpose', '=', 'change-email')
    .where('usedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(1)

/** Whoever signed up with this address and never proved it gives it up. */
export const deleteUnverifiedUser = async (db: Db, email: string): Promise<void> => {
  await db.deleteFrom('users').where('email', '=', email).where('verifiedAt', 'is', null).execute()
}

/** Marks every link of this purpose as used: the one that was opened, and any other that still waits. */
export const spendMailLinks = async (
  db: Db,
  userId: string,
  purpose: MailLink['purpose'],
  at: Date,
): Promise<void> => {
  await db
    .updateTable('mailLinks')
    .set({ usedAt: at })
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .execute()
}

export const insertWorkspaceOf = async (
  db: Db,
  userId: string,
  workspace: Insertable<WorkspacesTable>,
): Promise<void> => {
  const { id: workspaceId, createdAt } = workspace
  await db.insertInto('workspaces').values(workspace).execute()
  await db.insertInto('members').values({ workspaceId, userId, role: 'Admin', createdAt }).execute()
  await updateUser(db, userId, { currentWorkspaceId: workspaceId })
}

/** Links stay for a while after they ran out, so that an old one is told from a broken one. */
export const purgeMailLinks = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('mailLinks').where('expiresAt', '<', before).execute()
}

export const purgeUnverifiedUsers = async (db: Db, createdBefore: Date): Promise<void> => {
  await db
    .deleteFrom('users')
    .where('verifiedAt', 'is', null)
    .where('createdAt', '<', createdBefore)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mailLinks')
            .select('userId')
            .whereRef('mailLinks.userId', '=', 'users.id')
            .where('mailLinks.createdAt', '>=', createdBefore),
        ),
      ),
    )
    .execute()
}

export const isKnownDevice = async (db: Db, userId: string, deviceHash: Buffer) =>
  (await db
    .selectFrom('knownDevices')
    .select('userId')
    .where('userId', '=', userId)
    .where('deviceHash', '=', deviceHash)
    .executeTakeFirst()) !== undefined

export const rememberDevice = async (
  db: Db,
  userId: string,
  deviceHash: Buffer,
  seenAt: Date,
): Promise<void> => {
  await db
    .insertInto('knownDevices')
    .values({ userId, deviceHash, seenAt })
    .onConflict((conflict) => conflict.columns(['userId', 'deviceHash']).doUpdateSet({ seenAt }))
    .execute()
}

/** With the password: a browser that is known may guess where a stranger must not. */
export const forgetDevices = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('knownDevices').where('userId', '=', userId).execute()
}

export const purgeDevices = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('knownDevices').where('seenAt', '<', before).execute()
}
