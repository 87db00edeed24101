/**
 * Encoded words (RFC 2047) as senders write them: with characters split over two words, raw bytes inside, and charsets that
 * are not true.
 */
import { decodeText, windowsBytesOf } from './charset.ts'
import { decodeTransfer } from './transfer-encoding.ts'

type Word = { charset: string; encoding: string; text: string }

/** Text may stand between two words of a run only when it is blank. Linear: no part takes what the next one begins with. */
const run = /=\?[^?\s]{1,80}\?[QqBb]\?[^?]*\?=(?:[ \t\r\n]*=\?[^?\s]{1,80}\?[QqBb]\?[^?]*\?=)*/g
const word = /=\?([^?\s]{1,80})\?([QqBb])\?([^?]*)\?=/g

/** The text that is meant. */
export const decodeWords = (value: string): string =>
  value.replace(run, (found) => textOfRun(found))

/**
 * The same value with each run of encoded words as one word that every reader understands: what reads addresses
 * has to see where a name ends before it is decoded.
 */
export const withPlainWords = (value: string): string =>
  value.replace(run, (found) => `=?utf-8?B?${Buffer.from(textOfRun(found)).toString('base64')}?=`)

const textOfRun = (found: string): string => {
  const words = [...found.matchAll(word)].map(([, charset = '', encoding = '', text = '']) => ({
    // RFC 2231 §5: a language may follow.
    charset: charset.replace(/\*.*$/, '').toLowerCase(),
    encoding: encoding.toUpperCase(),
    text,
  }))
  const joined = groupsOf(words).map(decodeGroup).join('')
  if (!joined.includes('\ufffd')) return joined
  const apart = words.map((each) => decodeGroup([each])).join('')
  return apart.includes('\ufffd') ? joined : apart
}

/** Neighbours in one charset: a character may begin in one and end in the next. */
const groupsOf = (words: readonly Word[]): Word[][] => {
  const groups: Word[][] = []
  for (const each of words) {
    const last = groups.at(-1)
    if (last?.[0]?.charset === each.charset) last.push(each)
    else groups.push([each])
  }
  return groups
}

const decodeGroup = (words: readonly Word[]): string => {
  const charset = words[0]?.charset ?? ''
  const bytes = Buffer.concat(joinedBase64(words).map((each) => bytesOf(each)))
  return decodeText(bytes, charset)
}

/** Some programs cut base64 anywhere, not after a whole group. */
const joinedBase64 = (words: readonly Word[]): Word[] => {
  const joined: Word[] = []
  for (const each of words) {
    const last = joined.at(-1)
    if (each.encoding === 'B' && last?.encoding === 'B') last.text += each.text
    else joined.push({ ...each })
  }
  return joined
}

const bytesOf = ({ encoding, charset, text }: Word): Uint8Array => {
  if (encoding === 'B') return decodeTransfer(Buffer.from(text), 'base64')
  const spaced = text.replace(/=\s+(?=[\da-f]{2})/gi, '=').replace(/[_\s]/g, ' ')
  return decodeTransfer(rawBytesOf(spaced, charset), 'quoted-printable')
}

/** What stands in it unencoded came as UTF-8, or as bytes that the word's charset explains. */
const rawBytesOf = (text: string, charset: string): Uint8Array => {
  const bytes = /^utf-?8$/.test(charset) ? null : windowsBytesOf(text)
  return bytes === null ? Buffer.from(text) : Uint8Array.from(bytes)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
const breaking = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const MAX_NAME = 200
const visible = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A name that may stand before an address, and is not decoded again by whom it goes to. */
export const personName = (text: string): string =>
  oneLine(text, MAX_NAME).replaceAll('=?', '= ?').slice(0, MAX_NAME).toWellFormed()

/**
 * Text that is shown in one line and goes into one: subjects, names. Folds, controls, line separators and what turns the order of letters
 * round become blanks; what nobody would see is nothing.
 */
export const oneLine = (text: string, maxCharacters: number): string => {
  const line = text.replace(breaking, ' ').toWellFormed().trim()
  return visible.test(line) ? line.slice(0, maxCharacters).toWellFormed().trim() : ''
}
