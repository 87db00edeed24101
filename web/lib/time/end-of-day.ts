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
