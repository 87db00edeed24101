/** Whom an answer goes to, and its subject. */
import { isAddress } from '#contract/fields.ts'
import type { Message, Person } from '#contract/messages.ts'
import { letterOf } from '#web/mail-content/mailto.ts'
import { isOwnAddress } from './own-addresses.ts'
import { distinct, formatPerson } from './people.ts'

/** The form takes no more. */
export const MAX_SUBJECT = 900

/** What other programs put there, also in other languages, and with a count. */
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

/** Where a mailing list takes mail, if this came by one that does (List-Post, RFC 2369, 3.4). */
export function listAddress({ headers }: Pick<Message, 'headers'>): string | null {
  const post = headers.find(({ name }) => name.toLowerCase() === 'list-post')?.value ?? ''
  const link = /<\s*(mailto:[^<>]*)>/i.exec(post)?.[1]
  const address = letterOf(link?.replace(/\s/g, '') ?? '').to[0] ?? ''
  return isAddress(address) ? address : null
}

/**
 * `own`: all addresses of the mailbox. An answer to one's own message goes to those it went to. A list that puts itself into
 * Reply-To (RFC 5322, 3.6.2, leaves that to the author) takes no answer away from the author: all get it only when all are meant.
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
  const answered = distinct(isOwn ? to : others(senders), [])
  // Writing to oneself is answered to oneself.
  const first = answered.length > 0 ? answered : distinct(senders, [])
  // Where the list stands in it already, it has its name there.
  const all = [
    ...(isOwn ? [] : to),
    ...cc,
    ...replyTo.filter(({ address }) => isSame(address, list)),
  ]
  const whole = list === null ? all : [...all, { name: '', address: list }]
  const known = first.map(({ address }) => address)
  const more = isToAll ? distinct(others(whole), known) : []
  return { to: first.map(formatPerson), cc: more.map(formatPerson) }
}

const isSame = (address: string, other: string | null): boolean =>
  address.toLowerCase() === other?.toLowerCase()

/** Who asked to be answered: the authors rather than the list, if it leaves any to be known. */
function sendersOf({ from, replyTo }: Correspondents, list: string | null): Person[] {
  const authors = [replyTo, from ? [from] : []].map((people) =>
    people.filter(({ address }) => !isSame(address, list)),
  )
  const everybody = [...replyTo, ...(from ? [from] : [])]
  return authors.find((people) => people.length > 0) ?? everybody.slice(0, 1)
}
