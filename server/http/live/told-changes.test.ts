import { expect, test } from 'vitest'
import type { Changed } from '#contract/events.ts'
import { ToldChanges } from './told-changes.ts'

const of = (workspaceId: string): Changed => ({ topic: 'mailboxes', workspaceId })

test('tells what came after, each change once, in the order in which they were told last', () => {
  const told = new ToldChanges()
  told.add(of('before'))
  const id = told.lastId
  expect(told.after(id)).toEqual([])
  for (const name of ['a', 'b', 'a', 'before']) told.add(of(name))
  expect(told.after(id)).toEqual([of('b'), of('a'), of('before')])
  expect(told.after(told.lastId)).toEqual([])
})

test('knows nothing of what another process told, or of an id that is none', () => {
  const told = new ToldChanges()
  told.add(of('a'))
  for (const id of [new ToldChanges().lastId, '', '.', 'x', told.lastId.replace(/\d+$/, 'x')])
    expect(told.after(id)).toBeNull()
})

test('knows nothing of what came before some were lost', () => {
  const told = new ToldChanges()
  const before = told.lastId
  told.lose()
  expect(told.after(before)).toBeNull()
  const since = told.lastId
  told.add(of('a'))
  expect(told.after(since)).toEqual([of('a')])
})

test('keeps ten thousand different changes', () => {
  const told = new ToldChanges()
  const first = told.lastId
  for (let at = 0; at < 10_000; at++) told.add(of(`w${at}`))
  expect(told.after(first)).toHaveLength(10_000)
  const second = told.lastId
  told.add(of('one more'))
  expect(told.after(first)).toBeNull()
  expect(told.after(second)).toEqual([of('one more')])
})
