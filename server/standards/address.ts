/**
 * Mail addresses (RFC 5321 §4.1.2): the one parser for addresses that are typed, received or stored. Our own addresses have an
 * ASCII dot-string as local part; addresses elsewhere may also have a quoted local part or letters of any script (RFC 6531).
 * Comments, source routes and IP literals are refused, because parsers disagree on them.
 */
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'

export type Address = {
  /** As written. */
  local: string
  /** A-labels, lower case. */
  domain: string
  /** For comparing and storing: all in lower case. */
  address: string
}

export type Mailbox = { name: string; address: string }

const MAX_LOCAL = 64
const MAX_ADDRESS = 254
const MAX_MAILBOX = 1000
const atom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/

/** Parses text that is one plain address and nothing else; otherwise null. */
export const parseAddress = (text: string): Address | null => {
  if (text.length > MAX_ADDRESS) return null
  const at = text.indexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  if (local.length > MAX_LOCAL || !local.split('.').every((part) => atom.test(part))) return null
  const domain = domainToAscii(text.slice(at + 1))
  if (domain === null || local.length + 1 + domain.length > MAX_ADDRESS) return null
  return { local, domain, address: `${local.toLowerCase()}@${domain}` }
}

const ASCII = /^[\x20-\x7e]*$/
/** RFC 6531 §3.3, without invisible characters. */
const wideAtom =
  /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|[^\p{ASCII}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+$/u
/** Angle brackets are legal in a quoted local part, but many programs on the way read one as the end of the address. */
const quoted = /^"((?:[ !#-;=?-[\]^-~]|\\["\\])+)"$/

/** Parses an address that mail can be sent to. A local part that is not plain keeps its case: its host may distinguish it. */
export const parseRecipient = (text: string): Pick<Address, 'address' | 'domain'> | null => {
  const plain = parseAddress(text)
  if (plain !== null || text.length > MAX_ADDRESS) return plain
  const at = text.lastIndexOf('@')
  const domain = domainToAscii(text.slice(at + 1))
  const local = wideLocal(text.slice(0, Math.max(at, 0)))
  if (domain === null || local === null || Buffer.byteLength(local) > MAX_LOCAL) return null
  const address = `${local}@${domain}`
  if (Buffer.byteLength(address) > MAX_ADDRESS) return null
  return parseAddress(address) ?? { domain, address }
}

/** Drops quotes that are not needed. */
const wideLocal = (local: string): string | null => {
  const content = quoted.exec(local)?.[1]?.replace(/\\(.)/g, '$1') ?? null
  const written = content ?? local
  if (written.split('.').every((part) => wideAtom.test(part))) return written
  return content === null ? null : `"${content.replace(/["\\]/g, '\\$&')}"`
}

/** RFC 6531: only a host that offers SMTPUTF8 accepts such an address. */
export const isInternational = (address: string): boolean => !ASCII.test(address)

/** 'ada@example.com', '<ada@example.com>', 'Ada Lovelace <ada@example.com>' or '"Lovelace, Ada" <ada@example.com>'. */
export const parseMailbox = (text: string): Mailbox | null => {
  if (text.length > MAX_MAILBOX || hasControls(text)) return null
  const trimmed = text.trim()
  const plain = parseRecipient(trimmed)
  if (plain !== null) return { name: '', address: plain.address }
  const bracketAt = trimmed.lastIndexOf('<')
  if (bracketAt < 0) return null
  const name = readName(trimmed.slice(0, bracketAt).trim())
  const parsed = trimmed.endsWith('>') ? parseRecipient(trimmed.slice(bracketAt + 1, -1)) : null
  return name === null || parsed === null ? null : { name, address: parsed.address }
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** The characters that a name may have before mapping; keeps percent signs, brackets and spaces away from the URL parser. */
const writable = /^(?:[\p{L}\p{N}\p{M}.-]|[\u3002\uff0e\uff61]|\u200c|\u200d)+$/u
const MAX_DOMAIN = 253

/**
 * The domain as A-labels in lower case (UTS 46, non-transitional); null when the text is not a host name of at least two labels.
 * Refuses a trailing dot, an underscore and an IP address.
 */
export const domainToAscii = (text: string): string | null => {
  if (text.length > MAX_DOMAIN || !writable.test(text)) return null
  const name = domainToASCII(text)
  if (name === '' || name.length > MAX_DOMAIN || isIP(name) !== 0) return null
  const labels = name.split('.')
  if (labels.length < 2 || !labels.every(isLabel)) return null
  // Some programs read a numeric last label as an IPv4 address.
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : name
}

/** Refuses text that only looks like an A-label. */
const isLabel = (text: string): boolean => {
  if (!label.test(text)) return false
  if (!text.startsWith('xn--')) return true
  const unicode = domainToUnicode(text)
  return unicode !== text && domainToASCII(unicode) === text
}

const hasControls = (text: string): boolean => /\p{Cc}|\u2028|\u2029/u.test(text)

/** A display name, quoted or not. Encoded words (RFC 2047) are refused: they belong in header fields, not in typed text. */
const readName = (text: string): string | null => {
  const name = text.startsWith('"') ? unquote(text) : /[()<>[\]:;@\\,"]/.test(text) ? null : text
  return name === null || name.includes('=?') ? null : name.trim()
}

const unquote = (text: string): string | null => {
  let name = ''
  for (let at = 1; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"') return at === text.length - 1 ? name : null
    if (char === '\\') at += 1
    name += text.charAt(at)
  }
  return null
}

/** Role names: they reach the people responsible for the domain (RFC 2142 §4, RFC 5321 §4.5.1). */
const roleNames = new Set(['postmaster', 'abuse'])

/** The local part before a plus sign: mail to ada+shop@ goes to ada@. */
export const baseOf = (localPart: string): string => localPart.split('+', 1)[0] ?? ''

export const isRoleName = (localPart: string): boolean =>
  roleNames.has(baseOf(localPart).toLowerCase())

export const isRoleAddress = (address: string): boolean => isRoleName(localPartOf(address))

/** In lower case; '' without an @. */
export const domainOf = (address: string): string => {
  const at = address.lastIndexOf('@')
  return at === -1 ? '' : address.slice(at + 1).toLowerCase()
}

/** As written; '' without an @. */
export const localPartOf = (address: string): string =>
  address.slice(0, Math.max(address.lastIndexOf('@'), 0))
