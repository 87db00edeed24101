/** Recipients as people type them: addresses, or 'Name <address>', separated by commas, semicolons or lines. */
import { isRecipientAddress } from '#contract/fields.ts'
import type { Person } from '#contract/messages.ts'

/** A comma within quotes or brackets belongs to the name. */
export function splitRecipients(typed: string): string[] {
  const found: string[] = []
  let current = ''
  let isQuoted = false
  let isInBrackets = false
  for (const sign of typed) {
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && (sign === '<' || sign === '>')) isInBrackets = sign === '<'
    const isBreak = sign === '\n' || (!isQuoted && !isInBrackets && /[,;\t\r]/.test(sign))
    if (isBreak) {
      found.push(current)
      current = ''
      isQuoted = false
      isInBrackets = false
    } else current += sign
  }
  return [...found, current].map((entry) => entry.trim()).filter((entry) => entry !== '')
}

export const addressIn = (entry: string): string =>
  (/<([^<>]*)>\s*$/.exec(entry)?.[1] ?? entry).trim()

export const isRecipient = (entry: string): boolean => isRecipientAddress(addressIn(entry))

/** Without signs that have a meaning in an address, or that turn the order of letters round. */
const plainName = (name: string): string =>
  name
    .replace(/["\\<>\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '')
    .replaceAll('=?', '')
    .trim()

/** What stands before an address; nothing when it says another address, or the same again. */
export const shownName = ({ name, address }: Person): string => {
  const plain = plainName(name)
  return plain.includes('@') || plain === address ? '' : plain
}

/** What the server reads as one mailbox: the name in quotes as soon as it has signs with a meaning. */
export function formatPerson({ name, address }: Person): string {
  const plain = plainName(name)
  if (plain === '' || plain === address) return address
  return /[()[\]:;@,]/.test(plain) ? `"${plain}" <${address}>` : `${plain} <${address}>`
}

/** Each address once, none of those in `without`. */
export function distinct(people: readonly Person[], without: readonly string[]): Person[] {
  const seen = new Set(without.map((address) => address.toLowerCase()))
  return people.filter(({ address }) => {
    const key = address.toLowerCase()
    if (key === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}
