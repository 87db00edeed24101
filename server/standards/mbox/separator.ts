/** Recognises the line that starts a message in an mbox file. */

/** Bytes after the start of a line that are needed to decide. */
export const LOOK_AHEAD = 4_096

/** Bytes of the next line that show whether a header field begins there. */
export const FIELD_BYTES = 102

const MAX_LINE = 1_000
/** The date is at the end of the line. */
const DATE_CHARACTERS = 100
const dated = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? .{0,40}\d{1,2}:\d\d(?::\d\d)?\b.{0,40}$/
const undated = /^From (?:-|[^\s@]{1,320}@\S{1,320})\s*$/
const field = /^[!-9;-~]{1,100}:/

/**
 * Whether `text` begins with a separator line. Some writers do not quote, so a line of text may look like one. After an empty
 * line it needs a date, or an address alone and a header field below it; without an empty line it needs a date and that field.
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

/** The arrival time in the separator line; null when it has no valid date. */
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

/** The sender in the separator line; '' when it is not a plain address. */
export const separatorSender = (line: string): string =>
  /^From ([\x21-\x7e]{1,320}@[\x21-\x7e]{1,320})(?:\s|$)/.exec(line)?.[1] ?? ''
