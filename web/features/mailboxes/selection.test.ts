import { expect, test } from 'vitest'
import { everything, isSelected, selectionAfter } from './selection.ts'

const shown = ['a', 'b', 'c']

test('at first everything is selected, also what has not been read yet', () => {
  expect(isSelected(everything, 'never seen')).toBe(true)
})

test('one box unticked leaves the rest, read or not', () => {
  const after = selectionAfter(everything, shown, new Set(['a', 'c']))
  expect([...shown, 'later'].map((id) => isSelected(after, id))).toEqual([true, false, true, true])
})

test('unticking all deselects what has not been read yet', () => {
  const none = selectionAfter(everything, shown, new Set())
  expect(isSelected(none, 'later')).toBe(false)
  const one = selectionAfter(none, shown, new Set(['b']))
  expect([...shown, 'later'].map((id) => isSelected(one, id))).toEqual([false, true, false, false])
})

test('an exception that is not on the screen is kept', () => {
  const before = { isAll: true, exceptions: new Set(['elsewhere']) }
  const after = selectionAfter(before, shown, new Set(['a', 'b']))
  expect(isSelected(after, 'elsewhere')).toBe(false)
  expect(isSelected(after, 'c')).toBe(false)
})
