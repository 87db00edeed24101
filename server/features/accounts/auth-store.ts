import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { endTrust } from '#server/features/factors/factor-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { MailLinksTable, UsersTable } from '#server/storage/rows/account-tables.ts'

/** Without what only concerns mail programs, and telling a holder that their mailbox is suspended. */
export type UserRecord = Omit<
  Selectable<UsersTable>,
  'privateEmail' | 'isStatusUntold' | 'isToldSuspended' | 'appPasswordsFrom' | 'endsAt'
>
export type MailLink = Selectable<MailLinksTable>

export const findUserByEmail = (db: Db, email: string): Promise<UserRecord | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

export const findUser = (db: Db, id: string): Promise<UserRecord | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks the row, so that two mailed links are not opened concurrently. */
export const lockUser = (db: Db, id: string): Promise<UserRecord> =>
  db.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export const lockUserByEmail = (db: Db, email: string): Promise<UserRecord | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).forUpdate().executeTakeFirst()

/** @returns false when the address is taken. */
export const insertUser = async (
  db: Db,
  user: UserRecord & { privateEmail?: string | null },
): Promise<boolean> => {
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

/** Locks sign-up until the transaction ends, so that only one account can be the first. */
export const lockSignUps = async (db: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('mailstead sign-up'))`.execute(db)
}

export const hasUsers = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined

/** Whether an invitation to any workspace waits for this address. */
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

/** This browser's newest sign-up for the account. */
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

/** Whether another browser signed up with the same address and another password. */
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

/** The newest unused link that changes the user's e-mail. */
export const findEmailChange = (db: Db, userId: string): Promise<MailLink | undefined> =>
  emailChanges(db).where('userId', '=', userId).executeTakeFirst()

/** The same, by the address it was mailed to. */
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

/** Deletes unverified accounts with this address. */
export const deleteUnverifiedUser = async (db: Db, email: string): Promise<void> => {
  await db.deleteFrom('users').where('email', '=', email).where('verifiedAt', 'is', null).execute()
}

/** Marks all links of this purpose as used: the opened one and all that wait. */
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

/** Expired links are kept for a while, so that the answer tells an old link from a broken one. */
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

/** Whether any browser is known to be this user's. */
export const hasKnownDevice = async (db: Db, userId: string): Promise<boolean> =>
  (await db
    .selectFrom('knownDevices')
    .select('userId')
    .where('userId', '=', userId)
    .limit(1)
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

/** Known and trusted browsers end with the password: those are exempt from the throttle of strangers, these from the second step. */
export const forgetDevices = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('knownDevices').where('userId', '=', userId).execute()
  await endTrust(db, userId)
}

export const purgeDevices = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('knownDevices').where('seenAt', '<', before).execute()
}
