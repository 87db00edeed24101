/** Dates of IMAP (RFC 9051 §9). */
import { BadSyntax } from './cursor.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const monthOf = (name: string): number =>
  months.findIndex((month) => month.toLowerCase() === name.toLowerCase())

/** `1-Feb-2026` as its midnight in UTC. @throws BadSyntax */
export const readDay = (text: string): Date => {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})-([a-z]{3})-(\d{4})$/i.exec(text) ?? []
  const date = new Date(Date.UTC(Number(year), monthOf(month), Number(day)))
  if (day === '' || monthOf(month) < 0 || date.getUTCDate() !== Number(day))
    throw new BadSyntax('A date is not like 1-Feb-2026')
  return date
}

const dateTime = /^([ \d]\d)-([a-z]{3})-(\d{4}) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/i

/** ` 1-Feb-2026 08:30:00 +0100`. @throws BadSyntax */
export const readDateTime = (text: string): Date => {
  const found = dateTime.exec(text.length === 25 ? ` ${text}` : text)
  const [, day, month = '', year, hour, minute, second, sign, hours, minutes] = found ?? []
  const zone = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const at = Date.UTC(
    ...[Number(year), monthOf(month), Number(day)],
    ...([Number(hour), Number(minute) - zone, Number(second)] as const),
  )
  if (found === null || monthOf(month) < 0 || Number(day) < 1 || Number(day) > 31)
    throw new BadSyntax('A date is not like " 1-Feb-2026 08:30:00 +0100"')
  return new Date(at)
}

const two = (number: number): string => String(number).padStart(2, '0')

/** In UTC, with its quotes. */
export const dateTimeText = (date: Date): string => {
  const day = String(date.getUTCDate()).padStart(2, ' ')
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':')
  const year = String(date.getUTCFullYear()).padStart(4, '0')
  return `"${day}-${months[date.getUTCMonth()]}-${year} ${time} +0000"`
}
