import { expect, test } from 'vitest'
import { foldedCount, unreadToOpen } from './conversation.tsx'

/** r: read, u: unread. */
const folded = (messages: string) =>
  foldedCount([...messages].map((sign) => ({ isRead: sign === 'r' })))

test('what is between the first and the last three messages is folded, but never one alone, and nothing unread', () => {
  expect(['', 'r', 'rrrr', 'rrrrr', 'rrrrrr', 'rrrrrrrrr'].map(folded)).toEqual([0, 0, 0, 0, 2, 5])
  expect(['urrrrr', 'ruuuuu', 'rrurrrr', 'rrrurrrrr', 'rrrrrrrru'].map(folded)).toEqual([
    2, 0, 0, 2, 5,
  ])
})

test('what is unread opens with its conversation, but never more than one can read', () => {
  const conversation = [...'rururr'].map((sign, at) => ({ at, isRead: sign === 'r' }))
  expect(unreadToOpen(conversation).map(({ at }) => at)).toEqual([1, 3])
  expect(unreadToOpen(Array.from({ length: 90 }, () => ({ isRead: false })))).toHaveLength(20)
})
