import { type DateFormats, dateWriter, zoneOf } from '#contract/date-formats.ts'
import type { OwnPreferences } from './preference-queries.ts'

type Chosen = Pick<OwnPreferences, 'timeZone' | 'timeFormat' | 'dateFormat'>
type Company = { timeZone: string; timeFormat: string }

/** A moment for a mail, as its reader has dates written, with the zone: '23 Nov 2026, 14:30 (Europe/Berlin)'. */
export const momentInMail = (at: Date, own: Chosen, company?: Company): string => {
  const timeZone = zoneOf(own.timeZone || company?.timeZone || 'UTC')
  const hours = hoursOf(own.timeFormat || company?.timeFormat || '24h')
  const order = own.dateFormat === '' ? 'day-first' : own.dateFormat
  return `${dateWriter({ timeZone, hours, order }).moment(at)} (${timeZone.replaceAll('_', ' ')})`
}

const hoursOf = (timeFormat: string): DateFormats['hours'] => (timeFormat === '12h' ? '12h' : '24h')
