/** Parses recipients as people type them: addresses or 'Name <address>', separated by commas, semicolons or lines. */
import { isRecipientAddress } from '#contract/fields.ts'
import type { Person } from '#contract/messages.ts'

/** A comma within quotes or angle brackets belongs to the name. */
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

/** Each address once; the first entry for it stays. */
export function withoutRepeats(entries: readonly string[]): string[] {
  const seen = new Set<string>()
  return entries.filter((entry) => {
    const address = addressIn(entry).toLowerCase()
    return seen.has(address) ? false : seen.add(address)
  })
}

export const isRecipient = (entry: string): boolean => isRecipientAddress(addressIn(entry))

/** Removes characters with a meaning in address syntax, and bidirectional control characters. */
const plainName = (name: string): string =>
  name
    .replace(/["\\<>\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '')
    .replaceAll('=?', '')
    .trim()

/** The name to show before an address; '' when it contains or repeats an address. */
export const safeDisplayName = ({ name, address }: Person): string => {
  const plain = plainName(name)
  return plain.includes('@') || plain === address ? '' : plain
}

/** Formats a mailbox of RFC 5322: the name is quoted when it contains special characters. */
export function formatPerson({ name, address }: Person): string {
  const plain = plainName(name)
  if (plain === '' || plain === address) return address
  return /[()[\]:;@,]/.test(plain) ? `"${plain}" <${address}>` : `${plain} <${address}>`
}

/** Each address once, without those in `without`. */
export function distinct(people: readonly Person[], excluded: readonly string[]): Person[] {
  const seen = new Set(excluded.map((address) => address.toLowerCase()))
  return people.filter(({ address }) => {
    const key = address.toLowerCase()
    if (key === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}
