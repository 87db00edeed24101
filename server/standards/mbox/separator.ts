/** Where a message of an mbox file begins. */

/** So much after the start of a line must be known to tell. */
export const LOOK_AHEAD = 4_096

/** Of the line below, so much shows whether a header field begins. */
export const FIELD_BYTES = 102

const MAX_LINE = 1_000
/** The date is the last thing of the line. */
const DATE_CHARACTERS = 100
const dated = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? .{0,40}\d{1,2}:\d\d(?::\d\d)?\b.{0,40}$/
const undated = /^From (?:-|[^\s@]{1,320}@\S{1,320})\s*$/
const field = /^[!-9;-~]{1,100}:/

/**
 * Is the line that begins `text` the start of a message? Files whose writer does not quote have lines of text that look
 * like one: so it needs a date, or an address alone and a header field below it; and what follows no empty line needs both.
 */
export const isSeparator = (text: string, isAfterEmptyLine: boolean): boolean => {
  if (!text.startsWith('From ')) return false
  const end = text.indexOf('\n')
  const line = (end === -1 ? text : text.slice(0, end)).replace(/\r$/, '')
  if (line.length > MAX_LINE) return false
  const hasDate = dated.test(line.slice(5).slice(-DATE_CHARACTERS))
  if (isAfterEmptyLine && hasDate) return true
  if (!hasDate && !undated.test(line)) return false
  return (isAfterEmptyLine || hasDate) && field.test(end === -1 ? '' : text.slice(end + 1))
}

/** When the line says that the message came; null when it says nothing that can be read. */
export const separatorDate = (line: string): Date | null => {
  const [, day = '', time = '', rest = ''] =
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +([A-Z][a-z]{2} +\d{1,2}|\d{1,2} +[A-Z][a-z]{2}),? +(?:(?=\d{4} )\d{4} +)?(\d{1,2}:\d\d(?::\d\d)?)(.*)$/.exec(
      line,
    ) ?? []
  const year = /\b(\d{4})\b(?!\d)/.exec(rest.replace(/[+-]\d{4}\b/, ''))?.[1]
  const zone = /[+-]\d{4}\b/.exec(rest)?.[0] ?? '+0000'
  const date = new Date(`${day} ${year ?? ''} ${time} ${zone}`)
  return day === '' || year === undefined || Number.isNaN(date.getTime()) ? null : date
}

/** '' when it is no plain address. */
export const separatorSender = (line: string): string =>
  /^From ([\x21-\x7e]{1,320}@[\x21-\x7e]{1,320})(?:\s|$)/.exec(line)?.[1] ?? ''
