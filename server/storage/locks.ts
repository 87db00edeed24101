/** Advisory locks of the whole installation. They end with the connection that holds them. */
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** One backup at a time. */
export const BACKUP_LOCK = 7_620_001
/** Held by the sweep of blobs, and shared by a backup, which reads blobs that rows named when it began. */
export const SWEEP_LOCK = 7_620_002

/** `holder`: one connection. */
export const tryLock = async (holder: Db, lock: number): Promise<boolean> => {
  const { rows } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_lock(${sql.lit(lock)}) as is_ours`.execute(holder)
  return rows[0]?.isOurs === true
}

export const unlock = async (holder: Db, lock: number): Promise<void> => {
  await sql`select pg_advisory_unlock(${sql.lit(lock)})`.execute(holder)
}
