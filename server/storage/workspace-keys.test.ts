/** What a distributing PostgreSQL would still need is counted, and docs/operating/distributed-postgresql.md says it table by table. */
import { globSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#test-world/database.ts'

const PAGE = 'docs/operating/distributed-postgresql.md'

let database: TestDatabase
beforeAll(async () => {
  database = await aDatabase()
})
afterAll(() => database.drop())

type Table = { name: string; isOfWorkspaces: boolean; keys: string[]; references: number }

/** With the unique keys that lack `workspace_id`, and how many references between tables of workspaces do. */
const readTables = async (): Promise<Table[]> => {
  const { rows } = await sql<Table>`
    with tables as (
      select c.oid, c.relname::text as name, exists (
        select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
      ) as is_of_workspaces
      from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'
    ), keys as (
      select i.indrelid, case when i.indisprimary then 'PK' else 'UQ' end || '(' || (
        select string_agg(pg_get_indexdef(i.indexrelid, place, true), ', ' order by place)
        from generate_series(1, i.indnkeyatts) place
      ) || ')' as definition from pg_index i where i.indisunique
    )
    select t.name, t.is_of_workspaces as "isOfWorkspaces",
      array(select definition from keys where indrelid = t.oid and definition !~ '\\mworkspace_id\\M' order by definition) as keys,
      (select count(*)::int from pg_constraint f join tables other on other.oid = f.confrelid
        where f.contype = 'f' and f.conrelid = t.oid and t.is_of_workspaces and other.is_of_workspaces
          and pg_get_constraintdef(f.oid) !~ '\\mworkspace_id\\M') as references
    from tables t order by t.name`.execute(database.db)
  return rows
}

/** The rows of a table of the page, by its heading. */
const rowsUnder = (heading: string): string[][] => {
  const [, after = ''] = readFileSync(PAGE, 'utf8').split(`\n## ${heading}\n`)
  const [section = ''] = after.split('\n## ')
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** What is unique in the whole installation: tables that lead to a workspace, and are spread over no machines. */
const small = (): string[] => rowsUnder('Small tables').map(([name = '']) => name.slice(1, -1))

const tablesOfWorkspaces = async (): Promise<Table[]> =>
  (await readTables()).filter(
    ({ name, isOfWorkspaces }) => isOfWorkspaces && !small().includes(name),
  )

it('names each small table of what is unique in the whole installation, and its key', async () => {
  const tables = (await readTables()).filter(({ name }) => small().includes(name))
  expect(rowsUnder('Small tables').map((cells) => cells.slice(0, 2))).toEqual(
    tables.map(({ name, keys }) => [`\`${name}\``, keys.map((key) => `\`${key}\``).join(' ')]),
  )
  expect(tables.every(({ keys }) => keys.length > 0)).toBe(true)
})

it('names each key and reference of the tables of workspaces that lacks the workspace', async () => {
  const tables = await tablesOfWorkspaces()
  const left = tables.filter(({ keys, references }) => keys.length + references > 0)
  expect(left.length).toBeGreaterThan(0)
  const expected = left.map(({ name, keys, references }) => [
    `\`${name}\``,
    keys.map((key) => `\`${key}\``).join(' '),
    references === 0 ? '' : String(references),
  ])
  expect(rowsUnder('Tables of workspaces').map((cells) => cells.slice(0, 3))).toEqual(expected)
})

it('names each table that belongs to no workspace', async () => {
  const tables = (await readTables()).filter(({ isOfWorkspaces }) => !isOfWorkspaces)
  const named = rowsUnder('Tables without a workspace').map(([name]) => name)
  expect(named).toEqual(tables.map(({ name }) => `\`${name}\``))
})

it('counts what is left', async () => {
  const tables = await tablesOfWorkspaces()
  const count = (of: (table: Table) => number) => tables.reduce((sum, table) => sum + of(table), 0)
  const [keys, references] = [
    count((table) => table.keys.length),
    count((table) => table.references),
  ]
  expect(readFileSync(PAGE, 'utf8')).toContain(
    `Of ${tables.length} tables of workspaces, ${keys} unique keys and ${references} references lack \`workspace_id\`.`,
  )
})

const CONFLICTS = [
  /insertInto\('(\w+)'\)(?:(?!insertInto\()[\s\S])*?\.onConflict\(\((\w+)\) =>\s*\2\s*\.columns?\(([^)]*)\)/g,
  /insert into (\w+)()(?:(?!insert into)[\s\S])*?on conflict \(([^)]*)\)/g,
]

/** Where `on conflict` names the columns of a key, which then stay as they are for one more release. */
const conflictsByColumns = (): string[] =>
  globSync('{server,e2e,bench,soak,demo,test-world}/**/*.ts', {
    exclude: ['**/*.test.ts', '**/migrations/**'],
  })
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      return CONFLICTS.flatMap((conflict) => [...text.matchAll(conflict)])
    })
    .filter(([, , , columns = '']) => !/workspace_?id/i.test(columns))
    .map(([, table = '']) => table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

it('names constraints in conflicts, so that their columns can change', async () => {
  const tables = await tablesOfWorkspaces()
  const left = new Set(tables.map(({ name }) => name))
  expect(conflictsByColumns().filter((table) => left.has(table))).toEqual([])
})
