/** Our accounts at directories, and the answers that they look for. */
import type { Db } from '#server/storage/database.ts'
import type { AcmeAnswersTable } from '#server/storage/rows/certificate-tables.ts'

export const readAccount = (db: Db, directoryUrl: string) =>
  db
    .selectFrom('acmeAccounts')
    .select(['keySealed', 'url'])
    .where('directoryUrl', '=', directoryUrl)
    .executeTakeFirst()

/** The first one stays, whichever process makes it. */
export const insertAccount = async (
  db: Db,
  account: { directoryUrl: string; keySealed: string; createdAt: Date },
): Promise<void> => {
  await db
    .insertInto('acmeAccounts')
    .values(account)
    .onConflict((row) => row.column('directoryUrl').doNothing())
    .execute()
}

export const noteAccountUrl = async (
  db: Db,
  directoryUrl: string,
  url: string | null,
): Promise<void> => {
  await db
    .updateTable('acmeAccounts')
    .set({ url })
    .where('directoryUrl', '=', directoryUrl)
    .execute()
}

export const insertAnswer = async (db: Db, answer: AcmeAnswersTable): Promise<void> => {
  await db
    .insertInto('acmeAnswers')
    .values(answer)
    .onConflict((row) => row.column('token').doUpdateSet(answer))
    .execute()
}

export const deleteAnswers = async (db: Db, name: string, now: Date): Promise<void> => {
  await db
    .deleteFrom('acmeAnswers')
    .where((of) => of.or([of('name', '=', name), of('expiresAt', '<=', now)]))
    .execute()
}

export const findAnswer = (db: Db, token: string, now: Date) =>
  db
    .selectFrom('acmeAnswers')
    .select(['name', 'keyAuthorization'])
    .where('token', '=', token)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** The newest of the name, for a proof that names no token. */
export const findAnswerOf = (db: Db, name: string, now: Date) =>
  db
    .selectFrom('acmeAnswers')
    .select(['token', 'keyAuthorization'])
    .where('name', '=', name)
    .where('expiresAt', '>', now)
    .orderBy('expiresAt', 'desc')
    .executeTakeFirst()
