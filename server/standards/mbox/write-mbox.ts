/**
 * One message of an mbox file as RFC 4155 has it, in the variant mboxrd: every line that could be taken for the start of a
 * message gets one '>' more, so that nothing is lost by taking it off again.
 */
import { type MboxFields, mailboxFields } from './mbox-fields.ts'

export type MboxMessage = MboxFields & {
  /** '' for bounces. */
  mailFrom: string
  date: Date
}

/** @param raw the message in pieces, cut anywhere */
export async function* writeMboxMessage(
  message: MboxMessage,
  raw: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  const { mailFrom, date } = message
  let start = `From ${senderOf(mailFrom)} ${asctime(date)}\n${mailboxFields(message)}`
  // Of the line that has not ended yet.
  let begun = ''
  let isBlank = true
  for await (const piece of raw) {
    const text = piece.toString('latin1')
    const end = text.lastIndexOf('\n') + 1
    isBlank = false
    if (end === 0) begun += text
    else {
      yield Buffer.from(start + quoted(begun + text.slice(0, end)), 'latin1')
      begun = text.slice(end)
      start = ''
    }
  }
  const hasEnded = begun === '' && !isBlank
  yield Buffer.from(`${start}${quoted(begun)}${hasEnded ? '\n' : '\n\n'}`, 'latin1')
}

/** Whole lines. */
const quoted = (lines: string): string => {
  const text = lines.replaceAll('\r\n', '\n')
  return text.includes('From ') ? text.replace(/^(>*From )/gm, '>$1') : text
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
