import { expect, test } from 'vitest'
import { safeLink } from './link-form.tsx'

test.each([
  ['example.com', 'https://example.com/'],
  [' https://example.com/a?b=c#d ', 'https://example.com/a?b=c#d'],
  ['http://example.com', 'http://example.com/'],
  ['example.com:8080/x', 'https://example.com:8080/x'],
  ['ada@example.com', 'mailto:ada@example.com'],
  ['mailto:ada@example.com', 'mailto:ada@example.com'],
])('%s leads to %s', (typed, href) => {
  expect(safeLink(typed)).toBe(href)
})

test.each([
  '',
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'two words',
  'https://',
  'word',
  'blob:https://x.y/1',
])('%s leads nowhere', (typed) => {
  expect(safeLink(typed)).toBeNull()
})
