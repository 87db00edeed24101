/**
 * Which migrations were done. Programs from before decision 134 refuse a database whose record names one that they do not know, so
 * that those after the last one they have are recorded in a table that they do not read.
 */
import { sql } from 'kysely'
import {
  type Migration,
  type MigrationInfo,
  type MigrationResultSet,
  Migrator,
} from 'kysely/migration'
import type { Database } from '../database.ts'

/** The last one in the first record. */
const FIRST_ENDS = '0095-keys-of-holders'
export const [FIRST, SECOND] = ['kysely_migration', 'kysely_migration_since']

/** In the order of their names, from both. `query`: in which schema is its matter. */
export const namesDone = async (
  query: (text: string) => Promise<{ rows: unknown[] }>,
): Promise<string[]> => {
  const { rows: tables } = await query(
    `select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relname in ('${FIRST}', '${SECOND}')`,
  )
  if (tables.length === 0) return []
  const each = (tables as Named[]).map(({ name }) => `select name from ${name}`)
  const { rows } = await query(`${each.join(' union ')} order by name`)
  return (rows as Named[]).map(({ name }) => name)
}

type Named = { name: string }

/** Kysely's, over both records. */
export type SchemaMigrator = {
  getMigrations(): Promise<readonly MigrationInfo[]>
  /** The next one. */
  migrateUp(): Promise<MigrationResultSet>
  migrateTo(name: string): Promise<MigrationResultSet>
  migrateToLatest(): Promise<MigrationResultSet>
}

export const overRecords = (
  db: Database,
  all: Readonly<Record<string, Migration>>,
): SchemaMigrator => {
  /** `isEnough`: after these the others have nothing to do. */
  const run = async (
    part: (migrator: Migrator) => Promise<MigrationResultSet>,
    isEnough: (done: MigrationResultSet) => boolean = () => false,
  ): Promise<MigrationResultSet> => {
    const results: NonNullable<MigrationResultSet['results']> = []
    for (const migrator of await migratorsOf(db, all)) {
      const done = await part(migrator)
      results.push(...(done.results ?? []))
      if (done.error !== undefined) return { results, error: done.error }
      if (isEnough(done)) break
    }
    return { results }
  }
  return {
    getMigrations: async () =>
      (await Promise.all((await migratorsOf(db, all)).map((each) => each.getMigrations()))).flat(),
    migrateUp: () =>
      run(
        (migrator) => migrator.migrateUp(),
        ({ results = [] }) => results.length > 0,
      ),
    migrateTo: (name) =>
      run(
        async (migrator) =>
          (await migrator.getMigrations()).some((each) => each.name === name)
            ? migrator.migrateTo(name)
            : migrator.migrateToLatest(),
        () => name <= FIRST_ENDS,
      ),
    migrateToLatest: () => run((migrator) => migrator.migrateToLatest()),
  }
}

const migratorsOf = async (
  db: Database,
  all: Readonly<Record<string, Migration>>,
): Promise<Migrator[]> => {
  const migrator = (migrationTableName: string, isIn: (name: string) => boolean) =>
    new Migrator({
      // One that waits comes after others (`migrate.ts`, which looks at the order).
      ...{ db, migrationTableName, allowUnorderedMigrations: true },
      provider: {
        getMigrations: async () =>
          Object.fromEntries(Object.entries(all).filter(([name]) => isIn(name))),
      },
    })
  const isLater = (name: string) => name > FIRST_ENDS
  return (await isInOne(db))
    ? [migrator(FIRST, () => true)]
    : [migrator(FIRST, (name) => !isLater(name)), migrator(SECOND, isLater)]
}

/** A new database, which no older program has to open; one whose upgrade was finished; one where a program in between recorded all in the first. */
const isInOne = async (db: Database): Promise<boolean> => {
  const { rows } = await sql<{
    is: boolean
  }>`select to_regclass(${FIRST}) is not null as is`.execute(db)
  if (rows[0]?.is !== true) return true
  const first = sql.table(FIRST)
  const { rows: found } = await sql<{ is: boolean }>`
    select exists (select from ${first} where name > ${FIRST_ENDS})
      or not exists (select from ${first}) as is`.execute(db)
  return found[0]?.is === true
}

/** From then on programs from before the second record are refused. It stays: somebody may be reading it. */
export const recordInFirst = async (db: Database): Promise<void> => {
  if (await isInOne(db)) return
  await sql`insert into ${sql.table(FIRST)} select * from ${sql.table(SECOND)} on conflict do nothing`.execute(
    db,
  )
}
