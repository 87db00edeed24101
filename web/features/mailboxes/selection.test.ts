import { expect, test } from 'vitest'
import { everything, isSelected, selectionAfter } from './selection.ts'

const shown = ['a', 'b', 'c']

test('at first everything is selected, also what has not been read yet', () => {
  expect(isSelected(everything, 'never seen')).toBe(true)
})

test('one box unticked leaves the rest, read or not', () => {
  const after = selectionAfter(everything, { shown }, new Set(['a', 'c']))
  expect([...shown, 'later'].map((id) => isSelected(after, id))).toEqual([true, false, true, true])
})

test('unticking all deselects what has not been read yet', () => {
  const none = selectionAfter(everything, { shown }, new Set())
  expect(isSelected(none, 'later')).toBe(false)
  const one = selectionAfter(none, { shown }, new Set(['b']))
  expect([...shown, 'later'].map((id) => isSelected(one, id))).toEqual([false, true, false, false])
  expect(isSelected(selectionAfter(one, { shown }, new Set(shown)), 'later')).toBe(true)
})

test('an exception that is not on the screen is kept', () => {
  const before = { isAll: true, exceptions: new Set(['elsewhere']) }
  const after = selectionAfter(before, { shown }, new Set(['a', 'b']))
  expect(isSelected(after, 'elsewhere')).toBe(false)
  expect(isSelected(after, 'c')).toBe(false)
})

test('while a search narrows the list, what it leaves out keeps its box', () => {
  const found = { shown: ['a'], unread: ['a2'], isSearch: true }
  const none = selectionAfter(everything, found, new Set())
  expect(['a', 'a2', 'b', 'c'].map((id) => isSelected(none, id))).toEqual([
    false,
    false,
    true,
    true,
  ])
  const unticked = selectionAfter(everything, { shown }, new Set(['a', 'c']))
  const again = selectionAfter(unticked, found, new Set(['a']))
  expect(isSelected(again, 'b')).toBe(false)
})
