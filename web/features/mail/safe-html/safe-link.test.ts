import { expect, test } from 'vitest'
import { destinationOf, isDeceptive, safeHref } from './safe-link.ts'

test('web and mail links stay', () => {
  expect(safeHref(' https://example.com/a?b=c ')).toBe('https://example.com/a?b=c')
  expect(safeHref('HTTP://EXAMPLE.com')).toBe('http://example.com/')
  expect(safeHref('mailto:ada@example.com')).toBe('mailto:ada@example.com')
})

test.each([
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  ' \u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  'ftp://example.com',
  '/dashboard/settings',
  '//example.com',
  '#top',
  'intent://x',
  '',
])('%s is no link', (href) => {
  expect(safeHref(href)).toBeNull()
})

test('a name before the host does not hide it', () => {
  expect(safeHref('https://bank.example@evil.example/')).toBe('https://evil.example/')
  expect(destinationOf('https://evil.example/')).toBe('evil.example')
  expect(destinationOf('mailto:ada@example.com?subject=x')).toBe('ada@example.com')
})

test('a text that names another host is deceptive', () => {
  expect(isDeceptive('https://bank.example/login', 'https://evil.example/')).toBe(true)
  expect(isDeceptive('bank.example', 'https://bank.example.evil.example/')).toBe(true)
  expect(isDeceptive('bank.example', 'https://www.bank.example/')).toBe(false)
  expect(isDeceptive('Read more', 'https://evil.example/')).toBe(false)
})
