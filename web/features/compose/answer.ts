/** Recipients and subject of a reply, and the subject of a forwarded message. */
import { isAddress } from '#contract/fields.ts'
import { parseMailto } from '#contract/mail/mailto.ts'
import type { Message, Person } from '#contract/messages.ts'
import { isOwnAddress } from './recipients/own-addresses.ts'
import { distinct, formatPerson } from './recipients/people.ts'

/** Characters; the form accepts no more. */
export const MAX_SUBJECT = 900

/** Prefixes that other programs write, also in other languages and with a count. */
const replyMark = /^\s*(?:re|aw|antw|sv|vs|rif|odp|回复|回覆|答复)(?:\[\d+\])?\s*[:：]/i
const forwardMark = /^\s*(?:fwd?|wg|tr|rv|enc|转发|轉寄)\s*[:：]/i

const prefixed = (prefix: string, known: RegExp, subject: string): string =>
  (known.test(subject) ? subject : `${prefix} ${subject}`)
    .slice(0, MAX_SUBJECT)
    .toWellFormed()
    .trim()

export const replySubject = (subject: string) => prefixed('Re:', replyMark, subject)
export const forwardSubject = (subject: string) => prefixed('Fwd:', forwardMark, subject)

type Correspondents = Pick<Message, 'from' | 'to' | 'cc' | 'replyTo' | 'headers'>

/** The posting address of the mailing list that a message came from (List-Post, RFC 2369, 3.4), or null. */
export function listAddress({ headers }: Pick<Message, 'headers'>): string | null {
  const post = headers.find(({ name }) => name.toLowerCase() === 'list-post')?.value ?? ''
  const link = /<\s*(mailto:[^<>]*)>/i.exec(post)?.[1]
  const address = parseMailto(link?.replace(/\s/g, '') ?? '').to[0] ?? ''
  return isAddress(address) ? address : null
}

/**
 * `own`: all addresses of the mailbox. A reply to one's own message goes to its recipients.
 * When a list sets Reply-To to itself (RFC 5322, 3.6.2, leaves that field to the author), a reply still goes to the author; the
 * list gets it only on reply to all.
 */
export function replyRecipients(
  message: Correspondents,
  own: readonly string[],
  isToAll: boolean,
): { to: string[]; cc: string[] } {
  const others = (people: readonly Person[]) =>
    people.filter(({ address }) => !isOwnAddress(address, own))
  const { from, to, cc, replyTo } = message
  const isOwn = from !== null && isOwnAddress(from.address, own)
  const list = listAddress(message)
  const senders = sendersOf(message, list)
  const recipients = distinct(isOwn ? to : others(senders), [])
  // A message to oneself is answered to oneself.
  const first = recipients.length > 0 ? recipients : distinct(senders, [])
  // When the list is among the recipients already, that entry has its name.
  const all = [
    ...(isOwn ? [] : to),
    ...cc,
    ...replyTo.filter(({ address }) => isSame(address, list)),
  ]
  const everyone = list === null ? all : [...all, { name: '', address: list }]
  const firstAddresses = first.map(({ address }) => address)
  const copied = isToAll ? distinct(others(everyone), firstAddresses) : []
  return { to: first.map(formatPerson), cc: copied.map(formatPerson) }
}

const isSame = (address: string, other: string | null): boolean =>
  address.toLowerCase() === other?.toLowerCase()

/** Who gets the reply: Reply-To, or else From, both without the list; when neither is left, the first of them with the list. */
function sendersOf({ from, replyTo }: Correspondents, list: string | null): Person[] {
  const authors = [replyTo, from ? [from] : []].map((people) =>
    people.filter(({ address }) => !isSame(address, list)),
  )
  const everybody = [...replyTo, ...(from ? [from] : [])]
  return authors.find((people) => people.length > 0) ?? everybody.slice(0, 1)
}
