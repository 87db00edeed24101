import { expect, test } from 'vitest'
import type { DnsRecord, Sighting } from '#contract/domains.ts'
import {
  isCachedOtherwise,
  isPropagating,
  publishedWords,
  visibleWords,
  waitWords,
  watchOf,
} from './server-watch.tsx'

const CHECKED_AT = '2026-11-21T12:00:00.000Z'
const at = (seconds: number) => new Date(CHECKED_AT).getTime() + seconds * 1000

const sighting = (state: Sighting['state'], ttlSeconds = 300): Sighting => ({
  server: 'ns1.example.com',
  state,
  values: state === 'waiting' || state === 'unknown' ? [] : ['v=spf1 -all'],
  reason: state === 'unknown' ? 'it did not answer' : '',
  latencyMs: 4,
  ttlSeconds,
})

const right = sighting('verified')
const missing = sighting('waiting', 41)
const wrong = sighting('different', 3725)
const silent = sighting('unknown')

const watch = (published: Sighting[], visible: Sighting[], now: number | null = at(0)) => {
  const record = { checkedAt: CHECKED_AT, sightings: { zone: 'example.com', published, visible } }
  const watched = watchOf(record as unknown as DnsRecord, now)
  if (watched === null) throw new Error('nothing was looked up')
  return watched
}

test.each<[string, string, boolean, Sighting[], Sighting[], number | null]>([
  ['Not yet', 'Not yet', false, [missing, missing], [missing], at(0)],
  ['Yes', 'Yes', false, [right, right], [right, right], at(0)],
  ['On 1 of 2', 'Not yet', true, [right, missing], [wrong], at(0)],
  ['Yes', 'Within 41 s', true, [right], [missing], at(0)],
  ['Yes', 'Within 11 s', true, [right], [missing], at(30)],
  ['Yes', 'Any moment', true, [right], [missing], at(60)],
  ['Yes', 'Within 41 s', true, [right], [missing], at(-999)],
  ['Yes', 'Not yet', true, [right], [missing], null],
  ['Yes', 'On 1 of 3, the rest within 1 h 2 min', true, [right], [right, missing, wrong], at(0)],
  ['No answer', 'No answer', false, [silent, silent], [silent], at(0)],
  ['No name server', 'No resolver', false, [], [], at(0)],
])('%s; %s', (published, visible, spreading, ours, theirs, now) => {
  const watched = watch(ours, theirs, now)
  expect(publishedWords(watched)).toBe(published)
  expect(visibleWords(watched)).toBe(visible)
  expect(isPropagating(watched)).toBe(spreading)
})

test('each server says what it has, or why it said nothing', () => {
  const { published, visible } = watch([right, missing, silent], [wrong], at(5))
  expect(published.map(({ mark, answer }) => [mark, answer])).toEqual([
    ['right', 'The right record'],
    ['missing', 'Nothing'],
    ['silent', 'it did not answer'],
  ])
  expect(visible[0]).toMatchObject({ mark: 'wrong', answer: 'v=spf1 -all', waitSeconds: 3720 })
})

test('before the first look there is nothing to say', () => {
  expect(watchOf({ sightings: null, checkedAt: null } as DnsRecord, at(0))).toBeNull()
})

test.each([
  [false, [right, silent]],
  [true, [right, wrong]],
  [true, [missing]],
])('%s: a resolver remembers something else', (expected, visible) => {
  const record = { sightings: { zone: 'example.com', published: [wrong], visible } }
  expect(isCachedOtherwise(record as unknown as DnsRecord)).toBe(expected)
  expect(isCachedOtherwise({ sightings: null } as DnsRecord)).toBe(false)
})

test.each([
  [41, '41 s'],
  [60, '1 min'],
  [200, '3 min 20 s'],
  [3600, '1 h'],
  [7500, '2 h 5 min'],
])('%i seconds are %s', (seconds, words) => {
  expect(waitWords(seconds)).toBe(words)
})
