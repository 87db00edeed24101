import { expect, test } from 'vitest'
import { isWideIn } from './sidebar-state.ts'

test('the sidebar is wide until the cookie says otherwise', () => {
  expect(isWideIn('')).toBe(true)
  expect(isWideIn('a=1; sidebar:state=true')).toBe(true)
  expect(isWideIn('a=1; sidebar:state=false')).toBe(false)
  expect(isWideIn('other-sidebar:state=false')).toBe(true)
})
