import { expect, test } from 'vitest'
import { dateWriter, zoneOf } from './date-formats.ts'

const at = new Date('2026-11-23T23:05:00Z')

test.each([
  ['month-first', '12h', 'UTC', 'Nov 23, 2026, 11:05 PM', 'Nov 23'],
  ['month-first', '24h', 'Europe/Berlin', 'Nov 24, 2026, 00:05', 'Nov 24'],
  ['day-first', '24h', 'UTC', '23 Nov 2026, 23:05', '23 Nov'],
  ['day-first', '12h', 'Asia/Tokyo', '24 Nov 2026, 8:05 AM', '24 Nov'],
  ['year-first', '24h', 'America/Los_Angeles', '2026-11-23, 15:05', '2026-11-23'],
  ['year-first', '12h', 'UTC', '2026-11-23, 11:05 PM', '2026-11-23'],
] as const)('%s, %s in %s', (order, hours, timeZone, moment, dayOfYear) => {
  const writer = dateWriter({ order, hours, timeZone })
  expect(writer.moment(at).replace(/\s/g, ' ')).toBe(moment)
  expect(writer.date(at)).toBe(moment.split(', ').slice(0, -1).join(', '))
  expect(writer.dayOfYear(at)).toBe(dayOfYear)
})

test("the specification's zones are those of the tz database", () => {
  expect(['pst', 'est', 'gmt', 'Europe/Berlin'].map(zoneOf)).toEqual([
    ...['America/Los_Angeles', 'America/New_York', 'UTC', 'Europe/Berlin'],
  ])
})
