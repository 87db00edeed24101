import { expect, test } from 'vitest'
import { countOf, emptySelection, isSelected, MAX_SELECTED, setSelected } from './use-selection.ts'

test('some rows are selected, one by one and taken back', () => {
  const two = setSelected(setSelected(emptySelection, ['a', 'b'], true), ['c'], true)
  const selection = setSelected(two, ['b'], false)
  expect([...'abc'].filter((key) => isSelected(selection, key))).toEqual(['a', 'c'])
  expect(countOf(selection, 100)).toBe(2)
})

test('a whole folder is selected but for what is left out, and what is let in again', () => {
  const whole = { keys: new Set<string>(), allUntil: '2026-11-22T05:00:00.000Z' }
  const but = setSelected(whole, ['a', 'b'], false)
  expect(isSelected(but, 'a')).toBe(false)
  expect(isSelected(but, 'never seen')).toBe(true)
  expect(countOf(but, 12_500)).toBe(12_498)
  expect(isSelected(setSelected(but, ['a'], true), 'a')).toBe(true)
})

test('no more are selected than one request takes: what shows is what is sent', () => {
  const keys = Array.from({ length: MAX_SELECTED + 5 }, (_, n) => `k${n}`)
  expect(countOf(setSelected(emptySelection, keys, true), 1_000)).toBe(MAX_SELECTED)
})
