import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isTest, ourFiles } from '../checks/our-files.ts'
import { alsoWrites, findOwnerFaults, owners, snake, writesIn } from './table-owners.ts'

/** Those of the type `Tables`, as PostgreSQL spells them. */
const [, declared = ''] = readFileSync('server/storage/tables.ts', 'utf8').split('type Tables = {')
const tables = [...declared.matchAll(/^ {2}(\w+): \w+Table$/gm)].map(([, name = '']) => snake(name))

const isProduct = (path: string) =>
  path.startsWith('server/') && !isTest(path) && !path.includes('/migrations/')

it('each table is written by the room that owns it', () => {
  expect(tables.length).toBeGreaterThan(50)
  const writes = ourFiles()
    .filter(isProduct)
    .flatMap((path) => writesIn(path, readFileSync(path, 'utf8')))
  expect(writes.length).toBeGreaterThan(100)
  expect(findOwnerFaults(tables, writes)).toEqual([])
})

it('sees a planted write, a table without an owner, and an exception that nobody needs', () => {
  const path = 'server/features/stats/stats-store.ts'
  const planted =
    "db.updateTable('mailboxReaders'); sql`delete from users where id = 1 for update of x`"
  expect(writesIn(path, planted)).toEqual([
    { room: 'stats', table: 'mailbox_readers' },
    { room: 'stats', table: 'users' },
  ])
  const all = Object.entries({ ...owners }).flatMap(([room, names]) =>
    [...names, ...(alsoWrites[room] ?? [])].map((table) => ({ room, table })),
  )
  const moved = (alsoWrites.moves ?? []).map((table) => ({ room: 'moves', table }))
  const needed = [...all, ...moved]
  expect(findOwnerFaults(['users'], needed)).toEqual([])
  expect(findOwnerFaults(['orphans'], [...needed, { room: 'stats', table: 'users' }])).toEqual([
    'orphans needs one owner',
    'stats writes users',
  ])
  expect(findOwnerFaults([], all)).toContain('moves no longer writes users')
})
