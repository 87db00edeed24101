/** Whom an answer goes to, and its subject. */
import type { Message } from '#contract/messages.ts'
import { distinct, formatPerson } from './people.ts'

const prefixed = (prefix: string, known: RegExp, subject: string): string =>
  known.test(subject) ? subject : `${prefix} ${subject}`.trim()

export const replySubject = (subject: string) => prefixed('Re:', /^\s*re\s*:/i, subject)
export const forwardSubject = (subject: string) => prefixed('Fwd:', /^\s*(?:fwd?|wg)\s*:/i, subject)

type Correspondents = Pick<Message, 'from' | 'to' | 'cc' | 'replyTo'>

/** An answer to one's own message goes to those it went to. */
export function replyRecipients(
  message: Correspondents,
  ownAddress: string,
  isToAll: boolean,
): { to: string[]; cc: string[] } {
  const isOwn = message.from?.address.toLowerCase() === ownAddress.toLowerCase()
  const senders = message.replyTo.length > 0 ? message.replyTo : message.from ? [message.from] : []
  const to = distinct(isOwn ? message.to : senders, isOwn ? [] : [ownAddress])
  // Writing to oneself is answered to oneself.
  const answered = to.length > 0 ? to : distinct(senders, [])
  const known = [ownAddress, ...answered.map(({ address }) => address)]
  const cc = isToAll ? distinct([...(isOwn ? [] : message.to), ...message.cc], known) : []
  return { to: answered.map(formatPerson), cc: cc.map(formatPerson) }
}
