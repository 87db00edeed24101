import { expect, test } from 'vitest'
import { whenOf } from './event-time.ts'

const moment = (at: string, zone: string | null = null) => ({ at, kind: 'moment' as const, zone })
const day = (at: string) => ({ at, kind: 'day' as const, zone: null })
const formats = (timeZone?: string, hours: '12h' | '24h' = '12h') =>
  ({ timeZone, hours, order: 'month-first' }) as const
const plain = (text: string) => text.replace(/[\u2009\u202f\u00a0]/g, ' ')

test('a time is the reader’s, and the organiser’s where that is another', () => {
  const start = moment('2026-07-15T12:00:00Z', 'Europe/Berlin')
  const end = moment('2026-07-15T13:00:00Z', 'Europe/Berlin')
  expect(plain(whenOf({ start, end }, formats('Europe/Berlin')))).toBe(
    'Wed, Jul 15, 2026, 2:00 – 3:00 PM GMT+2',
  )
  expect(plain(whenOf({ start, end }, formats('America/New_York')))).toBe(
    'Wed, Jul 15, 2026, 8:00 – 9:00 AM EDT\nWed, Jul 15, 2026, 2:00 – 3:00 PM in Europe/Berlin',
  )
  // Another name, the same time.
  expect(whenOf({ start, end: null }, formats('Europe/Paris'))).not.toContain('\n')
})

test('whole days have no time, and end the day before their end', () => {
  expect(plain(whenOf({ start: day('2026-07-15'), end: day('2026-07-16') }, formats()))).toBe(
    'Wed, Jul 15, 2026, all day',
  )
  expect(plain(whenOf({ start: day('2026-07-15'), end: day('2026-07-18') }, formats()))).toBe(
    'Wed, Jul 15 – Fri, Jul 17, 2026, all day',
  )
})

test('a time without a zone is shown as it is written', () => {
  const start = { at: '2026-07-15T12:00:00Z', kind: 'floating' as const, zone: null }
  expect(plain(whenOf({ start, end: null }, formats('Asia/Tokyo')))).toBe(
    'Wed, Jul 15, 2026, 12:00 PM (the organiser’s time)',
  )
})

test('hours and the order of a date are as the reader prefers', () => {
  const start = moment('2026-07-15T12:00:00Z', 'Europe/Berlin')
  const end = moment('2026-07-15T13:30:00Z', 'Europe/Berlin')
  const when = (order: 'day-first' | 'year-first') =>
    plain(whenOf({ start, end }, { timeZone: 'Europe/Berlin', hours: '24h', order }))
  expect(when('day-first')).toMatch(/^Wed,? 15 Jul 2026, 14:00\s?–\s?15:30 /)
  expect(when('year-first')).toContain('14:00')
})
