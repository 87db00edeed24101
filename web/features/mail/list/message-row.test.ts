import { expect, test } from 'vitest'
import type { MailRow } from './mail-row.ts'
import { correspondentsOf } from './message-row.tsx'

const row = (...names: string[]) =>
  ({
    from: null,
    to: [],
    people: names.map((name, n) => ({ name, address: `p${n}@example.net` })),
  }) as unknown as MailRow

test.each([
  [['Doe, Ann', 'Bo Berg'], 'Bo, Ann'],
  [['Ann Doe', ''], 'p1, Ann'],
  [['Doe,', ' , ', 'Čapek, Karel'], 'Karel, p1, Doe'],
])('those who write to each other are listed by their first names: %j', (names, listed) => {
  expect(correspondentsOf(row(...names), 'me@example.com', false)).toBe(listed)
})

test('a report of the mail system has its whole name, and the reader is me', () => {
  const people = [
    { name: 'Ann Doe', address: 'me@example.com' },
    { name: 'Mail delivery', address: 'postmaster@mx.example.net' },
  ]
  const listed = { ...row(), people: people.toReversed() }
  expect(correspondentsOf(listed, 'me@example.com', false)).toBe('me, Mail delivery')
})
