import { expect, test } from 'vitest'
import { withoutSearch, withSearch } from './recent-searches.ts'

test('the newest search is first, each stands once, and only the last ones are kept', () => {
  const typed = ['mill', 'from:ada', 'Mill', 'a', 'b', 'c', 'd']
  const kept = typed.reduce<string[]>(withSearch, [])
  expect(kept).toEqual(['d', 'c', 'b', 'a', 'Mill'])
  expect(withoutSearch(kept, 'MILL')).toEqual(['d', 'c', 'b', 'a'])
})
