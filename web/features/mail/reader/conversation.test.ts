import { expect, test } from 'vitest'
import { foldedCount } from './conversation.tsx'

/** r: read, u: unread. */
const folded = (messages: string) =>
  foldedCount([...messages].map((sign) => ({ isRead: sign === 'r' })))

test('what is between the first and the last three messages is folded, but never one alone, and nothing unread', () => {
  expect(['', 'r', 'rrrr', 'rrrrr', 'rrrrrr', 'rrrrrrrrr'].map(folded)).toEqual([0, 0, 0, 0, 2, 5])
  expect(['urrrrr', 'ruuuuu', 'rrurrrr', 'rrrurrrrr', 'rrrrrrrru'].map(folded)).toEqual([
    2, 0, 0, 2, 5,
  ])
})
