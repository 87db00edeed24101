import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

export type RefusedRow = { slot: Date; why: string; refusals: number }

/** Adds to what other processes counted. */
export const addRefusals = async (db: Db, rows: readonly RefusedRow[]): Promise<void> => {
  await db
    .insertInto('refusedMails')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['slot', 'why']).doUpdateSet({
        refusals: sql<number>`refused_mails.refusals + excluded.refusals`,
      }),
    )
    .execute()
}

export const readRefusals = (db: Db, from: Date): Promise<RefusedRow[]> =>
  db.selectFrom('refusedMails').selectAll().where('slot', '>=', from).orderBy('slot').execute()

export const deleteRefusals = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('refusedMails').where('slot', '<', before).execute()
}
