/** Indexes of tables that grow with the mail, built while all others read and write (`create index concurrently`). */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { namesDone } from './records.ts'

/** By their names: `unique index` or `index`, and the table with its columns in brackets. */
export type Builds = Readonly<Record<string, { kind: 'index' | 'unique index'; on: string }>>

const PAUSE_MS = 500

/**
 * Before the migration that takes them. Two processes build one after the other: who waits must not do so in a statement, since the
 * building waits for all statements that run. What a killed process left half built is dropped first.
 */
export const buildIndexes = (db: Database, migration: string, builds: Builds): Promise<void> =>
  db.connection().execute(async (session) => {
    for (;;) {
      const { rows } = await sql<{ isOurs: boolean }>`
        select pg_try_advisory_lock(hashtextextended('mailstead builds indexes', 0)) as "isOurs"`.execute(
        session,
      )
      if (rows[0]?.isOurs) break
      await wait(PAUSE_MS)
    }
    try {
      // However long it takes.
      await sql`set statement_timeout = 0`.execute(session)
      await sql`set lock_timeout = 0`.execute(session)
      for (const [name, { kind, on }] of Object.entries(builds)) {
        // In this order: the migration that takes an index is recorded in the moment in which the index goes.
        if (await isBuilt(session, name)) continue
        if (await isDone(session, migration)) return
        await sql.raw(`drop index concurrently if exists ${name}`).execute(session)
        await sql.raw(`create ${kind} concurrently ${name} on ${on}`).execute(session)
      }
    } finally {
      await giveBack(session)
    }
  })

/** A connection that is lost has nothing to give back, and another error to tell. */
const giveBack = async (session: Db): Promise<void> => {
  try {
    await sql`reset statement_timeout`.execute(session)
    await sql`reset lock_timeout`.execute(session)
    await sql`select pg_advisory_unlock_all()`.execute(session)
  } catch {
    // Its locks ended with it.
  }
}

const isDone = async (db: Db, migration: string): Promise<boolean> =>
  (await namesDone((text) => sql.raw(text).execute(db))).includes(migration)

const isBuilt = async (db: Db, name: string): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${name}) and indisvalid`.execute(db)
  return rows.length > 0
}
