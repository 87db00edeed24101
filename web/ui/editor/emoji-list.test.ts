import { expect, test } from 'vitest'
import { EMOJI, emojiFor, emojiNamed } from './emoji-list.ts'

const signs = (typed: string) => emojiFor(typed).map(({ sign }) => sign)

test('each emoji is one sign with a name of its own', () => {
  expect(new Set(EMOJI.map(({ name }) => name)).size).toBe(EMOJI.length)
  expect(new Set(EMOJI.map(({ sign }) => sign)).size).toBe(EMOJI.length)
  for (const { sign, name } of EMOJI) {
    expect([...new Intl.Segmenter().segment(sign)], sign).toHaveLength(1)
    expect(name, sign).toMatch(/^[a-z][a-z_]+$/)
  }
})

test('they are found by the beginnings of words, the named first', () => {
  expect(signs('')).toHaveLength(EMOJI.length)
  expect(signs('heart')[0]).toBe('❤️')
  expect(signs('heart')).toContain('💙')
  expect(signs('Birth cak')).toEqual(['🎂'])
  expect(signs('xyzzy')).toEqual([])
})

test('a typed name stands for one', () => {
  expect(emojiNamed('smile')).toBe('😄')
  expect(emojiNamed('+1')).toBe('👍')
  expect(emojiNamed('12')).toBeUndefined()
})
