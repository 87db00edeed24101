import { expect, test } from 'vitest'
import { HOLDER_SCOPES, KEY_SCOPES } from '#contract/developers/scopes.ts'
import { holdersScopeGroups, reachText, scopeGroups, wordsOf } from './scope-words.ts'

test('every scope is explained, and stands in one group', () => {
  const shown = scopeGroups.flatMap(({ scopes }) => scopes.map(({ scope }) => scope))
  expect(shown.toSorted()).toEqual([...KEY_SCOPES].toSorted())
  const ofHolders = holdersScopeGroups.flatMap(({ scopes }) => scopes.map(({ scope }) => scope))
  expect(ofHolders).toEqual(HOLDER_SCOPES)
  for (const scope of KEY_SCOPES) expect(wordsOf(scope)).not.toBe(scope)
})

test('what a key reaches is counted', () => {
  expect(reachText({ domains: null, mailboxes: null })).toBe('The whole workspace')
  expect(reachText({ domains: ['a'], mailboxes: null })).toBe('Only 1 domain')
  expect(reachText({ domains: ['a', 'b'], mailboxes: ['c', 'd'] })).toBe(
    'Only 2 domains and 2 mailboxes',
  )
})
