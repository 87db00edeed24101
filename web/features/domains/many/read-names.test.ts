import { expect, test } from 'vitest'
import { readNames, takeProposals, withoutRows } from './read-names.ts'

const known = new Set(['there.com', 'xn--bcher-kva.de', 'bücher.de'])
const read = (text: string) => readNames(text, known)
const verdicts = (text: string) =>
  read(text).map(({ name, fault, proposal }) => [name, fault, proposal])

test.each([
  ['one a line', 'a.com\nb.com\r\nc.com', ['a.com', 'b.com', 'c.com']],
  [
    'commas, semicolons and tabs',
    'a.com, b.com;c.com\td.com',
    ['a.com', 'b.com', 'c.com', 'd.com'],
  ],
  ['a column of a table', 'a.com | b.com |', ['a.com', 'b.com']],
  ['quotes, brackets and a final dot', '"A.com" <b.com> (c.com).', ['a.com', 'b.com', 'c.com']],
  ['a web address that is a domain', 'https://a.com/', ['a.com']],
  ['nothing', ' \n, ;', []],
])('%s', (_, text, names) => {
  expect(verdicts(text)).toEqual(names.map((name) => [name, '', null]))
})

test('what is no domain says why, and what is probably meant', () => {
  expect(
    verdicts(
      'https://www.shop.com/kontakt?x=1 Max <info@firm.com> www.site.org there.com BÜCHER.de a.com A.COM. x',
    ),
  ).toEqual([
    ['https://www.shop.com/kontakt?x=1', 'A web address', 'shop.com'],
    ['Max', 'Not a domain', null],
    ['info@firm.com', 'A mail address', 'firm.com'],
    ['www.site.org', 'The name of a web site, not of addresses', 'site.org'],
    ['there.com', 'Already in your workspace', null],
    ['bücher.de', 'Already in your workspace', null],
    ['a.com', '', null],
    ['a.com', 'Already in this list', null],
    ['x', 'Not a domain', null],
  ])
})

test('a proposal takes the place of what was typed, and a fault can be left out', () => {
  const text = 'a.com\nwww.b.com, info@c.com\nMax'
  const rows = read(text)
  expect(takeProposals(text, rows)).toBe('a.com\nb.com, c.com\nMax')
  expect(
    withoutRows(
      text,
      rows.filter(({ fault }) => fault !== ''),
    ),
  ).toBe('a.com')
})

test('more than can be added at once is marked', () => {
  const rows = read(Array.from({ length: 502 }, (_, n) => `n${n}.com`).join('\n'))
  expect(rows.filter(({ fault }) => fault === '')).toHaveLength(500)
  expect(rows.at(-1)?.fault).toBe('At most 500 names at once')
})
