import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldLetters, placesOfWords } from './fold-letters.ts'

test.each([
  ['Zürich', 'Zurich'],
  ['Zu\u0308rich', 'Zurich'],
  ['naïve résumé', 'naive resume'],
  ['Straße, STRAẞE', 'Strasse, STRASSE'],
  ['Łódź Øre Æsir Œuvre Þór', 'Lodz Ore AEsir OEuvre THor'],
  ['İstanbul ılık', 'Istanbul ilik'],
  ['Việt Nam', 'Viet Nam'],
  // Other scripts keep their letters.
  ['会議 がっこう 한국어 हिन्दी', '会議 がっこう 한국어 हिन्दी'],
])('%s is searched as %s', (text, folded) => {
  expect(foldLetters(text)).toBe(folded)
})

test('to fold twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(foldLetters(foldLetters(text))).toBe(foldLetters(text))
    }),
  )
})

test('words are found where they stand in the text, with their accents', () => {
  const found = (text: string, words: string[]) =>
    placesOfWords(text, words).map(({ from, to }) => text.slice(from, to))
  expect(found('From Zürich to ZURICH, Zu\u0308rich', ['zurich'])).toEqual([
    ...['Zürich', 'ZURICH', 'Zu\u0308rich'],
  ])
  expect(found('Die Straße', ['strasse'])).toEqual(['Straße'])
  expect(found('aab', ['a', 'aab'])).toEqual(['aab'])
  expect(found('a.b', ['.'])).toEqual(['.'])
  expect(found('x', ['', 'y'])).toEqual([])
})
