import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { StsPoliciesTable } from '#server/storage/rows/outbox-tables.ts'

export type StsPolicyRow = Selectable<StsPoliciesTable>

export const readStsPolicy = (db: Db, domain: string): Promise<StsPolicyRow | undefined> =>
  db.selectFrom('stsPolicies').selectAll().where('domain', '=', domain).executeTakeFirst()

/** Columns missing in `row` stay: a failed fetch keeps the stored policy. */
export const storeStsPolicy = async (db: Db, row: Insertable<StsPoliciesTable>): Promise<void> => {
  const { domain: _, ...change } = row
  await db
    .insertInto('stsPolicies')
    .values(row)
    .onConflict((conflict) => conflict.column('domain').doUpdateSet(change))
    .execute()
}

export const deleteOldStsPolicies = async (db: Db, before: Date): Promise<void> => {
  await db
    .deleteFrom('stsPolicies')
    .where('triedAt', '<', before)
    .where((is) => is.or([is('expiresAt', 'is', null), is('expiresAt', '<', before)]))
    .execute()
}
