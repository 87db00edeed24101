import type { Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { OauthStartsTable } from '#server/storage/rows/account-tables.ts'

export type OauthStart = Selectable<OauthStartsTable>

export const insertOauthStart = async (db: Db, start: OauthStart): Promise<void> => {
  await db.insertInto('oauthStarts').values(start).execute()
}

/** Takes the row: a second call with the same state finds nothing. Another browser cannot take it. */
export const takeOauthStart = (
  db: Db,
  stateHash: Buffer,
  browserHash: Buffer,
): Promise<OauthStart | undefined> =>
  db
    .deleteFrom('oauthStarts')
    .where('stateHash', '=', stateHash)
    .where('browserHash', '=', browserHash)
    .returningAll()
    .executeTakeFirst()

export const purgeOauthStarts = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('oauthStarts').where('expiresAt', '<', before).execute()
}

export const findIdentityUser = (db: Db, issuer: string, subject: string) =>
  db
    .selectFrom('identities')
    .select('userId')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

export const hasIdentity = async (db: Db, issuer: string, userId: string): Promise<boolean> =>
  (await db
    .selectFrom('identities')
    .select('userId')
    .where('issuer', '=', issuer)
    .where('userId', '=', userId)
    .executeTakeFirst()) !== undefined

/** Deletes them when a password is set by mail: an intruder may have added a sign-in of theirs. */
export const deleteIdentities = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('identities').where('userId', '=', userId).execute()
}

export const insertIdentity = async (
  db: Db,
  identity: { issuer: string; subject: string; userId: string; createdAt: Date },
): Promise<void> => {
  await db.insertInto('identities').values(identity).execute()
}
