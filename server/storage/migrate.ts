/** Brings the schema to the version of a program, while others of this version and of the release before work (decision 134). */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import pg from 'pg'
import { StartError } from '../lib/ports/bound-ports.ts'
import type { Database } from './database.ts'
import { recall } from './installation.ts'
import { type Builds, buildIndexes } from './migrations/build-indexes.ts'
import { namesDone, overRecords, recordInFirst, type SchemaMigrator } from './migrations/records.ts'

export type OwnMigration = Pick<Migration, 'up'> & {
  /** What it takes from programs of the release before, in the words of the check, and why nothing breaks there. */
  narrows?: Readonly<Record<string, string>>
  /** Indexes that it takes, built before it while all others work. In an empty database it makes them itself. */
  builds?: Builds
  /** No program of the release before works after it: it waits for `finishUpgrade`, or the next release. A new database has it at once. */
  waits?: true
}

export type Schema = {
  /** In the order in which they are done. */
  migrations: Readonly<Record<string, OwnMigration>>
  /** The last migration of the release before: what a program has to know to run beside this one. */
  lastRelease: string
}

/** In the table `installation`: the migration that a program must know, written by the newest one that migrated. */
const NEEDED = 'needed-migration'

/** A statement that waits for a lock lets nobody pass who comes after it. After a second PostgreSQL ends an autovacuum that is in the way. */
const LOCK_TIMEOUT_MS = 1_200
/** In between, those who waited behind it go on. */
const PAUSE_MS = 2_000

export const NEWER =
  'This database was made by a newer version of Mailstead. Please start that version, or a newer one.'

/** `newer`: migrations of a newer program that were done. */
export const migratorFor = (
  db: Database,
  { migrations, lastRelease }: Schema,
  newer: readonly string[] = [],
): SchemaMigrator =>
  overRecords(db, {
    ...Object.fromEntries(newer.map((name) => [name, { up: async () => {} }])),
    ...Object.fromEntries(
      Object.entries(migrations).map(([name, { up, waits }]) => [
        name,
        waits || name > lastRelease ? { up: patiently(up, waits ? name : lastRelease) } : { up },
      ]),
    ),
  })

const patiently =
  (up: Migration['up'], needed: string): Migration['up'] =>
  async (db) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(db)
    await up(db)
    await sql`
      insert into installation (key, value) values (${NEEDED}, ${needed})
      on conflict (key) do update set value = greatest(installation.value, excluded.value)`.execute(
      db,
    )
  }

/** The names of those that wait in this database. */
export const waitingIn = async (db: Database, schema: Schema): Promise<string[]> => {
  const done = await namesDone((text) => sql.raw(text).execute(db))
  return done.length === 0 ? [] : Object.keys(schema.migrations).filter(isWaiting(schema, done))
}

const isWaiting =
  ({ migrations, lastRelease }: Schema, done: readonly string[]) =>
  (name: string): boolean =>
    migrations[name]?.waits === true && name > lastRelease && !done.includes(name)

/**
 * Under a lock, each migration in a transaction of its own, all at once in an empty database. Waits as long as somebody else has a
 * table that it needs, such as a backup.
 * @throws StartError when the database needs a newer program
 */
export const migrateSchema = (
  db: Database,
  schema: Schema,
  say: (line: string) => void = () => {},
): Promise<void> => migrateAll(db, schema, { isFinished: false, say })

/** Does what waits, too. From then on programs of the release before are refused; none may run. */
export const finishSchema = (
  db: Database,
  schema: Schema,
  say: (line: string) => void,
): Promise<void> => migrateAll(db, schema, { isFinished: true, say })

type Run = { isFinished: boolean; say: (line: string) => void }

const migrateAll = async (
  db: Database,
  schema: Schema,
  { isFinished, say }: Run,
): Promise<void> => {
  const said = new Set<string>()
  const sayOnce = (line: string): void => {
    if (!said.has(line)) say(line)
    said.add(line)
  }
  for (;;) {
    const next = await findNext(db, schema, isFinished)
    if (next === null) return
    try {
      if (next.builds !== undefined) {
        sayOnce(BUILDING)
        await buildIndexes(db, next.name, next.builds)
      }
      const { error } = await next.run()
      if (error !== undefined) throw error
    } catch (error) {
      if (isInTheWay(error)) {
        sayOnce(WAITING)
        await wait(PAUSE_MS)
      } else if (!isUnknown(error)) throw error
    }
  }
}

type Next = { name: string; builds?: Builds; run(): Promise<{ error?: unknown }> }

/** null: all are done. Another process may do it first; nothing after it is done then without what is built for that. */
const findNext = async (
  db: Database,
  schema: Schema,
  isFinished: boolean,
): Promise<Next | null> => {
  const done = await namesDone((text) => sql.raw(text).execute(db))
  const newer = await newerOf(db, schema, done)
  const waits = isFinished || done.length === 0 ? () => false : isWaiting(schema, done)
  const name = Object.keys(schema.migrations)
    .toSorted()
    .find((each) => !done.includes(each) && !waits(each))
  if (name === undefined) return null
  if (done.length === 0)
    return { name, run: () => migratorFor(db, schema, newer).migrateToLatest() }
  const { builds, waits: endsWayBack } = schema.migrations[name] ?? {}
  const later = done.find((each) => each > name && schema.migrations[each]?.waits !== true)
  if (!endsWayBack && later !== undefined) throw new Error(`${later} was done before ${name}.`)
  const known = Object.entries(schema.migrations).filter(
    ([each]) => each === name || done.includes(each),
  )
  const upToIt = { ...schema, migrations: Object.fromEntries(known) }
  const migrator = migratorFor(db, upToIt, newer)
  const run = async () => {
    if (endsWayBack) await recordInFirst(db)
    return migrator.migrateUp()
  }
  return { name, ...(builds && { builds }), run }
}

const BUILDING =
  'Indexes of the mail are built, beside all who work. With a lot of mail that takes minutes, and longer while a backup is made ...'

const WAITING =
  'The database is updated as soon as a table that is in use, by a backup perhaps, is free for a moment ...'

/** A lock was not free in time, or two waited for each other. */
const isInTheWay = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')

/** A newer program has done one since we looked. */
const isUnknown = (error: unknown): boolean =>
  error instanceof Error && /previously executed migration .* is missing/.test(error.message)

/** @throws StartError */
const newerOf = async (
  db: Database,
  { migrations }: Schema,
  done: readonly string[],
): Promise<string[]> => {
  const newer = done.filter((name) => !Object.hasOwn(migrations, name))
  if (newer.length === 0) return []
  const needed = await recall(db, NEEDED)
  if (needed === null || !Object.hasOwn(migrations, needed)) throw new StartError(NEWER)
  return newer
}
