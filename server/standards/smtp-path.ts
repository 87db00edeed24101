/** The path in MAIL and RCPT (RFC 5321 §4.1.2). A quoted local part may contain spaces and @. */
import { isIP } from 'node:net'

export type SmtpPath = {
  /** As received, without its source route; '' for `<>`. */
  address: string
  /** The text after the path: the parameters. */
  rest: string
}

/** The RFC's limit of 256 includes the brackets (§4.5.3.1.3). */
const MAX_BYTES = 254
/** A source route is ignored (appendix C). */
const route = /^@[^\s,:@<>"]+(?:,@[^\s,:@<>"]+)*:/
const quoted = /^"(?:[^"\\\p{Cc}\p{Zl}\p{Zp}]|\\[ -~])*"@/u
/** Allows more than the RFC's atoms, because programs send more; refuses quotes, brackets, backslashes and spaces. */
const plain = /^[^"\\<>\s\p{Cc}\p{Cf}@]+@/u
const domain = /^(?:[\p{L}\p{N}\p{M}.-]|\u200c|\u200d)+>/u
const literal = /^\[(?:IPv6:)?([0-9a-f.:]+)\]>/i

/** `text` begins at the bracket. Returns null when it is not a path; `<postmaster>` alone is one (§4.1.1.3). */
export const parseSmtpPath = (text: string): SmtpPath | null => {
  if (text.startsWith('<>')) return { address: '', rest: text.slice(2) }
  if (!text.startsWith('<')) return null
  const inner = text.slice(1).replace(route, '')
  const alone = /^postmaster>/i.exec(inner)
  if (alone !== null) return { address: inner.slice(0, 10), rest: inner.slice(alone[0].length) }
  const local = (quoted.exec(inner) ?? plain.exec(inner))?.[0] ?? ''
  if (local === '' || (!local.startsWith('"') && hasEmptyPart(local.slice(0, -1)))) return null
  const host = hostAt(inner.slice(local.length))
  if (host === null) return null
  const address = local + host
  if (Buffer.byteLength(address) > MAX_BYTES) return null
  return { address, rest: inner.slice(address.length + 1) }
}

const hasEmptyPart = (local: string): boolean => local.split('.').includes('')

/** The text before the closing bracket, when it is a domain or an address literal. */
const hostAt = (text: string): string | null => {
  const ip = literal.exec(text)
  if (ip !== null) return isIP(ip[1] ?? '') === 0 ? null : ip[0].slice(0, -1)
  const name = domain.exec(text)?.[0].slice(0, -1)
  if (name === undefined || name.split('.').some((part) => /^$|^-|-$/.test(part))) return null
  return name
}
