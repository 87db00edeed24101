import { expect, test } from 'vitest'
import { hasLetterOf } from './mail-fonts.ts'

test.each([
  ['Hello', 'U+0000-00FF, U+0131', true],
  ['Łódź', 'U+0100-02BA, U+02BD-02C5', true],
  ['Hello', 'U+0100-02BA, U+02BD-02C5', false],
  ['ἀρχή', 'U+1F??', true],
  ['αρχη', 'U+1F??', false],
  ['№ 4', 'u+301, u+2116', true],
  ['', 'U+0-10FFFF', false],
])('whether %j has a letter of %s: %s', (text, range, isWanted) => {
  expect(hasLetterOf(text, range)).toBe(isWanted)
})
