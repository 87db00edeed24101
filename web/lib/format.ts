/** Dates, sizes and sums as people read them. */

const LOCALE = 'en'
/** Made at first use: each costs a page that does not show it a millisecond. */
const atFirstUse = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
const dates = (options: Intl.DateTimeFormatOptions) =>
  atFirstUse(() => new Intl.DateTimeFormat(LOCALE, options))

const day = dates({ dateStyle: 'medium' })
const moment = dates({ dateStyle: 'medium', timeStyle: 'short' })
const clock = dates({ timeStyle: 'short' })
const thisYear = dates({ month: 'short', day: 'numeric' })
const dayOfYear = dates({ month: 'short', day: 'numeric', timeZone: 'UTC' })
const relative = atFirstUse(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' }))

export const formatDate = (iso: string): string => day().format(new Date(iso))
/** A date without a time ('2026-11-20'), as 'Nov 20'. */
export const formatDayOfYear = (date: string): string => dayOfYear().format(new Date(date))
export const formatMoment = (iso: string): string => moment().format(new Date(iso))
/** A whole number. By hand: the number format of the browser takes 15 ms to make, on every page with a count. */
export const formatCount = (count: number): string =>
  String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Today as a time, this year as month and day, else the whole date: for lists of messages. */
export function formatListDate(iso: string, now = new Date()): string {
  const date = new Date(iso)
  if (date.toDateString() === now.toDateString()) return clock().format(date)
  return (date.getFullYear() === now.getFullYear() ? thisYear : day)().format(date)
}

/** '3 minutes ago', 'in 12 seconds', 'last month'. */
export function formatAgo(iso: string, now = Date.now()): string {
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

/** Decimal units, as quotas are sold: 75GB. Written without a space, as the stat cards have it. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** step
  return `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)}${units[step]}`
}

/** Integer cents as '$12' or '$12.50'. */
export const formatCents = (cents: number): string =>
  `$${cents % 100 === 0 ? formatCount(cents / 100) : (cents / 100).toFixed(2)}`

/** From here on somebody should make room. */
const NEARLY_FULL_PERCENT = 90

export const isNearlyFull = (percent: number): boolean => percent >= NEARLY_FULL_PERCENT
