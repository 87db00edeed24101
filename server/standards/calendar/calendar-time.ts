/** Times of a calendar as moments: of a zone that Intl knows, or of the rules that the calendar brings (RFC 5545 section 3.6.5). */
import { type Component, type Property, propertyOf } from './read-calendar.ts'

export type CalendarTime = {
  /** YYYY-MM-DD for a whole day; else an ISO moment. A time without a zone is given as if it were UTC. */
  at: string
  kind: 'day' | 'moment' | 'floating'
  /** IANA name; null: none that is known. */
  zone: string | null
}

type Local = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const written = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/

/** null: not a date of the calendar. */
export const readTime = (
  property: Property | undefined,
  calendar: Component,
): CalendarTime | null => {
  const found = written.exec(property?.value.trim() ?? '')
  if (!property || !found) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const local = { year, month, day, hour, minute, second }
  const asUtc = utcOf(local)
  if (!isReal(local, asUtc)) return null
  if (found[4] === undefined)
    return { at: asUtc.toISOString().slice(0, 10), kind: 'day', zone: null }
  if (found[7] === 'Z') return { at: asUtc.toISOString(), kind: 'moment', zone: null }
  const id = property.params.TZID
  if (id === undefined) return { at: asUtc.toISOString(), kind: 'floating', zone: null }
  const rules = calendar.components.find(
    (each) => each.name === 'VTIMEZONE' && propertyOf(each, 'TZID')?.value === id,
  )
  const zone = zoneOf(id, rules)
  const minutes = zone ? offsetIn(zone, asUtc) : rules ? offsetByRules(rules, local, asUtc) : null
  if (minutes === null) return { at: asUtc.toISOString(), kind: 'floating', zone: null }
  return { at: new Date(asUtc.getTime() - minutes * 60_000).toISOString(), kind: 'moment', zone }
}

const utcOf = ({ year, month, day, hour, minute, second }: Local): Date =>
  new Date(Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59)))

const isReal = ({ year, month, day, hour, minute }: Local, at: Date): boolean =>
  year >= 1900 &&
  at.getUTCMonth() === month - 1 &&
  at.getUTCDate() === day &&
  hour < 24 &&
  minute < 60

/** Names that some programs use. */
const windowsZones: Readonly<Record<string, string>> = {
  'W. Europe Standard Time': 'Europe/Berlin',
  'Central Europe Standard Time': 'Europe/Budapest',
  'Central European Standard Time': 'Europe/Warsaw',
  'Romance Standard Time': 'Europe/Paris',
  'GMT Standard Time': 'Europe/London',
  'Greenwich Standard Time': 'Atlantic/Reykjavik',
  'FLE Standard Time': 'Europe/Kyiv',
  'GTB Standard Time': 'Europe/Bucharest',
  'Turkey Standard Time': 'Europe/Istanbul',
  'Israel Standard Time': 'Asia/Jerusalem',
  'Russian Standard Time': 'Europe/Moscow',
  'Eastern Standard Time': 'America/New_York',
  'Central Standard Time': 'America/Chicago',
  'Mountain Standard Time': 'America/Denver',
  'Pacific Standard Time': 'America/Los_Angeles',
  'E. South America Standard Time': 'America/Sao_Paulo',
  'India Standard Time': 'Asia/Kolkata',
  'China Standard Time': 'Asia/Shanghai',
  'Singapore Standard Time': 'Asia/Singapore',
  'Tokyo Standard Time': 'Asia/Tokyo',
  'AUS Eastern Standard Time': 'Australia/Sydney',
  'New Zealand Standard Time': 'Pacific/Auckland',
  'South Africa Standard Time': 'Africa/Johannesburg',
  UTC: 'UTC',
}

/** '/softwarestudio.org/Olson/Europe/Berlin' ends in the name that counts. */
const zoneOf = (id: string, rules: Component | undefined): string | null => {
  const tail = /(?:^|\/)([A-Za-z_]+\/[A-Za-z_+-]+(?:\/[A-Za-z_]+)?)$/.exec(id)?.[1]
  const place = rules && propertyOf(rules, 'X-LIC-LOCATION')?.value
  return [windowsZones[id], id, tail, place].find((name) => name && isZone(name)) ?? null
}

const isZone = (name: string): boolean => {
  if (!/^[A-Za-z0-9_+/-]{1,60}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Minutes east of UTC at a local time; of two in the hour that comes twice, the first. */
const offsetIn = (zone: string, local: Date): number => {
  const first = offsetAt(zone, local)
  return offsetAt(zone, new Date(local.getTime() - first * 60_000))
}

const offsetAt = (zone: string, at: Date): number => {
  const format = new Intl.DateTimeFormat('en', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const local = Date.UTC(
    of('year'),
    of('month') - 1,
    of('day'),
    of('hour'),
    of('minute'),
    of('second'),
  )
  return Math.round((local - at.getTime()) / 60_000)
}

/** The offset of the rule that began last before the time; rules of the kind 'last Sunday of March', as calendars write them. */
const offsetByRules = (zone: Component, local: Local, asUtc: Date): number | null => {
  const begun = zone.components
    .slice(0, 50)
    .flatMap((rule) => {
      const offset = minutesOf(propertyOf(rule, 'TZOFFSETTO')?.value ?? '')
      if (offset === null) return []
      return [local.year - 1, local.year].map((year) => ({ offset, from: beginningOf(rule, year) }))
    })
    .filter(({ from }) => from <= asUtc.getTime())
    .toSorted((a, b) => b.from - a.from)
  return begun[0]?.offset ?? null
}

const beginningOf = (rule: Component, year: number): number => {
  const start = written.exec(propertyOf(rule, 'DTSTART')?.value ?? '')
  const recurrence = propertyOf(rule, 'RRULE')?.value ?? ''
  const month = Number(/BYMONTH=(\d{1,2})/.exec(recurrence)?.[1] ?? 0)
  const [, nth = '', weekday = ''] = /BYDAY=([+-]?\d)([A-Z]{2})/.exec(recurrence) ?? []
  const at = weekdays.indexOf(weekday)
  if (month < 1 || at < 0)
    return start ? Date.UTC(Number(start[1]), Number(start[2]) - 1, Number(start[3])) : 0
  const time = (Number(start?.[4] ?? 0) * 60 + Number(start?.[5] ?? 0)) * 60_000
  return dayOfMonth(year, month - 1, Number(nth), at) + time
}

const DAY = 86_400_000
export const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

const dayOfMonth = (year: number, month: number, nth: number, weekday: number): number => {
  const edge = nth > 0 ? Date.UTC(year, month, 1) : Date.UTC(year, month + 1, 0)
  const step = nth > 0 ? 1 : -1
  let at = edge
  while (new Date(at).getUTCDay() !== weekday) at += step * DAY
  return at + (nth - step) * 7 * DAY
}

const minutesOf = (offset: string): number | null => {
  const [, sign, hours, minutes] = /^([+-])(\d{2})(\d{2})/.exec(offset) ?? []
  if (sign === undefined) return null
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
