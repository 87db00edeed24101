/** Puts the workspace into unique keys and references, at their end: what finds a row by an id alone still does (decision 140). */

import { type Kysely, sql } from 'kysely'
import type { Builds } from '../build-indexes.ts'
import { lockTables } from '../lock-tables.ts'

/** Names stay as they were. */
export type Keys = {
  /** Of each table, the columns of its primary key. */
  primary?: Readonly<Record<string, string>>
  /** Of each table, the constraints with their columns. */
  unique?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Unique indexes that no constraint can be: their table, and after it columns and condition. */
  indexes?: Readonly<Record<string, readonly [table: string, columns: string, condition: string]>>
  /** Keys beside the primary key, which tables without a workspace refer to. */
  second?: Readonly<Record<string, string>>
  /** Their indexes are built before, beside those who work. */
  areLarge?: true
  /** Rows go with those that they refer to, unless `isKept` or `isEmptied`. */
  references?: readonly Reference[]
  /** Tables that the migration changes besides. */
  others?: readonly string[]
}

export type Reference = {
  from: string
  /** Without the workspace. */
  columns: string
  to: string
  /** 'id' when left out. */
  toColumns?: string
  isKept?: true
  /** These columns are, and the workspace stays. PostgreSQL 15. */
  isEmptied?: true
}

export const nameOf = ({ from, columns }: Reference): string =>
  `${from}_${columns.split(', ').join('_')}_fkey`

/** References are not checked against the rows of before: that takes as long as the table is large, and a migration of its own. */
export const widenKeys = async (db: Kysely<unknown>, keys: Keys): Promise<void> => {
  await lockTables(db, tablesOf(keys))
  for (const statement of statementsFor(keys)) await sql.raw(statement).execute(db)
}

const tablesOf = (keys: Keys): string[] => [
  ...constraintsOf(keys).map(({ table }) => table),
  ...(keys.references ?? []).flatMap(({ from, to }) => [from, to]),
  ...Object.values(keys.indexes ?? {}).map(([table]) => table),
  ...Object.keys(keys.second ?? {}),
  ...(keys.others ?? []),
]

const statementsFor = (keys: Keys): string[] => [
  // A workspace that is being restored from a backup has none.
  ...(keys.references ?? []).map(
    (reference) => `alter table ${reference.from} drop constraint if exists ${nameOf(reference)}`,
  ),
  ...(keys.areLarge ? swapsOf(keys) : changesOf(keys)),
  ...Object.entries(keys.second ?? {}).map(
    ([table, columns]) => `alter table ${table}
      add constraint ${table}_of_workspace unique (${columns}, workspace_id)`,
  ),
  // A move to another workspace writes those that refer and the one referred to, one after the other.
  ...(keys.references ?? []).map(
    (reference) => `alter table ${reference.from}
      add constraint ${nameOf(reference)} foreign key (${reference.columns}, workspace_id)
      references ${reference.to} (${reference.toColumns ?? 'id'}, workspace_id)
      ${onDelete(reference)} deferrable not valid`,
  ),
]

const onDelete = ({ columns, isKept, isEmptied }: Reference): string => {
  if (isEmptied) return `on delete set null (${columns})`
  return isKept ? '' : 'on delete cascade'
}

type Constraint = { table: string; name: string; kind: 'primary key' | 'unique'; columns: string }

const constraintsOf = ({ primary = {}, unique = {} }: Keys): Constraint[] => [
  ...Object.entries(primary).map(
    ([table, columns]): Constraint => ({
      ...{ table, name: `${table}_pkey`, kind: 'primary key', columns },
    }),
  ),
  ...Object.entries(unique).flatMap(([table, constraints]) =>
    Object.entries(constraints).map(
      ([name, columns]): Constraint => ({ table, name, kind: 'unique', columns }),
    ),
  ),
]

const changesOf = (keys: Keys): string[] => [
  ...constraintsOf(keys).map(anew),
  ...Object.entries(keys.indexes ?? {}).flatMap(([name, index]) => [
    `drop index ${name}`,
    `create unique index ${name} on ${placeOf(index)}`,
  ]),
]

const placeOf = ([table, columns, condition]: readonly [string, string, string]): string =>
  `${table} (${columns}, workspace_id) ${condition}`

const anew = ({ table, name, kind, columns }: Constraint): string =>
  `alter table ${table} drop constraint ${name}, add constraint ${name} ${kind} (${columns}, workspace_id)`

/** For tables that grow with the mail. */
export const buildsOf = (keys: Keys): Builds =>
  Object.fromEntries(
    [
      ...constraintsOf(keys).map(({ table, name, columns }) => [
        name,
        `${table} (${columns}, workspace_id)`,
      ]),
      ...Object.entries(keys.indexes ?? {}).map(([name, index]) => [name, placeOf(index)]),
    ].map(([name, on = '']) => [`${name}_next`, { kind: 'unique index', on }]),
  )

/** In an empty database nothing was built before. */
const swapsOf = (keys: Keys): string[] => [
  ...Object.entries(buildsOf(keys)).map(
    ([name, { kind, on }]) => `create ${kind} if not exists ${name} on ${on}`,
  ),
  ...constraintsOf(keys).map(
    ({ table, name, kind }) => `alter table ${table} drop constraint ${name},
      add constraint ${name} ${kind} using index ${name}_next`,
  ),
  ...Object.keys(keys.indexes ?? {}).flatMap((name) => [
    `drop index ${name}`,
    `alter index ${name}_next rename to ${name}`,
  ]),
]

const SAME_ROWS =
  'It refuses no row that the key before it let in: ids are random, and what hangs on one is of its workspace.'
const MOVES =
  'Only the move of a domain to another workspace breaks it for a moment: by an older program it is refused as a whole, and can be asked for again.'

export const narrowsOf = (keys: Keys): Record<string, string> =>
  Object.fromEntries([
    ...constraintsOf(keys).map(({ table, name }) => [another(name, table), SAME_ROWS]),
    ...Object.entries(keys.indexes ?? {}).map(([name, [table]]) => [
      another(name, table),
      SAME_ROWS,
    ]),
    ...Object.keys(keys.second ?? {}).map((table) => [
      `the unique ${table}_of_workspace of ${table} is new`,
      SAME_ROWS,
    ]),
    ...(keys.references ?? []).map((reference) => [
      `the reference ${nameOf(reference)} of ${reference.from} is another`,
      MOVES,
    ]),
  ])

const another = (name: string, table: string) => `the unique ${name} of ${table} is another`
