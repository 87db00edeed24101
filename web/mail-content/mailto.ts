/** What a mailto: link asks for (RFC 6068): whom to write to, and how the letter begins. Nothing else in it is heard. */

export type LetterStart = { to: string[]; cc: string[]; subject: string; text: string }

const MAX_RECIPIENTS = 50
const MAX_SUBJECT_LENGTH = 900
const MAX_TEXT_LENGTH = 20_000

export function letterOf(mailto: string): LetterStart {
  const [addresses = '', query = ''] = mailto.replace(/^mailto:/i, '').split('?', 2)
  const fields = query.split('&').map((field) => {
    const [name = '', value = ''] = field.split('=', 2)
    return [decoded(name).toLowerCase(), value] as const
  })
  const all = (wanted: string) => fields.filter(([name]) => name === wanted)
  const people = (wanted: string) => all(wanted).flatMap(([, value]) => recipientsIn(value))
  const first = (wanted: string) => decoded(all(wanted)[0]?.[1] ?? '')
  return {
    to: [...recipientsIn(addresses), ...people('to')].slice(0, MAX_RECIPIENTS),
    cc: people('cc').slice(0, MAX_RECIPIENTS),
    subject: line(first('subject')).slice(0, MAX_SUBJECT_LENGTH),
    text: first('body')
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n\t]/gu, '')
      .slice(0, MAX_TEXT_LENGTH),
  }
}

/** Commas between addresses stand as they are; those within one are encoded. */
const recipientsIn = (text: string): string[] =>
  text
    .split(',')
    .map((one) => line(decoded(one)).trim())
    .filter((one) => one !== '')

const line = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
