import { expect, test } from 'vitest'
import type { MailRow } from './mail-row.ts'
import { correspondentsOf } from './message-row.tsx'
import { targetOfAll, targetOfFound, targetOfRows } from './target.ts'

const person = (name: string, address = `${name}@x.example`) => ({ name, address })
const row = (given: Partial<MailRow>): MailRow => ({
  ...{ _id: 'm1', subject: '', from: person('Eve'), to: [person('Ada')], date: '', preview: '' },
  ...{
    isRead: true,
    isStarred: false,
    isAnswered: false,
    isForwarded: false,
    hasAttachments: false,
    size: 1,
  },
  ...{ key: 't1', found: null, messages: 1, people: [], opens: 'm1', folder: null },
  ...given,
})

test('conversations are meant within their folder, what was found as messages', () => {
  const rows = [row({}), row({ _id: 'm2', key: 't2', isRead: false })]
  const target = targetOfRows(rows, 'inbox')
  expect(target).toMatchObject({
    what: { conversations: { folder: 'inbox', threads: ['t1', 't2'] } },
    ...{ count: 2, folder: 'inbox', isRead: false },
  })
  expect(target?.isAffected({ _id: 'new', threadId: 't2' })).toBe(true)
  expect(target?.isAffected({ _id: 'm1', threadId: 't9' })).toBe(false)
  const found = row({ found: ['m1', 'm0'], folder: 'junk' })
  expect(targetOfRows([found], 'inbox')).toMatchObject({
    what: { messages: ['m1', 'm0'] },
    folder: 'junk',
  })
  expect(targetOfRows([], 'inbox')).toBeNull()
})

test('a whole folder is meant up to a moment, but what was left out', () => {
  const selection = { keys: new Set(['t1']), allUntil: 'then' }
  const target = targetOfAll('inbox', selection, 9)
  expect(target.what).toEqual({ all: { folder: 'inbox', until: 'then', except: ['t1'] } })
  expect(target.isAffected({ _id: 'm', threadId: 't1' })).toBe(false)
  expect(target.isAffected({ _id: 'm', threadId: 't2' })).toBe(true)
})

test('all of a search is meant up to a moment, in the rows of the search alone', () => {
  const selection = { keys: new Set(['t1']), allUntil: 'then' }
  const target = targetOfFound({ q: 'red', folder: 'inbox', isOnly: false }, selection, 9)
  expect(target.what).toEqual({ found: { q: 'red', until: 'then', except: ['t1'] } })
  expect(target.isAffected({ _id: 'm', threadId: 't1', found: ['m'] })).toBe(false)
  expect(target.isAffected({ _id: 'm', threadId: 't2', found: ['m'] })).toBe(true)
  expect(target.isAffected({ _id: 'm', threadId: 't2' })).toBe(false)
  const inFolder = targetOfFound({ q: 'red', folder: 'trash', isOnly: true }, selection, 9)
  expect(inFolder.what.found?.folder).toBe('trash')
})

test('a row names who writes, oldest first and oneself as me', () => {
  const people = [person('Grace Hopper'), person('', 'ada@x.example'), person('Eve')]
  expect(correspondentsOf(row({ people }), 'ada@x.example', false)).toBe('Eve, me, Grace')
  expect(correspondentsOf(row({}), '', false)).toBe('Eve')
  expect(correspondentsOf(row({ from: null }), '', false)).toBe('(no sender)')
  expect(correspondentsOf(row({ to: [] }), '', true)).toBe('(no recipient)')
})
