/** Writes dates as the signed-in person prefers, from the moment on that their preferences are there. */
import type { QueryClient } from '@tanstack/react-query'
import { type DateFormats, zoneOf } from '#contract/date-formats.ts'
import { getPreferences, type Preferences } from '#contract/profile.ts'
import { browserFormats, setDateFormats } from '../format.ts'

/** The person's own, else the company's, else that of the browser. */
export function formatsOf({ company, ...own }: Preferences): DateFormats {
  const browser = browserFormats()
  const timeZone = own.timeZone || company.timeZone
  const hours = own.timeFormat || company.timeFormat
  return {
    timeZone: isKnownZone(zoneOf(timeZone)) ? zoneOf(timeZone) : browser.timeZone,
    hours: hours === '12h' || hours === '24h' ? hours : browser.hours,
    order: own.dateFormat || browser.order,
  }
}

/** The server may know newer zones than this browser. */
function isKnownZone(timeZone: string): boolean {
  if (timeZone === '') return false
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** Before anything is rendered with them. After log-out the client is cleared, and dates are those of the browser. */
export function followPreferences(client: QueryClient): void {
  let last: unknown
  client.getQueryCache().subscribe(({ query, type }) => {
    if (query.queryKey[0] !== getPreferences.path) return
    const preferences =
      type === 'removed' ? undefined : (query.state.data as Preferences | undefined)
    if (preferences === last) return
    last = preferences
    setDateFormats(preferences === undefined ? null : formatsOf(preferences))
  })
}
