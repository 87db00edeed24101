/** Reads the recipients, subject and body of a mailto: link (RFC 6068). Ignores all its other fields. */

export type MailtoFields = { to: string[]; cc: string[]; subject: string; text: string }

const MAX_RECIPIENTS = 50
const MAX_SUBJECT_LENGTH = 900
const MAX_TEXT_LENGTH = 20_000

export function parseMailto(mailto: string): MailtoFields {
  const [addresses = '', query = ''] = mailto.replace(/^mailto:/i, '').split('?', 2)
  const fields = query.split('&').map((field) => {
    const [name = '', value = ''] = field.split('=', 2)
    return [decodeSafely(name).toLowerCase(), value] as const
  })
  const all = (fieldName: string) => fields.filter(([name]) => name === fieldName)
  const people = (fieldName: string) => all(fieldName).flatMap(([, value]) => recipientsIn(value))
  const first = (fieldName: string) => decodeSafely(all(fieldName)[0]?.[1] ?? '')
  return {
    to: [...recipientsIn(addresses), ...people('to')].slice(0, MAX_RECIPIENTS),
    cc: people('cc').slice(0, MAX_RECIPIENTS),
    subject: onOneLine(first('subject')).slice(0, MAX_SUBJECT_LENGTH),
    text: first('body')
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n\t]/gu, '')
      .slice(0, MAX_TEXT_LENGTH),
  }
}

/** Commas between addresses are literal; a comma within an address is encoded. */
const recipientsIn = (text: string): string[] =>
  text
    .split(',')
    .map((one) => onOneLine(decodeSafely(one)).trim())
    .filter((one) => one !== '')

const onOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

const decodeSafely = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
