import { expect, test } from 'vitest'
import { dayStartIn } from './edit-vacation.ts'

test.each([
  ['UTC', '2026-12-24', 0, '2026-12-24T00:00:00.000Z'],
  ['Europe/Berlin', '2026-12-24', 0, '2026-12-23T23:00:00.000Z'],
  ['Europe/Berlin', '2026-06-30', 1, '2026-06-30T22:00:00.000Z'],
  // The clocks change on the day itself, one way and the other.
  ['Europe/Berlin', '2026-03-29', 0, '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', 1, '2026-03-29T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', 0, '2026-10-24T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', 1, '2026-10-25T23:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-22', 0, '2026-11-22T08:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-22', 0, '2026-11-21T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2027-01-01', 0, '2026-12-31T10:00:00.000Z'],
  // Midnight is skipped: the day begins at one.
  ['Africa/Cairo', '2026-04-24', 0, '2026-04-23T22:00:00.000Z'],
  ['America/Havana', '2026-03-08', 0, '2026-03-08T05:00:00.000Z'],
  // Midnight comes twice.
  ['America/Havana', '2026-11-01', 0, '2026-11-01T04:00:00.000Z'],
])('in %s %s and %i days begins at %s', (zone, day, plus, at) => {
  expect(dayStartIn(zone, day, plus).toISOString()).toBe(at)
})
