import { expect, test } from 'vitest'
import { limitStep, navigateTo, stepFromHistory } from './step-panel.tsx'

const nothing = { hasDomain: false, isOwned: false, isDnsVerified: false }
const added = { ...nothing, hasDomain: true }
const owned = { ...added, isOwned: true }
const done = { ...owned, isDnsVerified: true }

test.each([
  [1, 0, nothing, { refusal: 'Please create a domain first' }],
  [3, 0, nothing, { refusal: 'Please create a domain first' }],
  [1, 0, added, { step: 1 }],
  [2, 1, added, { refusal: 'Please verify ownership first' }],
  [3, 1, added, { refusal: 'Please verify ownership first' }],
  [2, 1, owned, { step: 2 }],
  [3, 2, owned, { refusal: 'Please verify all DNS records first' }],
  [3, 2, done, { step: 3 }],
  [0, 2, done, { step: 0 }],
  [1, 3, done, { step: 1 }],
  [0, 3, done, null],
])('step %i from %i with %o leads to %o', (target, current, progress, expected) => {
  expect(navigateTo(target, current, progress)).toEqual(expected)
})

test.each([
  [3, owned, 2],
  [3, added, 1],
  [3, done, 3],
  [0, done, 0],
])('the kept step %i with %o is shown as %i', (kept, progress, expected) => {
  expect(limitStep(kept, progress)).toBe(expected)
})

test('only a step that exists is read from the history', () => {
  expect(stepFromHistory({ step: 2 })).toBe(2)
  for (const state of [null, undefined, 'step', {}, { step: 4 }, { step: '1' }, { step: -1 }])
    expect(stepFromHistory(state)).toBeNull()
})
