/** Where the bytes of removed rows were: a trigger of each table that names blobs writes it down. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

/** `place`: a segment (decision 088), or a file by its hash. It may stand there several times, and be in use by another row. */
export type Freed = { id: number; place: string; bytes: number | null }

/** The last of those that were freed before; 0: none was. */
export const lastFreed = async (db: Db, before: Date): Promise<number> => {
  const last = await db
    .selectFrom('freedBlobs')
    .select((row) => row.fn.max('id').as('id'))
    .where('at', '<', before)
    .executeTakeFirst()
  return last?.id ?? 0
}

/** In the order of their ids. */
export const findFreed = (
  db: Db,
  { above, upTo, limit }: { above: number; upTo: number; limit: number },
): Promise<Freed[]> =>
  db
    .selectFrom('freedBlobs')
    .select(['id', 'place', 'bytes'])
    .where('id', '>', above)
    .where('id', '<=', upTo)
    .orderBy('id')
    .limit(limit)
    .execute()

export const forgetFreed = async (db: Db, ids: readonly number[]): Promise<void> => {
  await db.deleteFrom('freedBlobs').where(sql<boolean>`id = any(${ids}::bigint[])`).execute()
}

export type FreedSegment = { place: string; bytes: number }

/** Adds what a run found to what runs before it left. @returns all that was freed in these segments since they were looked at */
export const addFreedBytes = async (
  db: Db,
  freed: readonly FreedSegment[],
): Promise<FreedSegment[]> => {
  if (freed.length === 0) return []
  return db
    .insertInto('freedSegments')
    .values([...freed])
    .onConflict((on) =>
      on.column('place').doUpdateSet({
        bytes: (row) => sql`${row.ref('freedSegments.bytes')} + ${row.ref('excluded.bytes')}`,
      }),
    )
    .returning(['place', 'bytes'])
    .execute()
}

/** The segment was looked at, or is gone. */
export const forgetFreedBytes = async (db: Db, places: readonly string[]): Promise<void> => {
  await db.deleteFrom('freedSegments').where(sql<boolean>`place = any(${places}::text[])`).execute()
}
