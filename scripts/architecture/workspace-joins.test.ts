/** Joins name the workspace, or docs/operating/distributed-postgresql.md says why not (decision 141). */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#test-world/database.ts'
import { isTest, ourFiles } from '../checks/our-files.ts'
import { snake } from './table-owners.ts'
import { joinsWithout, type Source } from './workspace-joins.ts'

const PAGE = 'docs/operating/distributed-postgresql.md'
const ROOMS = 'server/features/'

let database: TestDatabase
let tables: ReadonlySet<string>
beforeAll(async () => {
  database = await aDatabase()
  const all = await database.db.introspection.getTables()
  const isOfWorkspaces = (columns: { name: string }[]) =>
    columns.some(({ name }) => snake(name) === 'workspace_id')
  tables = new Set(
    all.filter(({ columns }) => isOfWorkspaces(columns)).map(({ name }) => snake(name)),
  )
})
afterAll(() => database.drop())

const sources: Source[] = ourFiles()
  .filter((path) => path.startsWith('server/') && !isTest(path) && !path.includes('/migrations/'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

it('each join without the workspace is counted on the page', () => {
  expect(tables.size).toBeGreaterThan(60)
  const counts = new Map<string, number>()
  for (const path of joinsWithout(tables, sources)) counts.set(path, (counts.get(path) ?? 0) + 1)
  const [, after = ''] = readFileSync(PAGE, 'utf8').split('\n## Joins without the workspace\n')
  const [section = ''] = after.split('\n## ')
  const told = [...section.matchAll(/^\| `([\w/.-]+)` \| (\d+) \|/gm)]
  expect(told.map(([, path, count]) => [`${ROOMS}${path}`, Number(count)])).toEqual(
    [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
})

describe('a planted join', () => {
  const found = (text: string) =>
    joinsWithout(tables, [...sources, { path: 'planted', text }]).filter(
      (path) => path === 'planted',
    ).length

  it.each([
    ["db.selectFrom('folders').innerJoin('mailboxes', 'mailboxes.id', 'folders.mailboxId')", 1],
    ["x.leftJoin(folderRows(db).as('f'), (on) => on.onRef('f.id', '=', 'm.folderId'))", 1],
    ['sql`select from folders f join mailboxes b on b.id = f.mailbox_id where true`', 1],
    [`sql\`select from folders f left join \${mailboxRows(db)} b on b.id = f.mailbox_id\``, 1],
    [
      "x.innerJoin('mailboxes', (on) => on.onRef('a.id', '=', 'b.id').onRef('a.workspaceId', '=', 'b.workspaceId'))",
      0,
    ],
    [
      'sql`select from f join mailboxes b on b.id = f.id and b.workspace_id = f.workspace_id join users u on u.id = f.id`',
      0,
    ],
    ["db.selectFrom('members').innerJoin('users', 'users.id', 'members.userId')", 0],
  ])('%s', (text, count) => {
    expect(found(text)).toBe(count)
  })
})
