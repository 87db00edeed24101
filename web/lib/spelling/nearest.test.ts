import { expect, test } from 'vitest'
import { editsBetween, nearest } from './nearest.ts'

const known = ['maier-garten.de', 'hotel-sonne.example', 'client6.example', 'client60.example']

test.each([
  ['maeir-garten.de', 'maier-garten.de'],
  ['Maier-Garden.de', 'maier-garten.de'],
  ['hotel-sonne.exmaple', 'hotel-sonne.example'],
  ['hotelsonne.example', 'hotel-sonne.example'],
  ['cilent6.example', 'client6.example'],
  // As near to one as to another.
  ['client.example', 'client6.example'],
  ['client61.example', null],
  ['nobody.example', null],
  ['', null],
])('who types %s may mean %s', (typed, meant) => {
  expect(nearest(typed, known)).toBe(meant)
})

test('swapped letters are one edit, and a limit ends the counting', () => {
  expect(editsBetween('abcd', 'abdc')).toBe(1)
  expect(editsBetween('kitten', 'sitting')).toBe(3)
  expect(editsBetween('a'.repeat(50), 'b'.repeat(50), 2)).toBe(3)
})
