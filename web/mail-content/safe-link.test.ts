import { expect, test } from 'vitest'
import { computingMsOf } from '#test-world/processor-time.ts'
import { destinationOf, isDeceptive, linkify, safeHref } from './safe-link.ts'

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

const links = (text: string) => linkify(text).flatMap(({ href }) => (href ? [href] : []))

test('addresses become links and the text stays whole', () => {
  const text = 'See https://example.com/a?b=c, or write to ada@example.com. (http://example.org)'
  expect(
    linkify(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
  expect(links(text)).toEqual([
    'https://example.com/a?b=c',
    'mailto:ada@example.com',
    'http://example.org/',
  ])
})

test('a name that begins with www is a web address, also among other letters', () => {
  expect(links('See www.example.com/a, WWW.bücher.example. Not awww.example or www.')).toEqual([
    'https://www.example.com/a',
    'https://www.xn--bcher-kva.example/',
  ])
})

test('nothing but http, https and mail addresses is a link', () => {
  expect(links('javascript:alert(1) data:text/html,x file:///etc ftp://a.example')).toEqual([])
})

test('a quote ends an address', () => {
  expect(links('https://example.com/"onclick="alert(1)')).toEqual(['https://example.com/'])
})

test('a hostile text of 300,000 characters takes no time', async () => {
  const ms = await computingMsOf(() => {
    linkify('a.'.repeat(100_000) + '@'.repeat(100_000))
    linkify('http://'.repeat(40_000))
    linkify('www.'.repeat(70_000))
    linkify(`${'a@'.repeat(50_000)}!${'.a'.repeat(50_000)}`)
  })
  expect(ms).toBeLessThan(1000)
})

test('a text of more than 100,000 characters stays as it is', () => {
  const text = (length: number) => 'www.harbour.example '.padEnd(length, 'a ')
  expect(linkify(text(100_000))).toHaveLength(2)
  expect(linkify(text(100_001))).toEqual([{ text: text(100_001) }])
})
