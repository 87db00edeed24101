import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isTest, ourFiles } from '../checks/our-files.ts'
import {
  exceptions,
  findOwnerFaults,
  findUnasked,
  type Naming,
  namingsIn,
  owners,
  snake,
} from './table-owners.ts'

/** The tables of the type `Tables`, in PostgreSQL's spelling. */
const [, declared = ''] = readFileSync('server/storage/tables.ts', 'utf8').split('type Tables = {')
const tables = [...declared.matchAll(/^ {2}(\w+): \w+Table$/gm)].map(([, name = '']) => snake(name))

const isProduct = (path: string) =>
  path.startsWith('server/') && !isTest(path) && !path.includes('/migrations/')

/** @throws when there was nothing to check: a checker that sees no file must not pass */
const look = (paths: readonly string[]): Naming[] => {
  const namings = paths.flatMap((path) => namingsIn(path, readFileSync(path, 'utf8')))
  if (namings.length === 0) throw new Error('no table was named')
  return namings
}

const ours = look(ourFiles().filter(isProduct))
const faultsWith = (path: string, text: string) =>
  findOwnerFaults(tables, [...ours, ...namingsIn(path, text)])

it('only the room that owns a table names it in SQL', () => {
  expect(tables.length).toBeGreaterThan(50)
  const count = (how: Naming['how']) => ours.filter((naming) => naming.how === how).length
  expect(count('writes')).toBeGreaterThan(150)
  expect(count('reads')).toBeGreaterThan(250)
  expect(count('locks')).toBeGreaterThan(20)
  expect(findOwnerFaults(tables, ours)).toEqual([])
})

it('each table is owned and named by its room', () => {
  const named = new Set(ours.map(({ table }) => table))
  expect(
    Object.values(owners)
      .flat()
      .filter((table) => !named.has(table)),
  ).toEqual([])
  expect(findOwnerFaults(['orphans'], ours)).toEqual(['orphans needs one owner'])
})

const stats = 'server/features/stats/stats-store.ts'

it.each([
  ['writes mailbox_readers', "db.updateTable('mailboxReaders').set({ origin: 'given' })"],
  ['writes users', 'sql`delete from users where id = 1`'],
  ['writes users', 'sql`\n  insert into users (id) values (1)`'],
  ['reads mailboxes', "db.selectFrom('mailboxes').select('id')"],
  ['reads mailboxes', "db\n  .selectFrom(\n    'mailboxes as m',\n  )"],
  ['reads users', "query.leftJoin('users as maker', 'maker.id', 'madeBy')"],
  ['reads members', "db.selectFrom(['members', 'greylist'])"],
  ['reads members', 'sql`select from greylist join members on true`'],
  ['reads members', "const name = 'members'\nsql.table(name)"],
  ['reads members', "const name = 'members'\nof.selectFrom(name)"],
  ['reads folders', "moveByMailbox(db, move, ['folders'])"],
  [
    'locks domains',
    "db.selectFrom('domains').selectAll().where('id', '=', id).forUpdate().execute()",
  ],
  ['locks domains', "db.selectFrom('domains').select('id').forKeyShare().execute()"],
  ['locks domains', 'sql`select id from domains where id = 1 for no key update`'],
])('a planted fault is seen: %s', (fault, text) => {
  expect(faultsWith(stats, text)).toContain(`${stats} ${fault}`)
})

it('an exception reads what it says, writes nothing, and locks only when it says so', () => {
  const path = 'server/features/domains/domain-list-store.ts'
  expect(faultsWith(path, "db.selectFrom('mailboxes').select('id').execute()")).toEqual([])
  expect(faultsWith(path, "db.selectFrom('aliases').select('id').execute()")).toEqual([
    `${path} reads aliases`,
  ])
  expect(faultsWith(path, "db.deleteFrom('mailboxes').execute()")).toEqual([
    `${path} writes mailboxes`,
  ])
  expect(faultsWith(path, "db.selectFrom('mailboxes').forUpdate().execute()")).toEqual([
    `${path} locks mailboxes`,
  ])
})

it('exceptions only get fewer', () => {
  const without = ours.filter(
    ({ path }) => path !== 'server/features/messages/blobs/blob-queries.ts',
  )
  expect(findOwnerFaults([], without)).toEqual([
    'server/features/messages/blobs/blob-queries.ts asks uploads no more',
    'server/features/messages/blobs/blob-queries.ts asks mail_import_chunks no more',
  ])
  const asked = Object.values(exceptions).flatMap(({ reads }) => reads)
  expect(asked.length).toBeLessThanOrEqual(17)
  for (const { why } of Object.values(exceptions)) expect(why.length).toBeGreaterThan(40)
})

it('what is open to later rooms is asked by one of them', () => {
  const files = new Map(
    ourFiles()
      .filter(isProduct)
      .map((path) => [path, readFileSync(path, 'utf8')]),
  )
  expect([...files.keys()].filter((path) => path.endsWith('-queries.ts')).length).toBeGreaterThan(
    15,
  )
  expect(findUnasked(files)).toEqual([])
  const planted = 'server/features/stats/planted-queries.ts'
  files.set(planted, '')
  files.set('server/features/stats/stats.ts', `import '#${planted}'`)
  expect(findUnasked(files)).toEqual([planted])
})

it('a comment and the name of something else are no table', () => {
  const text =
    "/** from users */\n// join members\nrow.as('members')\nannounce({ topic: 'domains' })"
  expect(namingsIn(stats, text)).toEqual([])
})

it('looking at no file fails', () => {
  expect(() => look([])).toThrow('no table was named')
})
