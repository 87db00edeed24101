/** What in the head of a received message may deceive its reader, in plain words, each with what to do. */
import type { Message } from '#contract/messages.ts'

type Head = Pick<Message, 'from' | 'replyTo' | 'authentication'>

const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** Reply-To of a mailing list or a service is usual and says so; a list is recognised by its own header. */
export function deceptionsIn(
  message: Head & Pick<Message, 'headers'>,
  ownAddress: string,
): string[] {
  const { from, replyTo, authentication } = message
  if (!from || authentication === null) return []
  const isList = message.headers.some(({ name }) => /^list-(?:id|post)$/i.test(name))
  return [
    isList ? '' : replyElsewhere(from.address, replyTo),
    namedOtherwise(from),
    authentication.dmarc === 'pass' ? '' : posesAsOwn(from, ownAddress),
    lookAlike(from.address, ownAddress),
  ].filter((sentence) => sentence !== '')
}

const replyElsewhere = (from: string, replyTo: Message['replyTo']): string => {
  const own = domainOf(from)
  const other = replyTo.find(({ address }) => !isSameSite(domainOf(address), own))
  return other
    ? `Your answer would go to ${other.address}, not to ${own}. Answer only if you expect that.`
    : ''
}

/** One is the other, or a name below it. */
const isSameSite = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)

const namedOtherwise = ({ name, address }: { name: string; address: string }): string => {
  const [, shown = ''] = /[^\s@<>"']+@([a-z0-9-]+(?:\.[a-z0-9-]+)+)/i.exec(name) ?? []
  return shown !== '' && !isSameSite(shown.toLowerCase(), domainOf(address))
    ? `The name shows an address of ${shown.toLowerCase()}, but the message comes from ${address}. Do not trust the name.`
    : ''
}

const posesAsOwn = ({ address }: { address: string }, ownAddress: string): string =>
  domainOf(address) === domainOf(ownAddress)
    ? `It says that it comes from your own domain, and this could not be verified. Ask the sender in another way.`
    : ''

/** Characters that look alike, each as one of them. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[1l|]/g, 'i'],
  [/0/g, 'o'],
  [/5/g, 's'],
  [/-/g, ''],
]

const shapeOf = (domain: string): string =>
  alike.reduce(
    (shape, [pattern, letter]) => shape.replace(pattern, letter),
    domain.normalize('NFKD').replace(/\p{M}/gu, ''),
  )

const lookAlike = (from: string, ownAddress: string): string => {
  const [theirs, own] = [domainOf(from), domainOf(ownAddress)]
  return theirs !== own && shapeOf(theirs) === shapeOf(own)
    ? `${theirs} only looks like your domain ${own}. Do not follow its links, and tell your Admin.`
    : ''
}
