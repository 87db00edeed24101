/** Formats dates, sizes and amounts. Dates are written as the person of this browser prefers (decision 071). */
import { type DateFormats, type DateWriter, dateWriter } from '#contract/date-formats.ts'
import { createStore } from './store.ts'

const LOCALE = 'en'
/** Creates formatters at first use: each takes a millisecond. */
const atFirstUse = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** What this browser is set to. */
export function browserFormats(): DateFormats {
  const { hour12 } = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).resolvedOptions()
  const [first] = new Intl.DateTimeFormat(undefined, { dateStyle: 'short' })
    .formatToParts(0)
    .filter(({ type }) => type !== 'literal')
  const orders = { year: 'year-first', day: 'day-first' } as const
  const order = orders[first?.type as keyof typeof orders] ?? 'month-first'
  return { timeZone: undefined, hours: hour12 ? '12h' : '24h', order }
}

type Writers = { own: () => DateWriter; ofDays: () => DateWriter }

const writersOf = (read: () => DateFormats): Writers => ({
  own: atFirstUse(() => dateWriter(read())),
  // A day without a time is the same day everywhere.
  ofDays: atFirstUse(() => dateWriter({ ...read(), timeZone: 'UTC' })),
})

let readFormats = browserFormats
let writers = writersOf(readFormats)
const formats = createStore()

/** Only in the browser, which has one user: the server draws no dates. Null: as the browser has them. */
export function setDateFormats(chosen: DateFormats | null): void {
  readFormats = chosen === null ? browserFormats : () => chosen
  writers = writersOf(readFormats)
  formats.changed()
}

/** What the person chose, or the browser's. */
export const dateFormats = (): DateFormats => readFormats()

/** A text with dates, written anew when the formats change; '' on the server. */
export const useFormatted = (write: () => string): string => formats.use(write, () => '')

const dayOfDocument = atFirstUse(
  () => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' }),
)
const relative = atFirstUse(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' }))

export const formatDate = (iso: string): string => writers.own().date(new Date(iso))
/** Formats a date without a time, '2026-11-20', as 'Nov 20'. */
export const formatDayOfYear = (date: string): string => writers.ofDays().dayOfYear(new Date(date))
/** The same with its year: 'Nov 20, 2026'. */
export const formatDay = (date: string): string => writers.ofDays().date(new Date(date))
export const formatMoment = (iso: string): string => writers.own().moment(new Date(iso))
/** A moment as its day in UTC, for documents: they read the same everywhere, whatever a person prefers. */
export const formatUtcDate = (iso: string): string => dayOfDocument().format(new Date(iso))
/** Formats an integer. Without Intl.NumberFormat, which takes 15 ms to create on every page with a count. */
export const formatCount = (count: number): string =>
  String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** For lists of messages: today as a time, this year as month and day, else with the year. */
export function formatListDate(iso: string, now = new Date()): string {
  const date = new Date(iso)
  const { isoDay, time, dayOfYear, date: write } = writers.own()
  const [day, today] = [isoDay(date), isoDay(now)]
  if (day === today) return time(date)
  return (day.slice(0, 4) === today.slice(0, 4) ? dayOfYear : write)(date)
}

/** The clock of the server may be a little ahead of ours. */
const CLOCKS_DIFFER_MS = 5_000

/** '3 minutes ago', 'last month'; 'just now' within `justNowMs` of now. Of what is to come: 'in 7 days'. */
export const formatAgo = (iso: string, now: number, justNowMs = CLOCKS_DIFFER_MS): string =>
  Math.abs(now - new Date(iso).getTime()) < justNowMs ? 'just now' : formatDistance(iso, now)

/** As `formatAgo`, of what has happened: a clock that is behind the server's shows it in the future, and it is not. */
export const formatPast = (iso: string, now: number, justNowMs = CLOCKS_DIFFER_MS): string =>
  new Date(iso).getTime() > now ? 'just now' : formatAgo(iso, now, justNowMs)

/** As `formatAgo`, to the second: 'in 3 seconds'. */
export function formatDistance(iso: string, now: number): string {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 60) return relative().format(seconds, 'second')
  if (size < 3600) return relative().format(Math.round(seconds / 60), 'minute')
  if (size < 86_400) return relative().format(Math.round(seconds / 3600), 'hour')
  const days = Math.round(seconds / 86_400)
  if (Math.abs(days) < 30) return relative().format(days, 'day')
  if (Math.abs(days) < 365) return relative().format(Math.round(days / 30.4), 'month')
  return relative().format(Math.round(days / 365.25), 'year')
}

/** Decimal units, as quotas are sold: 75GB. Without a space, like the stat cards. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** step
  return `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)}${units[step]}`
}

/** From here on the screen asks to free space. */
const NEARLY_FULL_PERCENT = 90

export const isNearlyFull = (percent: number): boolean => percent >= NEARLY_FULL_PERCENT
