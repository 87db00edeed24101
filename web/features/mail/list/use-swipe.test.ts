import { expect, test } from 'vitest'
import { wayOf } from './use-swipe.ts'

test('a row that is let go too early goes back', () => {
  expect([0, 40, -87].map(wayOf)).toEqual([null, null, null])
  expect([88, 200, -88].map(wayOf)).toEqual(['right', 'right', 'left'])
})
