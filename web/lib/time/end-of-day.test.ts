import { afterEach, expect, test } from 'vitest'
import { setDateFormats } from '../format.ts'
import { endOfDay, formatEnd } from './end-of-day.ts'

afterEach(() => setDateFormats(null))

test('the day that a person chose is the last, and an hour that a program chose is told', () => {
  setDateFormats({ timeZone: undefined, hours: '24h', order: 'month-first' })
  expect(formatEnd(endOfDay('2027-01-31') ?? '')).toBe('after Jan 31, 2027')
  const noon = new Date('2027-01-31T12:00:00').toISOString()
  expect(formatEnd(noon)).toContain('Jan 31, 2027')
  expect(formatEnd(noon)).toContain('12:00')
  expect(formatEnd(noon)).not.toContain('after')
})
