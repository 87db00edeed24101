import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computingMsOf } from '#test-world/processor-time.ts'
import { parseSearch, type Search } from './parse-search.ts'
import { partsOf, snippetOf, tsqueryOf, wordsToMark } from './search-query.ts'

const now = new Date('2026-11-22T10:30:00Z')
const parse = (typed: string) => parseSearch(typed, now)
const plain: Search = {
  ...{ groups: [], mixed: [], isUnread: null, isStarred: null, hasAttachment: null },
  ...{ folder: null, before: null, after: null, larger: null, smaller: null, notes: [] },
}

test.each<[string, string]>([
  ['zebra', "('zebra':*)"],
  // With and without accents: mail of before may not have been folded yet.
  ['Grüße  Straße', "(('grusse':* | 'grüße':*)) & (('strasse':* | 'straße':*))"],
  ['"Zürich West"', "(('zurich' | 'zürich') <-> 'west')"],
  ['red OR blue', "(('red':*) | ('blue':*))"],
  ['a OR from:ada OR -b c', "(('a') | ('ada':*B) | !('b')) & ('c')"],
  ['OR red OR', "('red':*)"],
  ['red or', "('red':*) & ('or')"],
  ['filename:Plan.PDF x', "('/plan':* & '/pdf':*) & ('x')"],
  ['-filename:plan OR filename:"Zürich map"', "(!('/plan':*) | ('/zurich':* & '/map':*))"],
  ['"to the letter"', "('to' <-> 'the' <-> 'letter')"],
  ['from:ada', "('ada':*B)"],
  ['FROM:"Ada Lovelace"', "('ada':B <-> 'lovelace':B)"],
  ['to:grace cc:eve', "('grace':*C) & ('eve':*C)"],
  ['subject:invoice -draft', "('invoice':*A) & !('draft':*)"],
  ['-"not this" x', "!('not' <-> 'this') & ('x')"],
  // Parts of addresses, names and numbers are words of their own.
  ['eve@example.net', "('eve' <-> 'example' <-> 'net':*)"],
  ['2026-11', "('2026' <-> '11')"],
  // One or two Latin letters stand for themselves; one sign of another script may begin a word.
  ['a 会', "('a') & ('会':*)"],
  // What is no operator is a word.
  ['colour:red', "('colour' <-> 'red':*)"],
  ['http://a.example/x', "('http' <-> 'a' <-> 'example' <-> 'x')"],
  ['is:odd', "('is' <-> 'odd':*)"],
  ['before:soon', "('before' <-> 'soon':*)"],
  ['has:', "('has':*)"],
  ['"never closed', "('never' <-> 'closed')"],
])('%s asks for %s', (typed, query) => {
  expect(tsqueryOf(parse(typed))).toBe(query)
})

test('me is whoever searches, at all their addresses, and no word to be marked', () => {
  const own = ['ada@engine.example', 'countess@x.example']
  const [a, b] = [
    "'ada':B <-> 'engine':B <-> 'example':B",
    "'countess':B <-> 'x':B <-> 'example':B",
  ]
  const search = parse('from:me -to:Me me "from:me" mill')
  expect(tsqueryOf(search, own)).toBe(
    `(${a} | ${b}) & !(${`${a} | ${b}`.replaceAll(':B', ':C')}) & ('me') & ('from' <-> 'me') & ('mill':*)`,
  )
  expect(wordsToMark(search)).toEqual(['me', 'from', 'mill'])
  expect(partsOf(parse('from:me'))).toBeNull()
})

test.each<[string, Partial<Search>]>([
  ['is:unread', { isUnread: true }],
  ['-is:unread', { isUnread: false }],
  ['is:read is:starred', { isUnread: false, isStarred: true }],
  ['has:attachment', { hasAttachment: true }],
  ['in:trash', { folder: 'trash' }],
  ['in:spam', { folder: 'junk' }],
  ['in:anywhere', { folder: 'anywhere' }],
  ['in:"To Do"', { folder: { name: 'to do' } }],
  ['before:2026-11-01', { before: new Date('2026-11-01') }],
  ['after:2026/3', { after: new Date('2026-03-01') }],
  ['after:7d before:today', { after: new Date('2026-11-15'), before: new Date('2026-11-22') }],
  ['after:2024', { after: new Date('2024-01-01') }],
  [
    'older_than:1y newer_than:2y',
    { before: new Date('2025-11-22'), after: new Date('2024-11-22') },
  ],
  ['larger:1M smaller:2.5MB', { larger: 1_000_000, smaller: 2_500_000 }],
  ['larger:300k', { larger: 300_000 }],
  ['smaller:10', { smaller: 10 }],
  [
    'foo:bar',
    {
      groups: [
        [{ field: 'any', words: ['foo', 'bar'], isPrefix: true, isNot: false, isMe: false }],
      ],
      notes: ['“foo:” is not known.'],
    },
  ],
])('%s sets no word, but a condition', (typed, wanted) => {
  expect(parse(typed)).toEqual({ ...plain, ...wanted })
})

test('OR joins the two parts beside it, of whichever kind; all the others must hold', () => {
  const term = (word: string, more = {}) => ({
    ...{ field: 'any', words: [word], isPrefix: true, isNot: false, isMe: false, ...more },
  })
  const ada = term('ada', { field: 'from' })
  expect(parse('larger:1M OR from:ada')).toEqual({
    ...plain,
    mixed: [[{ larger: 1_000_000 }, ada]],
  })
  expect(parse('mill is:unread OR has:file OR in:sent before:2026-11-01')).toEqual({
    ...plain,
    groups: [[term('mill')]],
    mixed: [[{ isUnread: true }, { hasAttachment: true }, { folder: 'sent' }]],
    before: new Date('2026-11-01'),
  })
  expect(parse('from:ada mill').groups).toEqual([[ada], [term('mill')]])
  expect(parse('OR is:starred OR').isStarred).toBe(true)
  expect(wordsToMark(parse('larger:1M OR mill'))).toEqual(['mill'])
})

test.each(['before:2026-02-31', 'after:2026-13', 'after:0001', 'before:99999d-1'])(
  '%s is no day, so it is words',
  (typed) => {
    const { before, after, groups, notes } = parse(typed)
    expect([before, after]).toEqual([null, null])
    expect(groups).toHaveLength(1)
    expect(notes).toEqual([`“${typed}” is not understood.`])
  },
)

test('signs alone ask for nothing', () => {
  for (const typed of ['', ' ', '!!!', "'", '\\', ':*', '& | <->', '""', '-', '()', '%', '_'])
    expect(parse(typed), typed).toEqual(plain)
})

describe('hostile typing', () => {
  const nasty = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          ...['"', "'", '\\', ':', '*', '&', '|', '!', '(', ')', '<->', '-', ' ', 'from:', 'in:'],
          ...['a', 'ß', '会', '\u0301', '\ud800', '%', '_', '\0', 'before:', '9', '::tsquery'],
          ...[' OR ', 'filename:', 'larger:', 'Ü', 'æ'],
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join('')),
  )
  test('never leaves its quotes', () => {
    const lexeme = /'\/?[\p{L}\p{M}\p{N}]{1,100}'(?::\*?[ABC]?)?/u.source
    const word = `(?:${lexeme}|\\(${lexeme} \\| ${lexeme}\\))`
    const phrase = `!?\\(${word}(?: (?:<->|&) ${word})*\\)`
    const group = `(?:${phrase}|\\(${phrase}(?: \\| ${phrase})+\\))`
    const whole = new RegExp(`^(?:${group}(?: & ${group})*)?$`, 'u')
    fc.assert(
      fc.property(nasty, (typed) => {
        const search = parse(typed)
        expect(tsqueryOf(search)).toMatch(whole)
        for (const { pattern } of partsOf(search)?.flat() ?? [])
          expect(pattern).toMatch(/^%[\p{L}\p{M}\p{N}_]+%$/u)
      }),
      { numRuns: 2_000 },
    )
  })

  test('is read in linear time', async () => {
    const ms = await computingMsOf(() => {
      for (const unit of ['"', '-', 'from:', 'a:', '" "', '-from:"'])
        parse(unit.repeat(100_000 / unit.length))
    })
    expect(ms).toBeLessThan(5_000)
  })
})

test('an unknown operator, and a value that none takes, are named; an address of a page is neither', () => {
  const notesOf = (typed: string) => parse(typed).notes
  expect(notesOf('foo:bar larger:much is:odd OR is:unread')).toEqual([
    '“foo:” is not known.',
    '“larger:much” is not understood.',
    '“is:odd” is not understood.',
  ])
  expect(notesOf('https://x.example/a Re: mill 10:30 from:ada "foo:bar"')).toEqual([])
})

test('what is marked are the words that must occur', () => {
  expect(wordsToMark(parse('from:ada "the mill" -steam is:unread Ada'))).toEqual([
    'ada',
    'the',
    'mill',
  ])
})

test('a snippet shows the word where neither subject nor preview does', () => {
  const text = `${'Dear all, '.repeat(30)}the needle is here ${'and so on '.repeat(40)}`
  const row = { subject: 'Hay', preview: 'Dear all', text }
  expect(snippetOf(row, ['needle'])).toMatch(/^… .*the needle is here.*$/)
  expect(snippetOf(row, ['needle']).length).toBeLessThan(200)
  expect(snippetOf({ ...row, subject: 'Needle' }, ['needle'])).toBe('Dear all')
  expect(snippetOf(row, ['thread'])).toBe('Dear all')
  // What a line of the list cuts off is not seen.
  const long = `${'Dear all of you, '.repeat(4)}the needle is here`
  const late = snippetOf({ subject: '', preview: long, text: long }, ['needle'])
  expect(late.indexOf('needle')).toBeLessThan(30)
})
