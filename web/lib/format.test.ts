import { expect, test } from 'vitest'
import {
  formatAgo,
  formatBytes,
  formatDistance,
  formatListDate,
  formatPast,
  isNearlyFull,
} from './format.ts'

test.each([
  [0, '0B'],
  [999, '999B'],
  [1000, '1kB'],
  [1536, '1.5kB'],
  [48_750_000_000, '49GB'],
  [75_000_000_000, '75GB'],
  [3_400_000_000_000_000, '3400TB'],
])('%d bytes read %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test('moments near now are told by distance', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(formatAgo('2026-11-21T11:59:30Z', now)).toBe('30 seconds ago')
  expect(formatAgo('2026-11-21T11:30:00Z', now)).toBe('30 minutes ago')
  expect(formatAgo('2026-11-21T14:00:00Z', now)).toBe('in 2 hours')
  expect(formatAgo('2026-11-20T12:00:00Z', now)).toBe('yesterday')
  expect(formatAgo('2026-10-23T12:00:00Z', now)).toBe('29 days ago')
  expect(formatAgo('2026-10-20T12:00:00Z', now)).toBe('last month')
  expect(formatAgo('2025-10-20T12:00:00Z', now)).toBe('last year')
})

test('what is no further than the clocks may differ is just now, on both sides', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(formatAgo('2026-11-21T11:59:56Z', now)).toBe('just now')
  expect(formatAgo('2026-11-21T12:00:04Z', now)).toBe('just now')
  expect(formatAgo('2026-11-21T11:59:55Z', now)).toBe('5 seconds ago')
  expect(formatAgo('2026-11-21T11:59:30Z', now, 45_000)).toBe('just now')
  expect(formatDistance('2026-11-21T12:00:03Z', now)).toBe('in 3 seconds')
  // What has happened is never to come, however far the clocks differ.
  expect(formatPast('2026-11-21T12:00:09Z', now)).toBe('just now')
  expect(formatPast('2026-11-21T12:07:00Z', now)).toBe('just now')
  expect(formatPast('2026-11-21T11:59:30Z', now)).toBe('30 seconds ago')
})

test('lists say the time today, the day this year, else the date', () => {
  const now = new Date(2026, 10, 21, 18, 0)
  expect(formatListDate(new Date(2026, 10, 21, 9, 5).toISOString(), now)).toMatch(/^9:05\sAM$/)
  expect(formatListDate(new Date(2026, 1, 3).toISOString(), now)).toBe('Feb 3')
  expect(formatListDate(new Date(2024, 1, 3).toISOString(), now)).toBe('Feb 3, 2024')
})

test('nine tenths are nearly all', () => {
  expect([0, 89, 90, 100].map(isNearlyFull)).toEqual([false, false, true, true])
})
