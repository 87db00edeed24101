/**
 * What copies of whole tables need, for backups and for the step to a newer PostgreSQL. Which tables and columns there are is read
 * from the database itself, so that none is forgotten.
 */
import type pg from 'pg'
import { FIRST, SECOND } from './migrations/records.ts'

/** Which migrations were done is told otherwise. */
const NOT_COPIED = [FIRST, SECOND, 'kysely_migration_lock']

export type TableColumns = { name: string; columns: string[] }

/** In the order of their names, without columns that PostgreSQL computes. */
export const tablesOf = async (client: pg.ClientBase): Promise<TableColumns[]> => {
  const { rows } = await client.query<TableColumns>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = current_schema() and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' and c.relname != all($1)
    group by c.relname order by c.relname`,
    [NOT_COPIED],
  )
  return rows
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** For COPY. */
export const asList = ({ name, columns }: TableColumns): string =>
  `${quoted(name)} (${columns.map(quoted).join(', ')})`

const LINE_END = 10

/** In PostgreSQL's text format a row is a line: line breaks in values are escaped. */
export const countLines = (bytes: Buffer): number => {
  let lines = 0
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) lines++
  return lines
}

/** Where each sequence stands; without those that gave no number yet. */
export const sequencesOf = async (client: pg.ClientBase): Promise<Record<string, number>> => {
  const { rows } = await client.query<{ name: string; value: number }>(
    `select sequencename as name, last_value as value from pg_sequences
    where schemaname = current_schema() and last_value is not null`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

export const setSequences = async (
  client: pg.ClientBase,
  sequences: Readonly<Record<string, number>>,
): Promise<void> => {
  for (const [name, value] of Object.entries(sequences))
    await client.query('select setval($1::regclass, $2)', [quoted(name), value])
}

/**
 * Takes away foreign keys, triggers and all indexes but those of keys: rows come in any order, and what triggers would write is
 * among them. @returns the commands that bring everything back
 */
export const putAside = async (
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<string[]> => {
  const { rows } = await client.query<{ aside: string; again: string }>(
    `select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as aside,
      format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as again
    from pg_constraint k where k.connamespace = current_schema()::regnamespace and k.contype = 'f'
    union all
    select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype != 'f')`,
  )
  for (const { aside } of rows) await client.query(aside)
  for (const table of tables)
    await client.query(`alter table ${quoted(table)} disable trigger user`)
  return [
    // Foreign keys may need an index.
    ...rows.map(({ again }) => again).toReversed(),
    ...tables.map((table) => `alter table ${quoted(table)} enable trigger user`),
  ]
}
