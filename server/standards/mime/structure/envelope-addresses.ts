/** Addresses as an envelope lists them (RFC 9051 §7.5.2): display names as they were sent, groups marked. Takes what people write. */
import type { EnvelopeAddress } from './mail-structure.ts'
import { endOfComment, endOfQuoted, unquoted } from './parameters.ts'

/** Dovecot's words for what a sender left out: mail programs have met them. A null would mean a group. */
const NO_MAILBOX = 'MISSING_MAILBOX'
const NO_HOST = 'MISSING_DOMAIN'

export const missingAddress: EnvelopeAddress = [null, null, NO_MAILBOX, NO_HOST]
const endOfGroup: EnvelopeAddress = [null, null, null, null]

type Reading = {
  /** Words, quoted strings and brackets with their content, as sent. */
  words: string[]
  comment: string | null
  angle: string | null
  isInGroup: boolean
  found: EnvelopeAddress[]
}

/** `text`: the value of a field without folds. Takes linear time. */
export const envelopeAddresses = (text: string): EnvelopeAddress[] => {
  const reading: Reading = { words: [], comment: null, angle: null, isInGroup: false, found: [] }
  for (let at = 0; at < text.length; ) at = readToken(reading, text, at)
  endAddress(reading)
  if (reading.isInGroup) reading.found.push(endOfGroup)
  return reading.found
}

/** @returns where the next token begins. */
const readToken = (reading: Reading, text: string, at: number): number => {
  const letter = text[at]
  if (letter === ' ') return at + 1
  if (letter === '(') {
    const end = endOfComment(text, at)
    if (end !== -1) reading.comment ??= text.slice(at + 1, end - 1).trim()
    return end === -1 ? text.length : end
  }
  if (letter === '<') {
    const end = endOfAngle(text, at)
    reading.angle ??= text.slice(at + 1, end)
    return end + 1
  }
  if (letter === ',' || letter === ';') {
    endAddress(reading)
    if (letter === ';' && reading.isInGroup) {
      reading.found.push(endOfGroup)
      reading.isInGroup = false
    }
    return at + 1
  }
  if (letter === ':') {
    beginGroup(reading)
    return at + 1
  }
  const end = endOfWord(text, at)
  reading.words.push(text.slice(at, end))
  return end
}

const endOfAngle = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') at = endOfQuoted(text, at) - 1
    else if (text[at] === '>') return at
  }
  return text.length
}

/** A quoted string in front of an at sign belongs to the address. */
const endOfWord = (text: string, start: number): number => {
  let at = start
  while (at < text.length && !' (<,;:'.includes(text[at] ?? '')) {
    if (text[at] === '"') at = endOfQuoted(text, at)
    else if (text[at] === '[') at = endOfLiteral(text, at)
    else at += 1
  }
  return Math.max(at, start + 1)
}

/** A domain literal has colons: `[IPv6:2001:db8::1]`. */
const endOfLiteral = (text: string, start: number): number =>
  start + (/^\[[\w.:]{1,60}\]/.exec(text.slice(start, start + 62))?.[0].length ?? 1)

const beginGroup = (reading: Reading): void => {
  if (reading.isInGroup) return
  const name = phraseOf(reading.words)
  if (name === '') return
  reading.found.push([null, null, name, null])
  Object.assign(reading, { words: [], comment: null, angle: null, isInGroup: true })
}

const endAddress = (reading: Reading): void => {
  const { words, comment, angle, found } = reading
  Object.assign(reading, { words: [], comment: null, angle: null })
  if (angle !== null) found.push(addressOf(angle, phraseOf(words) || comment))
  else if (words.length > 0) found.push(plainAddress(words, comment))
}

/** Without angle brackets: one word is the address, and the others are the name. */
const plainAddress = (words: readonly string[], comment: string | null): EnvelopeAddress => {
  const joined = words.join('')
  const whole = words.some((word) => word === '@' || /^@|@$/.test(word)) ? [joined] : words
  const n = whole.findIndex((word) => word.includes('@'))
  if (n === -1 && words.length > 1) return [phraseOf(words), null, NO_MAILBOX, NO_HOST]
  const address = whole[Math.max(n, 0)] ?? ''
  const name = phraseOf(whole.filter((word) => word !== address))
  return addressOf(address, name || comment)
}

/** `[route:]mailbox@host`. */
const addressOf = (text: string, name: string | null): EnvelopeAddress => {
  const trimmed = text.trim()
  const routeEnd = trimmed.startsWith('@') ? trimmed.indexOf(':') : -1
  const spec = trimmed.slice(routeEnd + 1).trim()
  const at = spec.lastIndexOf('@')
  const mailbox = unquoted((at === -1 ? spec : spec.slice(0, at)).trim())
  const host = at === -1 ? '' : spec.slice(at + 1).trim()
  return [
    name || null,
    routeEnd === -1 ? null : trimmed.slice(0, routeEnd),
    mailbox || NO_MAILBOX,
    host || NO_HOST,
  ]
}

const phraseOf = (words: readonly string[]): string => words.map(unquoted).join(' ').trim()
