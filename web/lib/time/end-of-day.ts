import { formatDay, formatMoment } from '../format.ts'
import { localDay } from './local-day.ts'

/** The end of this day where the browser is; null without a day. */
export const endOfDay = (day: string): string | null => {
  if (day === '') return null
  const end = new Date(`${day}T00:00:00`)
  end.setDate(end.getDate() + 1)
  return end.toISOString()
}

/** The last day of what ends then, where the browser is; '' when it does not end. */
export const lastDayBefore = (end: string | null): string =>
  end === null ? '' : localDay(new Date(new Date(end).getTime() - 1))

/** 'after Jan 31, 2027', as a person chose the last day; at an hour that a program chose, the moment. */
export const formatEnd = (end: string): string => {
  const lastDay = lastDayBefore(end)
  const isDay = endOfDay(lastDay) === new Date(end).toISOString()
  return isDay ? `after ${formatDay(lastDay)}` : formatMoment(end)
}
