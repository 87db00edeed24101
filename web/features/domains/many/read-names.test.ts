import { expect, test } from 'vitest'
import type { AddedRow } from '#contract/many-domains.ts'
import { entriesOf, tableOf } from './entries.ts'
import { readNames, withMeant, withoutRows } from './read-names.ts'

const known = new Set(['there.com', 'xn--bcher-kva.de', 'bücher.de'])
const read = (text: string) => readNames(text, known)
const verdicts = (text: string) => read(text).map(({ name, kind, note }) => [name, kind, note])
const names = (text: string) =>
  read(text)
    .filter(({ kind }) => kind === 'add')
    .map(({ name }) => name)

test.each([
  ['one a line', 'a.com\nb.com\r\nc.com'],
  ['commas, semicolons and tabs', 'a.com, b.com;c.com\t'],
  ['spaces around and a comma at the end', '  a.com , \n\u00a0b.com,\n c.com, '],
  ['cells of a table', '| a.com | b.com |\n| c.com |'],
  ['quotes, brackets and a final dot', '"A.com" <b.com> (c.com).'],
  ['typographic quotes and marks that nobody sees', '„a.com“ «b.com»\u200b\n\ufeffc.com'],
  ['bullets and numbers', '• a.com\n- b.com\n3. c.com'],
  ['web addresses', 'https://a.com/ http://b.com:8080/kontakt?x=1 //c.com/'],
  ['links of a text', '[a.com](https://a.com) [Shop](http://www.b.com/x), *.c.com'],
  ['lines of a mail', '> Hi Max,\n> please add a.com, b.com and c.com. Thanks!'],
  [
    'rows of a spreadsheet',
    'Client\tDomain\tPrice\nWeber & Co\ta.com\t12.50\nMax\tb.com, c.com\t9',
  ],
  ['a heading', 'Domain:\na.com\nb.com\nc.com'],
  ['mail addresses', 'Ada <info@a.com>; mailto:x@b.com\nbob@c.com'],
])('%s are read', (_, text) => {
  expect(names(text)).toEqual(['a.com', 'b.com', 'c.com'])
  expect(read(text).filter(({ kind }) => kind === 'fault')).toEqual([])
})

test('nothing is nothing', () => {
  expect(verdicts(' \n, ; •\n---')).toEqual([])
})

test('each entry says what becomes of it, once', () => {
  expect(
    verdicts(
      [
        'https://www.shop.com/kontakt Max info@firm.com',
        'www.shop.com\nthere.com\nBÜCHER.de\na.com\nA.COM.\nboss@firm.com',
        'max@gmail.com\nx\nfoo_bar.com\nsome words here\n10.0.0.1',
      ].join('\n'),
    ),
  ).toEqual([
    ['shop.com', 'add', 'From https://www.shop.com/kontakt'],
    ['firm.com', 'add', 'From info@firm.com'],
    ['Max', 'left', 'No domain: left out'],
    ['shop.com', 'same', 'The same as https://www.shop.com/kontakt'],
    ['there.com', 'there', 'Already in your workspace'],
    ['bücher.de', 'there', 'Already in your workspace'],
    ['a.com', 'add', ''],
    ['a.com', 'same', 'Already in this list'],
    ['firm.com', 'same', 'The same as info@firm.com'],
    ['max@gmail.com', 'fault', 'An address at a public mail service'],
    ['x', 'fault', 'Not a domain'],
    ['foo_bar.com', 'fault', 'Invalid domain format (example: example.com)'],
    ['some words here', 'left', 'No domain: left out'],
    ['10.0.0.1', 'fault', 'Invalid domain format (example: example.com)'],
  ])
})

test('a fault can be left out', () => {
  const text = 'a.com\nfoo_bar.com, b.com\nMax'
  const faulty = read(text).filter(({ kind }) => kind === 'fault')
  expect(withoutRows(text, faulty)).toBe('a.com\nb.com')
})

test('a misspelled name can be taken as it is probably meant, where it stands', () => {
  const text = 'a.com, "gmial.com"\nthree.com'
  const rows = read(text)
  expect(rows.map(({ kind, meant }) => [kind, meant])).toEqual([
    ['add', null],
    ['add', 'gmail.com'],
    ['add', 'there.com'],
  ])
  const [, row] = rows
  expect(row && read(withMeant(text, row)).map(({ name }) => name)).toEqual([
    ...['a.com', 'gmail.com', 'three.com'],
  ])
})

test('a name of another alphabet is told as people write it, and beside it for programs', () => {
  const rows = read('xn--mnchen-3ya.de\na.com')
  const added = { outcome: 'added' as const, message: '', id: null }
  const entries = entriesOf(rows, [
    { ...added, name: 'xn--mnchen-3ya.de' },
    { ...added, name: 'a.com' },
  ])
  expect(tableOf(entries)).toEqual([
    ['Entry', 'Domain', 'ASCII domain', 'What became of it'],
    ['xn--mnchen-3ya.de', 'münchen.de', 'xn--mnchen-3ya.de', 'Added'],
    ['a.com', 'a.com', 'a.com', 'Added'],
  ])
})

test('more than can be added at once is marked', () => {
  const rows = read(Array.from({ length: 502 }, (_, n) => `n${n}.com`).join('\n'))
  expect(rows.filter(({ kind }) => kind === 'add')).toHaveLength(500)
  expect(rows.at(-1)?.note).toBe('At most 500 names at once')
})

test('what became of every entry is told, also of those that were not sent', () => {
  const rows = read('www.a.com\na.com\nb.com\nc.co\nthere.com\nMax')
  const answer = (name: string, outcome: AddedRow['outcome'], message = ''): AddedRow => ({
    ...{ name, outcome, message, id: null },
  })
  const entries = entriesOf(rows, [
    ...[answer('a.com', 'added'), answer('b.com', 'added'), answer('c.co', 'refused', 'No good')],
  ])
  expect(tableOf(entries)).toEqual([
    ['Entry', 'Domain', 'What became of it'],
    ['www.a.com', 'a.com', 'Added as a.com'],
    ['a.com', 'a.com', 'The same as www.a.com'],
    ['b.com', 'b.com', 'Added'],
    ['c.co', 'c.co', 'No good'],
    ['there.com', 'there.com', 'Already in your workspace'],
    ['Max', '', 'Not a domain'],
  ])
  expect(entries.map(({ isAdded }) => isAdded)).toEqual([true, false, true, false, false, false])
})
