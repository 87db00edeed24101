/**
 * Writes one message of an mbox file (RFC 4155) in the mboxrd variant: a line that could look like a separator gets one more '>',
 * which the import removes again.
 */
import { type MboxFields, mailboxFields } from './mbox-fields.ts'

export type MboxMessage = MboxFields & {
  /** The reverse path; '' for bounces. */
  mailFrom: string
  date: Date
}

/** @param raw the message in pieces of any size */
export async function* writeMboxMessage(
  message: MboxMessage,
  raw: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  const { mailFrom, date } = message
  let start = `From ${senderOf(mailFrom)} ${asctime(date)}\n${mailboxFields(message)}`
  // The part of the last line that has no line end yet.
  let partialLine = ''
  let isBlank = true
  for await (const piece of raw) {
    const text = piece.toString('latin1')
    const end = text.lastIndexOf('\n') + 1
    isBlank = false
    if (end === 0) partialLine += text
    else {
      yield Buffer.from(start + quoted(partialLine + text.slice(0, end)), 'latin1')
      partialLine = text.slice(end)
      start = ''
    }
  }
  const hasEnded = partialLine === '' && !isBlank
  yield Buffer.from(`${start}${quoted(partialLine)}${hasEnded ? '\n' : '\n\n'}`, 'latin1')
}

/** `lines`: whole lines only. */
const quoted = (lines: string): string => {
  const text = lines.replaceAll('\r\n', '\n')
  return text.includes('From ') ? text.replace(/^(>*From )/gm, '>$1') : text
}

/** One word without spaces; any other reverse path is replaced. */
const senderOf = (mailFrom: string): string =>
  /^[\x21-\x7e]{1,320}$/.test(mailFrom) ? mailFrom : 'MAILER-DAEMON'

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** The format of ctime(), in UTC. */
const asctime = (date: Date): string => {
  const day = `${date.getUTCDate()}`.padStart(2)
  const time = date.toISOString().slice(11, 19)
  return `${days[date.getUTCDay()]} ${months[date.getUTCMonth()]} ${day} ${time} ${date.getUTCFullYear()}`
}
