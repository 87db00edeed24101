/** Opens a database that is to be filled by a restore, with the schema that a backup has. */
import { sql } from 'kysely'
import { StartError } from '../lib/ports/bound-ports.ts'
import type { Database } from './database.ts'
import {
  type DatabasePlace,
  migrateUntil,
  openPrepared,
  type Storage,
  type StorageEvents,
} from './open-storage.ts'

/** `until`: the last migration. `mayEmpty`: what an earlier try left is deleted. */
export type EmptyStorage = { until: string; mayEmpty: boolean }

export const BACKUP_IS_NEWER =
  'The backup was made by a newer version of Mailstead. Please restore it with that version, or a newer one.'

/** @throws StartError when the database has tables, or the migration is one of a newer Mailstead */
export const openEmptyStorage = (
  config: DatabasePlace,
  events: StorageEvents,
  { until, mayEmpty }: EmptyStorage,
): Promise<Storage> =>
  openPrepared(config, events, async (db) => {
    if (mayEmpty) await empty(db)
    else if (await hasTables(db))
      throw new StartError('The database is not empty. Please restore into an empty one.')
    if (!(await migrateUntil(db, until))) throw new StartError(BACKUP_IS_NEWER)
  })

const hasTables = async (db: Database): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Tables, sequences, functions and types, not what an extension brought. The schema itself may be somebody else's. */
const empty = async (db: Database): Promise<void> => {
  const { rows } = await sql<{ command: string }>`
    select format('drop table if exists %s cascade', c.oid::regclass) as command
      from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    union all
    select format('drop sequence if exists %s cascade', c.oid::regclass)
      from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S'
    union all
    select format('drop routine if exists %s cascade', p.oid::regprocedure)
      from pg_proc p where p.pronamespace = current_schema()::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select format('drop type if exists %s cascade', t.oid::regtype)
      from pg_type t where t.typnamespace = current_schema()::regnamespace and t.typtype in ('e', 'd')
        and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')`.execute(
    db,
  )
  for (const { command } of rows) await sql.raw(command).execute(db)
}
