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

test.each([
  ['https://bank.example/login', 'https://evil.example/'],
  ['bank.example', 'https://bank.example.evil.example/'],
  ['Visit www.bank.example to log in', 'https://evil.example/'],
  ['Log in at https://bank.example/a now', 'https://xn--bnk-7na.example/'],
  ['bänk.example', 'https://bank.example/'],
  ['help@bank.example', 'https://evil.example/'],
  ['help@bank.example', 'mailto:help@evil.example'],
  ['HTTPS://BANK.EXAMPLE', 'https://evil.example/'],
])('“%s” is deceptive when it leads to %s', (text, href) => {
  expect(isDeceptive(text, href)).toBe(true)
})

test.each([
  ['bank.example', 'https://www.bank.example/'],
  ['www.bank.example', 'https://bank.example/a?b'],
  ['bank.example', 'https://click.bank.example/'],
  ['Read more', 'https://evil.example/'],
  ['Version 1.2 of plan.v2', 'https://evil.example/'],
  ['Report.pdf', 'https://evil.example/'],
  ['help@bank.example', 'mailto:help@bank.example?subject=x'],
  ['bank.example', 'mailto:help@elsewhere.example'],
])('“%s” is not deceptive when it leads to %s', (text, href) => {
  expect(isDeceptive(text, href)).toBe(false)
})
