/**
 * One message of an mbox file as RFC 4155 has it, in the variant mboxrd: every line that could be taken for the start of a
 * message gets one '>' more, so that nothing is lost by taking it off again.
 */
import { type MboxFields, mailboxFields } from './mbox-fields.ts'

export type MboxMessage = MboxFields & {
  raw: Buffer
  /** '' for bounces. */
  mailFrom: string
  date: Date
}

export const writeMboxMessage = (message: MboxMessage): Buffer => {
  const { raw, mailFrom, date } = message
  const text = raw.toString('latin1').replaceAll('\r\n', '\n')
  const quoted = text.includes('From ') ? text.replace(/^(>*From )/gm, '>$1') : text
  const end = quoted.endsWith('\n') ? '\n' : '\n\n'
  const start = `From ${senderOf(mailFrom)} ${asctime(date)}\n${mailboxFields(message)}`
  return Buffer.from(`${start}${quoted}${end}`, 'latin1')
}

/** A word without spaces; what is no plain address is not shown. */
const senderOf = (mailFrom: string): string =>
  /^[\x21-\x7e]{1,320}$/.test(mailFrom) ? mailFrom : 'MAILER-DAEMON'

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** As ctime() writes it, in UTC. */
const asctime = (date: Date): string => {
  const day = `${date.getUTCDate()}`.padStart(2)
  const time = date.toISOString().slice(11, 19)
  return `${days[date.getUTCDay()]} ${months[date.getUTCMonth()]} ${day} ${time} ${date.getUTCFullYear()}`
}
