/** What is written, and read again. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodyText } from '#server/standards/imap-texts/body-text.ts'
import { envelopeText } from '#server/standards/imap-texts/envelope-text.ts'
import { headerText } from '#server/standards/imap-texts/strings.ts'
import { readStructure } from '#server/standards/mime/structure/read-structure.ts'
import { anyCharacter } from '#test-world/any-character.ts'
import { mailsWithFiles } from '#test-world/real-mail/files.ts'
import { letters } from '#test-world/real-mail/letters.ts'
import { Cursor } from './cursor.ts'
import { dateTimeText, readDateTime } from './dates.ts'
import { findSection } from './find-section.ts'
import { decodeName, nameText } from './mailbox-names.ts'
import { orderedSetText, readRanges, resolveRanges, setText } from './message-sets.ts'

const unquoted = (text: string): Buffer =>
  new Cursor({ text: Buffer.from(text).toString('latin1'), literals: [] }).string()

describe('names of mailboxes', () => {
  test('as RFC 3501 writes them, with letters beyond the first plane', () => {
    expect(nameText('~peter/mail/台北/日本語', false)).toBe('"~peter/mail/&U,BTFw-/&ZeVnLIqe-"')
    expect(nameText('Tom & Ada 😀', false)).toBe('"Tom &- Ada &2D3eAA-"')
    expect(decodeName(Buffer.from('&2D3eAA-'), false)).toBe('😀')
    expect(() => decodeName(Buffer.from('&2D0-'), false)).toThrow('modified UTF-7')
  })

  test('any name comes back, in both ways of writing', () => {
    const name = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(name, fc.boolean(), (text, isUtf8) => {
        const given = text.toWellFormed().replace(/[\0\r\n]/g, '_')
        fc.pre(!/^inbox$/i.test(given))
        expect(decodeName(unquoted(nameText(given, isUtf8)), isUtf8)).toBe(given)
      }),
      { numRuns: 2_000, seed: 2 },
    )
  })
})

test('sets come back, and COPYUID keeps its order', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { minLength: 1 })
  fc.assert(
    fc.property(numbers, (given) => {
      const sorted = given.toSorted((a, b) => a - b)
      const text = setText(sorted)
      const ranges = resolveRanges(readRanges(new Cursor({ text, literals: [] })), 300)
      expect(
        ranges.flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, n) => first + n),
        ),
      ).toEqual(sorted)
      expect(orderedSetText(sorted)).toBe(text)
    }),
    { numRuns: 500, seed: 3 },
  )
  expect(orderedSetText([5, 6, 2, 9])).toBe('5:6,2,9')
})

test('dates come back to the second', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
      (date) => {
        const seconds = new Date(Math.floor(date.getTime() / 1000) * 1000)
        expect(readDateTime(dateTimeText(seconds).slice(1, -1))).toEqual(seconds)
      },
    ),
    { numRuns: 500, seed: 5 },
  )
})

describe('of mails of every kind', () => {
  const kinds = [...mailsWithFiles, ...letters].map(({ name, raw }) => ({
    ...{ name, raw: Buffer.from(raw), structure: readStructure(Buffer.from(raw)) },
  }))

  test.each(kinds)('$name: envelope and structure are ASCII and well formed', ({ structure }) => {
    const { envelope, part } = structure
    const texts = [
      envelopeText(envelope, false),
      bodyText(part, { isUtf8: false, isExtended: true }),
      bodyText(part, { isUtf8: false, isExtended: false }),
    ]
    for (const text of texts) {
      expect(text).toMatch(/^[\x20-\x7e\r\n]*$/)
      expect(depthOf(text)).toBe(0)
    }
    // From, sender and reply-to always name somebody: programs fail where they do not.
    expect(envelopeText(envelope, false).match(/ \(\(/g)?.length).toBeGreaterThanOrEqual(3)
  })

  test.each(kinds)(
    '$name: each part is found by its number, and its bytes are those of the mail',
    ({ structure, raw }) => {
      const whole = findSection(structure, { part: [], of: 'ALL' })
      expect(whole).toMatchObject({ start: 0, end: raw.length })
      const first = findSection(structure, { part: [1], of: 'ALL' })
      expect(first).not.toBeNull()
      expect(findSection(structure, { part: [1, 1, 1, 1, 1, 1, 1, 99], of: 'ALL' })).toBeNull()
      const header = findSection(structure, { part: [], of: 'HEADER' })
      const text = findSection(structure, { part: [], of: 'TEXT' })
      expect(header?.end).toBe(text?.start)
      expect(text?.end).toBe(raw.length)
    },
  )
})

/** Of parentheses outside quoted strings and literals. */
const depthOf = (text: string): number => {
  const bare = text.replace(/\{(\d+)\}\r\n/g, '').replace(/"(?:[^"\\]|\\.)*"/g, '')
  return [...bare].reduce(
    (depth, letter) => depth + Number(letter === '(') - Number(letter === ')'),
    0,
  )
}

test('raw letters are encoded words, unless the client takes UTF-8', () => {
  const text = 'Grüße '.repeat(30)
  const written = headerText(text, false)
  expect(written).toMatch(/^"(=\?UTF-8\?B\?[A-Za-z0-9+/=]+\?= ?)+"$/)
  for (const word of written.slice(1, -1).split(' ')) expect(word.length).toBeLessThanOrEqual(75)
  expect(headerText('Grüße', true)).toBe('"Grüße"')
})
