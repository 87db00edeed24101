/** Whom an answer goes to, and its subject. */
import type { Message, Person } from '#contract/messages.ts'
import { distinct, formatPerson } from './recipients/people.ts'
import { isOwnAddress } from './sender/own-addresses.ts'

const prefixed = (prefix: string, known: RegExp, subject: string): string =>
  known.test(subject) ? subject : `${prefix} ${subject}`.trim()

export const replySubject = (subject: string) => prefixed('Re:', /^\s*re\s*:/i, subject)
export const forwardSubject = (subject: string) => prefixed('Fwd:', /^\s*(?:fwd?|wg)\s*:/i, subject)

type Correspondents = Pick<Message, 'from' | 'to' | 'cc' | 'replyTo'>

/** `own`: all addresses of the mailbox. An answer to one's own message goes to those it went to. */
export function replyRecipients(
  message: Correspondents,
  own: readonly string[],
  isToAll: boolean,
): { to: string[]; cc: string[] } {
  const others = (people: readonly Person[]) =>
    people.filter(({ address }) => !isOwnAddress(address, own))
  const isOwn = message.from !== null && isOwnAddress(message.from.address, own)
  const senders = message.replyTo.length > 0 ? message.replyTo : message.from ? [message.from] : []
  const to = distinct(isOwn ? message.to : others(senders), [])
  // Writing to oneself is answered to oneself.
  const answered = to.length > 0 ? to : distinct(senders, [])
  const known = answered.map(({ address }) => address)
  const more = isToAll ? [...(isOwn ? [] : message.to), ...message.cc] : []
  const cc = distinct(others(more), known)
  return { to: answered.map(formatPerson), cc: cc.map(formatPerson) }
}
