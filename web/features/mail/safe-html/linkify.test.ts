import { expect, test } from 'vitest'
import { linkify } from './linkify.ts'

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

test('a hostile text of 300,000 characters takes no time', () => {
  const started = performance.now()
  linkify('a.'.repeat(100_000) + '@'.repeat(100_000))
  linkify('http://'.repeat(40_000))
  linkify('www.'.repeat(70_000))
  linkify(`${'a@'.repeat(50_000)}!${'.a'.repeat(50_000)}`)
  expect(performance.now() - started).toBeLessThan(1000)
})

test('a text of more than 100,000 characters stays as it is', () => {
  const text = (length: number) => 'www.harbour.example '.padEnd(length, 'a ')
  expect(linkify(text(100_000))).toHaveLength(2)
  expect(linkify(text(100_001))).toEqual([{ text: text(100_001) }])
})
