import { expect, test } from 'vitest'
import { isWideIn } from './sidebar-state.ts'

test('the sidebar is wide until the cookie says otherwise', () => {
  expect(isWideIn('', false)).toBe(true)
  expect(isWideIn('a=1; sidebar:state=true', false)).toBe(true)
  expect(isWideIn('a=1; sidebar:state=false', false)).toBe(false)
  expect(isWideIn('other-sidebar:state=false', false)).toBe(true)
})

test('for a holder, whose mail has a side bar of its own, it is a rail until the cookie says otherwise', () => {
  expect(isWideIn('other-sidebar:state=true', true)).toBe(false)
  expect(isWideIn('a=1; sidebar:state=false', true)).toBe(false)
  expect(isWideIn('a=1; sidebar:state=true', true)).toBe(true)
})
