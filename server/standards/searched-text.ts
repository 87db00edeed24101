/** The searched text of a message in the form in which PostgreSQL stores it: its words and their places (decision 095). */
import { foldLetters } from '#contract/mail/fold-letters.ts'

export type SearchedText = {
  /** A tsvector. Weights: A subject, B sender, C recipients. Words of names of files begin with a slash and have no places. */
  vector: string
  /** Subject and people, folded and in lower case, for searching parts of words. */
  head: string
}

type Parts = {
  subject: string
  sender: string
  recipients: string
  /** All of the above, names of files and the text: a phrase may run from one into the next. */
  text: string
  fileNames: readonly string[]
}

const MAX_HEAD = 2_000
/** Together the limits of characters keep the tsvector under PostgreSQL's 1,048,575 bytes, whatever the letters. */
const MAX_RECIPIENTS = 20_000
const MAX_TEXT = 100_000
const MAX_FILE_NAMES = 20_000
/** PostgreSQL counts places no further, and keeps no more places of a word than 256. */
const LAST_PLACE = 16_383
const MAX_PLACES_LENGTH = 256 * 6
/** PostgreSQL takes at most 2,046 bytes. */
const MAX_WORD = 500
const MAX_FILE_WORD = 100

export function searchedText({
  subject,
  sender,
  recipients: all,
  text,
  fileNames,
}: Parts): SearchedText {
  const recipients = all.slice(0, MAX_RECIPIENTS)
  const places = new Map<string, string>()
  let last = 0
  const add = (part: string, weight: '' | 'A' | 'B' | 'C') => {
    for (const word of wordsIn(part)) {
      if (last < LAST_PLACE) last += 1
      const known = places.get(word)
      if (known === undefined) places.set(word, `${word}:${last}${weight}`)
      else if (known.length < MAX_PLACES_LENGTH) places.set(word, `${known},${last}${weight}`)
    }
  }
  add(subject, 'A')
  add(sender, 'B')
  add(recipients, 'C')
  add(text.slice(0, MAX_TEXT), '')
  const ofFiles = new Set(
    wordsIn(fileNames.join(' ').slice(0, MAX_FILE_NAMES)).map((word) =>
      word.slice(0, MAX_FILE_WORD).toWellFormed(),
    ),
  )
  const vector = [...places.values(), ...Array.from(ofFiles, (word) => `/${word}`)].join(' ')
  return {
    vector,
    head: folded(`${subject} ${sender} ${recipients}`).slice(0, MAX_HEAD).toWellFormed(),
  }
}

const folded = (text: string): string => foldLetters(text).toLowerCase()

const plainWord = /[a-z0-9]+/g
const anyWord = /[\p{L}\p{M}\p{N}]+/gu
const isPlain = /^[\0-\x7f]*$/

/** As a search divides what is typed: letters, marks and digits. Nothing of them has a meaning in a tsvector. */
const wordsIn = (text: string): string[] => {
  const given = folded(text)
  const words = given.match(isPlain.test(given) ? plainWord : anyWord) ?? []
  return words.map((word) =>
    word.length > MAX_WORD ? word.slice(0, MAX_WORD).toWellFormed() : word,
  )
}
