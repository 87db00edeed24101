/** Advisory locks of the whole installation. They end with the connection that holds them. */
import { sql } from 'kysely'
import type pg from 'pg'
import { NOTICE_DEATH } from '../lib/notice-death.ts'
import type { Db } from './database.ts'
import { withConnection } from './own-connection.ts'

/** One backup at a time. */
export const BACKUP_LOCK = 7_620_001
/** Held by the sweep of blobs, and shared by a backup, which reads blobs that rows named when it began. */
export const SWEEP_LOCK = 7_620_002
/** Held by the worker that makes a backup that an operator asked for. */
export const ASKED_BACKUP_LOCK = 7_620_003
/** Held by the worker that verifies a backup. */
export const VERIFY_LOCK = 7_620_004

/** PostgreSQL ends this session when its host is silent for half a minute, as one that lost its power; else it waits for two hours. */
export const noticeDeath = async (holder: pg.Client): Promise<void> => {
  await holder.query(NOTICE_DEATH)
}

export const tryLock = async (holder: pg.Client, lock: number): Promise<boolean> => {
  await noticeDeath(holder)
  const { rows } = await holder.query<{ isOurs: boolean }>(
    'select pg_try_advisory_lock($1) as "isOurs"',
    [lock],
  )
  return rows[0]?.isOurs === true
}

/** @returns null, and does nothing, while another connection holds the lock. A killed process holds none. */
export const oneAtOnce = <T>(
  connection: pg.ClientConfig,
  lock: number,
  use: () => Promise<T>,
): Promise<T | null> =>
  withConnection(connection, 'mailstead lock', async (client) =>
    (await tryLock(client, lock)) ? use() : null,
  )

/** Whether any connection holds it. */
export const isLocked = async (db: Db, lock: number): Promise<boolean> => {
  const { rows } = await sql<{ isHeld: boolean }>`
    select exists (select from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and classid = 0 and objid = ${sql.lit(lock)} and objsubid = 1) as is_held`.execute(db)
  return rows[0]?.isHeld === true
}
