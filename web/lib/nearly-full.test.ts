import { expect, test } from 'vitest'
import { isNearlyFull } from './nearly-full.ts'

test('nine tenths are nearly all', () => {
  expect([0, 89, 90, 100].map(isNearlyFull)).toEqual([false, false, true, true])
})
