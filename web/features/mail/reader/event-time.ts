/** When an event is, in the reader's zone; a second line has the organiser's time where its zone is another. */
import type { EventInvitation, EventTime } from '#contract/mail/event-invitation.ts'

const LOCALE = 'en'
const DAY_MS = 86_400_000

type When = Pick<EventInvitation, 'start' | 'end'>

/** `ownZone`: an IANA name; absent: the zone of the browser. */
export const whenOf = ({ start, end }: When, ownZone?: string): string => {
  if (start.kind === 'day') return daysOf(start, end)
  if (start.kind === 'floating')
    return `${rangeIn(start, end, 'UTC', false)} (the organiser’s time)`
  const own = rangeIn(start, end, ownZone, true)
  const { zone } = start
  if (zone === null || clockIn(start, zone) === clockIn(start, ownZone)) return own
  return `${own}\n${rangeIn(start, end, zone, false)} in ${zone.replaceAll('_', ' ')}`
}

const clockIn = ({ at }: EventTime, timeZone: string | undefined): string =>
  format({ dateStyle: 'short', timeStyle: 'short' }, timeZone).format(new Date(at))

const format = (options: Intl.DateTimeFormatOptions, timeZone: string | undefined) =>
  new Intl.DateTimeFormat(LOCALE, { ...options, ...(timeZone && { timeZone }) })

const rangeIn = (
  start: EventTime,
  end: EventTime | null,
  zone: string | undefined,
  isNamed: boolean,
) => {
  const options: Intl.DateTimeFormatOptions = {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', ...(isNamed && { timeZoneName: 'short' }) },
  }
  const times = format(options, zone)
  const [from, to] = [new Date(start.at), end && new Date(end.at)]
  return to && to > from ? times.formatRange(from, to) : times.format(from)
}

/** The end of whole days is the day after the last one. */
const daysOf = (start: EventTime, end: EventTime | null): string => {
  const days = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }, 'UTC')
  const from = new Date(start.at)
  const last = end?.kind === 'day' ? new Date(new Date(end.at).getTime() - DAY_MS) : from
  return `${last > from ? days.formatRange(from, last) : days.format(from)}, all day`
}
