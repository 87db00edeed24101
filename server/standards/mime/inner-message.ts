/** The heading of a message inside another message, where both are shown as one text. */
import type { Address, Email } from 'postal-mime'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { oneLine } from '#server/lib/plain-text.ts'

const MAX_VALUE = 2_000
const MAX_NAME = 80
const LINE = '-'.repeat(40)

export const innerHeaderText = (message: Email): string =>
  `\n${LINE}\n${rowsOf(message)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}${LINE}\n`

export const innerHeaderHtml = (message: Email): string =>
  `<hr><p>${rowsOf(message)
    .map(([name, value]) => `<b>${name}:</b> ${escapeHtml(value)}`)
    .join('<br>')}</p>`

/** The file name of the inner message. */
export const innerFilename = (message: Email): string => {
  const name = oneLine(message.subject ?? '', MAX_NAME).replace(/[^\p{L}\p{N}\p{M} ._-]+/gu, '_')
  return name === '' ? '' : `${name}.eml`
}

const rowsOf = (message: Email): [name: string, value: string][] => {
  const { from, to = [], cc = [], subject = '', headers } = message
  const date = headers.find(({ key }) => key === 'date')?.value ?? ''
  const rows: [string, string][] = [
    ['From', peopleText(from ? [from] : [])],
    ['Subject', subject],
    ['Date', innerDate(date)],
    ['To', peopleText(to)],
    ['Cc', peopleText(cc)],
  ]
  return rows
    .map(([name, value]): [string, string] => [name, oneLine(value, MAX_VALUE)])
    .filter(([, value]) => value !== '')
}

const peopleText = (people: readonly Address[]): string =>
  people
    .flatMap((person) => person.group ?? [person])
    .map(({ name, address }) => (name ? `${name} <${address}>` : (address ?? '')))
    .join(', ')

const moment = new Intl.DateTimeFormat('en', {
  ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' },
})

/** 'Nov 23, 2026, 1:50 PM +01:00': the date in our format, in the time zone of its sender. */
export const innerDate = (value: string): string => {
  const at = Date.parse(value)
  if (Number.isNaN(at)) return value
  const [, sign = '+', hours = '00', minutes = '00'] = /([+-])(\d\d)(\d\d)\b/.exec(value) ?? []
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  const shown = new Date(at + offset)
  if (Number.isNaN(shown.getTime())) return value
  return `${moment.format(shown).replaceAll('\u202f', ' ')} ${sign}${hours}:${minutes}`
}
