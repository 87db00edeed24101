/**
 * Encoded words (RFC 2047) as senders write them: characters split between two words, raw bytes inside a word, and wrong
 * charsets.
 */
import { oneLine } from '#server/lib/plain-text.ts'
import { decodeText, windowsBytesOf } from './charset.ts'
import { decodeTransfer } from './transfer-encoding.ts'

type Word = { charset: string; encoding: string; text: string }

/** Only white space may stand between two words of a run. Linear time: no part of the pattern matches the start of the next. */
const run = /=\?[^?\s]{1,80}\?[QqBb]\?[^?]*\?=(?:[ \t\r\n]*=\?[^?\s]{1,80}\?[QqBb]\?[^?]*\?=)*/g
const word = /=\?([^?\s]{1,80})\?([QqBb])\?([^?]*)\?=/g

/** Decodes every encoded word in the value. */
export const decodeWords = (value: string): string =>
  value.replace(run, (found) => textOfRun(found))

/** Rewrites each run of encoded words as one UTF-8 word: an address parser must see the end of a name before it is decoded. */
export const withPlainWords = (value: string): string =>
  value.replace(run, (found) => `=?utf-8?B?${Buffer.from(textOfRun(found)).toString('base64')}?=`)

const textOfRun = (found: string): string => {
  const words = [...found.matchAll(word)].map(([, charset = '', encoding = '', text = '']) => ({
    // A language tag may follow the charset (RFC 2231 §5).
    charset: charset.replace(/\*.*$/, '').toLowerCase(),
    encoding: encoding.toUpperCase(),
    text,
  }))
  const joined = groupsOf(words).map(decodeGroup).join('')
  if (!joined.includes('\ufffd')) return joined
  const apart = words.map((each) => decodeGroup([each])).join('')
  return apart.includes('\ufffd') ? joined : apart
}

/** Groups adjacent words in one charset: a character may be split between two words. */
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

/** Some programs cut base64 between two words inside a group. */
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

/** Unencoded text inside a word is UTF-8, or bytes in the charset of the word. */
const rawBytesOf = (text: string, charset: string): Uint8Array => {
  const bytes = /^utf-?8$/.test(charset) ? null : windowsBytesOf(text)
  return bytes === null ? Buffer.from(text) : Uint8Array.from(bytes)
}

const MAX_NAME = 200

/** A display name for a header field that the recipient's program does not decode again. */
export const personName = (text: string): string =>
  oneLine(text, MAX_NAME).replaceAll('=?', '= ?').slice(0, MAX_NAME).toWellFormed()
