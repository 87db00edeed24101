/** Advisory locks of the whole installation. They end with the connection that holds them. */
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** One backup at a time. */
export const BACKUP_LOCK = 7_620_001
/** Held by the sweep of blobs, and shared by a backup, which reads blobs that rows named when it began. */
export const SWEEP_LOCK = 7_620_002
/** Held by the worker that makes a backup that an operator asked for. */
export const ASKED_BACKUP_LOCK = 7_620_003
/** Held by the worker that verifies a backup. */
export const VERIFY_LOCK = 7_620_004

/** `holder`: one connection. */
export const tryLock = async (holder: Db, lock: number): Promise<boolean> => {
  const { rows } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_lock(${sql.lit(lock)}) as is_ours`.execute(holder)
  return rows[0]?.isOurs === true
}

/** Whether any connection holds it. */
export const isLocked = async (db: Db, lock: number): Promise<boolean> => {
  const { rows } = await sql<{ isHeld: boolean }>`
    select exists (select from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and classid = 0 and objid = ${sql.lit(lock)} and objsubid = 1) as is_held`.execute(db)
  return rows[0]?.isHeld === true
}

export const unlock = async (holder: Db, lock: number): Promise<void> => {
  await sql`select pg_advisory_unlock(${sql.lit(lock)})`.execute(holder)
}
