/** An invitation or its cancellation (RFC 5546 section 3.2.2, 3.2.5), and the answer to it (section 3.2.3). */
import { oneLine } from '#server/lib/plain-text.ts'
import { type CalendarTime, readTime } from './calendar-time.ts'
import { type Component, propertyOf, readCalendar, textOf } from './read-calendar.ts'
import { recurrenceWords } from './recurrence-words.ts'

export type Guest = { name: string; address: string; status: GuestStatus }
export type GuestStatus = 'accepted' | 'declined' | 'tentative' | 'none'

export type CalendarInvitation = {
  uid: string
  isCancelled: boolean
  /** 0: the first; each update has a higher one. */
  sequence: number
  title: string
  place: string
  description: string
  start: CalendarTime
  end: CalendarTime | null
  /** In words; null: once. */
  recurrence: string | null
  /** null: there is nobody to answer. */
  organizer: { name: string; address: string } | null
  guests: Guest[]
  /** All of them, also those that `guests` leaves out. */
  guestCount: number
}

const MAX_TEXT = 500
const MAX_DESCRIPTION = 5_000
const MAX_GUESTS = 100
/** Characters of a line that an answer copies: longer ones name no event, and folding them takes time. */
const MAX_COPIED = 5_000

/** null: no invitation, or one whose time cannot be read. */
export const invitationIn = (text: string): CalendarInvitation | null => {
  const calendar = readCalendar(text)
  const method = calendar ? textOf(calendar, 'METHOD').trim().toUpperCase() : ''
  const event = calendar && eventOf(calendar)
  if (!event || (method !== 'REQUEST' && method !== 'CANCEL')) return null
  const start = readTime(propertyOf(event, 'DTSTART'), calendar)
  const uid = textOf(event, 'UID').trim()
  if (start === null || uid === '' || uid.length > MAX_TEXT) return null
  const guests = event.properties.filter(({ name }) => name === 'ATTENDEE')
  const rule = propertyOf(event, 'RRULE')?.value
  return {
    ...{ uid, start, end: readTime(propertyOf(event, 'DTEND'), calendar) },
    isCancelled:
      method === 'CANCEL' || textOf(event, 'STATUS').trim().toUpperCase() === 'CANCELLED',
    sequence: Math.min(Number(/^\d{1,9}$/.exec(textOf(event, 'SEQUENCE').trim())?.[0] ?? 0), 1e9),
    title: oneLine(textOf(event, 'SUMMARY'), MAX_TEXT),
    place: oneLine(textOf(event, 'LOCATION'), MAX_TEXT),
    description: textOf(event, 'DESCRIPTION').slice(0, MAX_DESCRIPTION).toWellFormed().trim(),
    recurrence: rule === undefined ? null : recurrenceWords(rule),
    organizer:
      event.properties.flatMap((each) => (each.name === 'ORGANIZER' ? personOf(each) : []))[0] ??
      null,
    guests: guests
      .slice(0, MAX_GUESTS)
      .flatMap((each) =>
        personOf(each).map((person) => ({ ...person, status: statusOf(each.params) })),
      ),
    guestCount: guests.length,
  }
}

/** Of several, the one that stands for the series. */
const eventOf = (calendar: Component): Component | undefined => {
  const events = calendar.components.filter(({ name }) => name === 'VEVENT')
  return events.find((event) => !propertyOf(event, 'RECURRENCE-ID')) ?? events[0]
}

const personOf = ({ params, value }: Component['properties'][number]) => {
  const address = /^\s*mailto:([^\s<>"@,;]{1,64}@[^\s<>"@,;]{1,255})\s*$/i.exec(value)?.[1]
  return address === undefined
    ? []
    : [{ name: oneLine(params.CN ?? '', 200), address: address.toLowerCase() }]
}

const statusOf = (params: Readonly<Record<string, string>>): GuestStatus => {
  const status = (params.PARTSTAT ?? '').toLowerCase()
  return status === 'accepted' || status === 'declined' || status === 'tentative' ? status : 'none'
}

export type Answer = Exclude<GuestStatus, 'none'>

/** The calendar of an answer: what names the event is copied as it came. @returns null when the text is no invitation. */
export const replyTo = (
  text: string,
  { answer, guest, at }: { answer: Answer; guest: { name: string; address: string }; at: Date },
): string | null => {
  const calendar = readCalendar(text)
  const event = calendar && eventOf(calendar)
  if (!event) return null
  const copied = linesIn(
    event,
    20,
    /^(?:UID|SEQUENCE|RECURRENCE-ID|DTSTART|DTEND|SUMMARY|ORGANIZER)$/,
  )
  const zones = calendar.components.filter(({ name }) => name === 'VTIMEZONE').slice(0, 5)
  const name = guest.name.replace(/["\r\n]/g, '')
  return [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Mailstead//EN', 'METHOD:REPLY'],
    ...zones.flatMap(linesOf),
    ...['BEGIN:VEVENT', `DTSTAMP:${at.toISOString().replace(/[-:]|\.\d+/g, '')}`],
    ...copied,
    `ATTENDEE;PARTSTAT=${answer.toUpperCase()}${name === '' ? '' : `;CN="${name}"`}:mailto:${guest.address}`,
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ]
    .map(folded)
    .join('\r\n')
}

const lineOf = ({ name, params, value }: Component['properties'][number]): string =>
  `${name}${Object.entries(params)
    .map(([key, given]) => `;${key}="${given}"`)
    .join('')}:${value}`.replace(/;(VALUE|TZID|PARTSTAT)="([A-Za-z0-9 ._/+-]*)"/g, ';$1=$2')

const linesIn = ({ properties }: Component, most: number, names: RegExp): string[] =>
  properties
    .filter(({ name, value }) => names.test(name) && value.length <= MAX_COPIED)
    .slice(0, most)
    .map(lineOf)
    .filter((line) => line.length <= MAX_COPIED)

const linesOf = (component: Component): string[] => [
  `BEGIN:${component.name}`,
  ...linesIn(component, 50, /^/),
  ...component.components.slice(0, 20).flatMap(linesOf),
  `END:${component.name}`,
]

const MAX_OCTETS = 74

/** Lines have at most 75 octets; the rest goes on in the next, after a space (RFC 5545 section 3.1). */
const folded = (line: string): string => {
  const pieces: string[] = []
  let piece = ''
  for (const letter of line) {
    if (Buffer.byteLength(piece + letter) > MAX_OCTETS) {
      pieces.push(piece)
      piece = ''
    }
    piece += letter
  }
  return [...pieces, piece].join('\r\n ')
}
