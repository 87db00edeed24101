import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '#test-world/any-character.ts'
import { comparableIn, differenceOf, type Part, shortened } from './difference.tsx'

const marks = { same: ['', ''], missing: ['+[', ']'], extra: ['-[', ']'] } as const
const written = (parts: readonly Part[] | null) =>
  parts?.map(({ kind, text }) => marks[kind][0] + text + marks[kind][1]).join('') ?? null

test.each([
  [
    'v=spf1 include:a.example ~all',
    'v=spf1 include:a.example ip4:192.0.2.25 ~all',
    'v=spf1 include:a.example +[ip4:192.0.2.25 ]~all',
  ],
  [
    'v=spf1 -all ip4:192.0.2.25',
    'v=spf1 ip4:192.0.2.25 -all',
    'v=spf1 -[-all ]ip4:192.0.2.25+[ -all]',
  ],
  [
    'mailstead-verify=0123456789',
    'mailstead-verify=01234O6789',
    'mailstead-verify=01234-[5]+[O]6789',
  ],
  ['"mailstead-verify=01234"', 'mailstead-verify=01234', '-["]mailstead-verify=01234-["]'],
  ['v=DKIM1; k=rsa; p=MIIB', 'v=DKIM1; k=rsa; p=MIIBIjANBg', 'v=DKIM1; k=rsa; p=MIIB+[IjANBg]'],
  ['stead-verify=01234', 'mailstead-verify=01234', '+[mail]stead-verify=01234'],
  ['the same', 'the same', null],
  ['google-site-verification=abcdefg', 'mailstead-verify=0123456789', null],
  ['', 'v=DMARC1; p=none', null],
])('%j beside %j', (found, expected, difference) => {
  expect(written(differenceOf(found, expected))).toBe(difference)
})

test('whatever stands in DNS, the parts give both texts back', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 60 })
  fc.assert(
    fc.property(text, text, text, text, (before, was, wanted, after) => {
      const [found, expected] = [before + was + after, before + wanted + after]
      const parts = differenceOf(found, expected)
      if (parts === null) return
      const without = (kind: Part['kind']) =>
        parts
          .filter((part) => part.kind !== kind)
          .map((part) => part.text)
          .join('')
      expect(without('missing')).toBe(found)
      expect(without('extra')).toBe(expected)
    }),
  )
})

test('of two long texts only the surroundings of a change are shown', () => {
  const long = 'abcdefghij'.repeat(50)
  const parts = differenceOf(`${long}${long}`, `${long}!${long}`)
  expect(written(shortened(parts ?? [], 5))).toBe('abcde…fghij+[!]abcde…fghij')
})

test('two long texts with nothing in common are given up soon', () => {
  expect(differenceOf('x'.repeat(1000), 'y'.repeat(1000))).toBeNull()
})

test('of an MX record the server is compared, without its priority, and no alias with it', () => {
  expect(comparableIn('10 mail.host.test.shop.example', 'MX')).toBe('mail.host.test.shop.example')
  expect(comparableIn('sites.test', 'MX')).toBeNull()
  expect(comparableIn('10 texts', 'TXT')).toBe('10 texts')
})
