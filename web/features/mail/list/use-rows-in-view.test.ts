import { expect, test } from 'vitest'
import { fromToShow } from './use-rows-in-view.ts'

const ROW_PX = 88

test.each([
  ['in the middle stays', 5, { from: 0, height: 800 }, 0],
  ['at the end gets two below it', 8, { from: 0, height: 800 }, 11 * ROW_PX - 800],
  ['at the top gets two above it', 10, { from: 10 * ROW_PX, height: 800 }, 8 * ROW_PX],
  ['in a window for one row stands in its middle', 3, { from: 0, height: 100 }, 3 * ROW_PX - 6],
])('a row %s', (_name, index, shown, from) => {
  expect(fromToShow(index, ROW_PX, shown)).toBe(from)
})
