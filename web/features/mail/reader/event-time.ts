/** When an event is, in the reader's zone; a second line has the organiser's time where its zone is another. */
import { type DateFormats, dateLocales } from '#contract/date-formats.ts'
import type { EventInvitation, EventTime } from '#contract/mail/event-invitation.ts'

const DAY_MS = 86_400_000

type When = Pick<EventInvitation, 'start' | 'end'>

export const whenOf = ({ start, end }: When, formats: DateFormats): string => {
  if (start.kind === 'day') return daysOf(start, end, formats)
  const within = (timeZone: string | undefined, isNamed: boolean) =>
    rangeOf(start, end, { ...formats, timeZone }, isNamed)
  if (start.kind === 'floating') return `${within('UTC', false)} (the organiser’s time)`
  const { zone } = start
  const own = within(formats.timeZone, true)
  if (zone === null || clockIn(start, zone) === clockIn(start, formats.timeZone)) return own
  return `${own}\n${within(zone, false)} in ${zone.replaceAll('_', ' ')}`
}

/** Only compared with that of another zone. */
const clockIn = ({ at }: EventTime, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(
    new Date(at),
  )

const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const

const rangeOf = (
  start: EventTime,
  end: EventTime | null,
  { timeZone, hours, order }: DateFormats,
  isNamed: boolean,
) => {
  const times = new Intl.DateTimeFormat(dateLocales[order], {
    ...{ ...DAY, timeZone, hour: 'numeric', minute: '2-digit' },
    ...(isNamed && { timeZoneName: 'short' }),
    hourCycle: hours === '12h' ? 'h12' : 'h23',
  })
  const [from, to] = [new Date(start.at), end && new Date(end.at)]
  return to && to > from ? times.formatRange(from, to) : times.format(from)
}

/** The end of whole days is the day after the last one. */
const daysOf = (start: EventTime, end: EventTime | null, { order }: DateFormats): string => {
  const days = new Intl.DateTimeFormat(dateLocales[order], { ...DAY, timeZone: 'UTC' })
  const from = new Date(start.at)
  const last = end?.kind === 'day' ? new Date(new Date(end.at).getTime() - DAY_MS) : from
  return `${last > from ? days.formatRange(from, last) : days.format(from)}, all day`
}
