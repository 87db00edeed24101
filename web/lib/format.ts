/** Dates, sizes and sums as people read them. */

const LOCALE = 'en'
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })
const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' })
const thisYear = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric' })
const whole = new Intl.NumberFormat(LOCALE)
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })

export const formatDate = (iso: string): string => day.format(new Date(iso))
export const formatMoment = (iso: string): string => moment.format(new Date(iso))
export const formatCount = (count: number): string => whole.format(count)

/** Today as a time, this year as month and day, else the whole date: for lists of messages. */
export function formatListDate(iso: string, now = new Date()): string {
  const date = new Date(iso)
  if (date.toDateString() === now.toDateString()) return clock.format(date)
  return (date.getFullYear() === now.getFullYear() ? thisYear : day).format(date)
}

/** '3 minutes ago', 'in 12 seconds'. */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 60) return relative.format(seconds, 'second')
  if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute')
  if (size < 86_400) return relative.format(Math.round(seconds / 3600), 'hour')
  return relative.format(Math.round(seconds / 86_400), 'day')
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
  `$${cents % 100 === 0 ? whole.format(cents / 100) : (cents / 100).toFixed(2)}`
