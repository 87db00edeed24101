import { expect, test } from 'vitest'
import type { Changed } from '#contract/events.ts'
import { AnnouncedChanges } from './announced-changes.ts'

const of = (workspaceId: string): Changed => ({ topic: 'mailboxes', workspaceId })

test('tells what came after, each change once, in the order in which they were announced last', () => {
  const announced = new AnnouncedChanges()
  announced.add(of('before'))
  const id = announced.lastId
  expect(announced.after(id)).toEqual([])
  for (const name of ['a', 'b', 'a', 'before']) announced.add(of(name))
  expect(announced.after(id)).toEqual([of('b'), of('a'), of('before')])
  expect(announced.after(announced.lastId)).toEqual([])
})

test('knows nothing of what another process announced, or of an id that is none', () => {
  const announced = new AnnouncedChanges()
  announced.add(of('a'))
  for (const id of [
    new AnnouncedChanges().lastId,
    '',
    '.',
    'x',
    announced.lastId.replace(/\d+$/, 'x'),
  ])
    expect(announced.after(id)).toBeNull()
})

test('knows nothing of what came before some were lost', () => {
  const announced = new AnnouncedChanges()
  const before = announced.lastId
  announced.lose()
  expect(announced.after(before)).toBeNull()
  const since = announced.lastId
  announced.add(of('a'))
  expect(announced.after(since)).toEqual([of('a')])
})

test('keeps ten thousand different changes', () => {
  const announced = new AnnouncedChanges()
  const first = announced.lastId
  for (let at = 0; at < 10_000; at++) announced.add(of(`w${at}`))
  expect(announced.after(first)).toHaveLength(10_000)
  const second = announced.lastId
  announced.add(of('one more'))
  expect(announced.after(first)).toBeNull()
  expect(announced.after(second)).toEqual([of('one more')])
})
