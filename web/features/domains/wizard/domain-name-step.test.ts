import { expect, test } from 'vitest'
import { cannotBecomeDomain, likelyDomain, typedDomain } from './domain-name-step.tsx'

test.each(['https://www.example.com/', 'mail.example.co.uk.', ' a-b.münchen.de', 'موقع.وزارة'])(
  'nothing is said while %s is being typed',
  (name) => {
    const begun = Array.from({ length: name.length + 1 }, (_, end) => name.slice(0, end))
    expect(begun.filter(cannotBecomeDomain)).toEqual([])
  },
)

test.each([
  ['a_b.com', 'a_'],
  ['ada@example.com', 'ada@'],
  ['exa mple.com', 'exa m'],
  ['-example.com', '-'],
  ['example..com', 'example..'],
  ['example-.com', 'example-.'],
  ['example.com:25', 'example.com:'],
  ['https://example.com/shop', 'https://example.com/s'],
  ['ftp://example.com', 'ftp:'],
  [`${'a'.repeat(60)}`, 'a'.repeat(51)],
])('of %s it is said as soon as it is certain', (name, certain) => {
  const ends = Array.from({ length: name.length }, (_, end) => end + 1)
  const first = ends.find((end) => cannotBecomeDomain(name.slice(0, end)))
  expect(name.slice(0, first)).toBe(certain)
})

test('what an address bar puts around a name is taken off', () => {
  expect(typedDomain(' HTTP://x.com/ ')).toBe('x.com')
})

test.each([
  ['https://www.x.de/kontakt', 'x.de'],
  ['gerda@x.de', 'x.de'],
  ['mailto:gerda@x.de?subject=Hi', 'x.de'],
  ['www.Maier-Garten.de', 'maier-garten.de'],
  ['WWW.x.de.', 'x.de'],
  ['http://x.de:8080/', 'x.de'],
  ['x.de/impressum#a', 'x.de'],
  // It stands there already.
  ['x.de', null],
  ['https://x.de/', null],
  ['x.de.', null],
  ['www.de', null],
  ['www.', null],
  ['www.x', null],
  ['gerda@', null],
  ['what is this?', null],
  ['', null],
])('%s probably means %s', (typed, name) => {
  expect(likelyDomain(typed)).toBe(name)
})
