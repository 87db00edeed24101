import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { getPreferences, type Preferences } from '#contract/profile.ts'
import { formatDate, formatDay, formatListDate, formatMoment, setDateFormats } from '../format.ts'
import { followPreferences, formatsOf } from './date-formats.ts'

afterEach(() => setDateFormats(null))

const nothing: Preferences = {
  ...{ timeZone: '', timeFormat: '', dateFormat: '', wantsDnsMails: true },
  ...{ undoSeconds: null, writesPlainText: false, usualUndoSeconds: 10 },
  company: { timeZone: '', timeFormat: '' },
}
const at = '2026-11-23T23:05:00Z'

test("a person's own choice counts, then the company's, then the browser's", () => {
  const company = { timeZone: 'pst', timeFormat: '24h' }
  expect(formatsOf({ ...nothing, company })).toMatchObject({
    ...{ timeZone: 'America/Los_Angeles', hours: '24h', order: 'month-first' },
  })
  const own = { timeZone: 'Asia/Tokyo', timeFormat: '12h', dateFormat: 'day-first' } as const
  expect(formatsOf({ ...nothing, ...own, company })).toEqual({
    ...{ timeZone: 'Asia/Tokyo', hours: '12h', order: 'day-first' },
  })
  expect(formatsOf(nothing)).toEqual({ timeZone: undefined, hours: '12h', order: 'month-first' })
  expect(formatsOf({ ...nothing, timeZone: 'Mars/Olympus' }).timeZone).toBeUndefined()
})

test('dates are written by the preferences while they are known, and for nobody after log-out', () => {
  const client = new QueryClient()
  followPreferences(client)
  const before = formatDate(at)
  client.setQueryData([getPreferences.path, {}], {
    ...nothing,
    ...{ timeZone: 'Asia/Tokyo', timeFormat: '24h', dateFormat: 'day-first' },
  })
  expect(formatMoment(at)).toBe('24 Nov 2026, 08:05')
  // Today in Tokyo, though not in London.
  expect(formatListDate(at, new Date('2026-11-24T09:00:00Z'))).toBe('08:05')
  expect(formatListDate(at, new Date('2026-12-24T09:00:00Z'))).toBe('24 Nov')
  expect(formatDay('2026-12-24')).toBe('24 Dec 2026')
  client.clear()
  expect(formatDate(at)).toBe(before)
})
