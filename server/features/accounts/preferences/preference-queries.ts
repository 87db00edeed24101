/** What people prefer, in the database; for later rooms too. */
import type { Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { PreferencesTable } from '#server/storage/rows/account-tables.ts'

type Row = Selectable<PreferencesTable>
export type OwnPreferences = Omit<Row, 'userId' | 'updatedAt'>

const NONE: OwnPreferences = {
  ...{ timeZone: '', timeFormat: '', dateFormat: '', wantsDnsMails: true },
  ...{ undoSeconds: null, writesPlainText: false },
}

export const readPreferences = async (db: Db, userId: string): Promise<OwnPreferences> => {
  const row = await db
    .selectFrom('preferences')
    .select(['timeZone', 'timeFormat', 'dateFormat', 'wantsDnsMails'])
    .select(['undoSeconds', 'writesPlainText'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row ?? NONE
}

/** What `preferences` does not name stays as it is. */
export const storePreferences = async (
  db: Db,
  userId: string,
  preferences: Partial<OwnPreferences>,
  updatedAt: Date,
): Promise<void> => {
  const changes = { ...preferences, updatedAt }
  await db
    .insertInto('preferences')
    .values({ userId, ...NONE, ...changes })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(changes))
    .execute()
}

/** The ids of those among these users who want no mails about DNS. */
export const withoutDnsMails = async (db: Db, userIds: readonly string[]): Promise<Set<string>> => {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('preferences')
    .select('userId')
    .where('userId', 'in', [...userIds])
    .where('wantsDnsMails', '=', false)
    .execute()
  return new Set(rows.map(({ userId }) => userId))
}
