/** What in the head of a received message may deceive its reader, in plain words, each with what to do. */
import type { Message } from '#contract/messages.ts'
import { shownHost } from '#web/lib/spelling/shown-host.ts'
import { mixesAlphabets, posesAsLatin, shapeOf } from './look-alikes.ts'

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
    namedOtherwise(from) ||
      namedAsOwn(from, ownAddress) ||
      namedAsSite(from) ||
      writtenAsOther(from),
    authentication.dmarc === 'pass' ? '' : posesAsOwn(from, ownAddress),
    lookAlike(from.address, ownAddress) || otherAlphabet(from.address),
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

const namedAsOwn = ({ name, address }: { name: string; address: string }, own: string): string => {
  const house = domainOf(own)
  // 'smart.example' does not show 'art.example'.
  const shown = new RegExp(
    `(?<![\\p{L}\\p{N}-])${house.replaceAll('.', '\\.')}(?![\\p{L}\\p{N}])`,
    'iu',
  )
  return house !== '' && shown.test(name) && !isSameSite(domainOf(address), house)
    ? `The name shows your own domain ${house}, but the message comes from ${address}. Do not trust the name.`
    : ''
}

/** Endings of sites that people know by their names. 'Node.js' and 'Dr.Smith' are none. */
const siteIn =
  /(?<![\p{L}\p{N}@.-])((?:[\p{L}\p{N}-]{2,}\.)+(?:com|net|org|info|biz|io|app|shop|gov|edu|eu|de|at|ch|uk|fr|es|nl|be|pl|se|dk|fi|pt|ca|au|nz|jp|cn|br|ru))(?![\p{L}\p{N}-]|\.[\p{L}\p{N}])/iu

const namedAsSite = ({ name, address }: { name: string; address: string }): string => {
  const [, shown = ''] = siteIn.exec(name) ?? []
  return shown !== '' && !isSameSite(shown.toLowerCase().replace(/^www\./, ''), domainOf(address))
    ? `The name shows ${shown.toLowerCase()}, but the message comes from ${address}. Do not trust the name.`
    : ''
}

/** 'PayPаl' with a letter of another alphabet, 'PayPaI' with a capital I, 'Micr0soft'. */
const writtenAsOther = ({ name, address }: { name: string; address: string }): string =>
  name.split(/\s+/).some((word) => mixesAlphabets(word) || /\p{Ll}I$|\p{Ll}0\p{Ll}/u.test(word))
    ? `The name “${name}” is written with characters that look like others. The message comes from ${address}.`
    : ''

const otherAlphabet = (address: string): string => {
  const host = domainOf(address)
  return posesAsLatin(host)
    ? `${shownHost(host)} is written with letters of another alphabet that look like Latin ones. Do not follow its links.`
    : ''
}

const posesAsOwn = ({ address }: { address: string }, ownAddress: string): string =>
  domainOf(address) === domainOf(ownAddress)
    ? `It says that it comes from your own domain, and this could not be verified. Ask the sender in another way.`
    : ''

const lookAlike = (from: string, ownAddress: string): string => {
  const [theirs, own] = [domainOf(from), domainOf(ownAddress)]
  return theirs !== own && shapeOf(theirs) === shapeOf(own)
    ? `${theirs} only looks like your domain ${own}. Do not follow its links, and tell your Admin.`
    : ''
}
