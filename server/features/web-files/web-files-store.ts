/** Files of the web app, of each release that was in use lately. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { WebFilesTable } from '#server/storage/rows/web-tables.ts'

/** Those of them that are there, and since when nobody said to have them. */
export const findServed = (
  db: Db,
  paths: readonly string[],
): Promise<Pick<WebFilesTable, 'path' | 'servedAt'>[]> =>
  db
    .selectFrom('webFiles')
    .select(['path', 'servedAt'])
    .where(sql<boolean>`path = any(${paths}::text[])`)
    .execute()

/** Of two processes that start at once, the first one writes it. */
export const insertFiles = async (db: Db, files: readonly WebFilesTable[]): Promise<void> => {
  if (files.length === 0) return
  await db
    .insertInto('webFiles')
    .values([...files])
    .onConflict((row) => row.column('path').doNothing())
    .execute()
}

/** Those that another process is noting at this moment are left to it. */
export const noteServed = async (db: Db, paths: readonly string[], at: Date): Promise<void> => {
  if (paths.length === 0) return
  await sql`
    update web_files set served_at = ${at} where path in (
      select path from web_files where path = any(${paths}::text[]) for update skip locked
    )`.execute(db)
}

export const deleteUnserved = async (db: Db, before: Date): Promise<void> => {
  await sql`
    delete from web_files where path in (
      select path from web_files where served_at < ${before} for update skip locked
    )`.execute(db)
}

export const findFile = (
  db: Db,
  path: string,
): Promise<Pick<WebFilesTable, 'body' | 'br' | 'mac'> | undefined> =>
  db
    .selectFrom('webFiles')
    .select(['body', 'br', 'mac'])
    .where('path', '=', path)
    .executeTakeFirst()
