/** A search as PostgreSQL reads it: a tsquery, patterns for parts of words, and the words to mark in what is found. */
import { foldLetters, placesOfWords } from '#contract/mail/fold-letters.ts'
import { type Field, isTerm, type Search, type Term, wordsIn } from './parse-search.ts'

const weights: Record<Field, string> = { any: '', subject: 'A', from: 'B', to: 'C', file: '' }

/** One or two Latin letters match too many words as a prefix. */
const isLongEnough = (word: string): boolean => word.length > 2 || /[^a-z0-9]/.test(word)

/**
 * The weights are those of `message_texts.search`. '' when the search asks for no word. Words are letters, marks and digits
 * alone, so none needs escaping. `own`: the addresses that from:me and to:me mean.
 */
export const tsqueryOf = ({ groups }: Search, own: readonly string[] = []): string =>
  groups
    .map((terms) => {
      const each = terms.map((term) => queryOfTerm(term, own))
      return each.length === 1 ? each[0] : `(${each.join(' | ')})`
    })
    .join(' & ')

export const queryOfTerm = (
  { field, words, isPrefix, isNot, isMe }: Term,
  own: readonly string[],
): string => {
  const phrases = isMe ? own.map((address) => phraseOf(field, wordsIn(address), false)) : []
  const query =
    phrases.join(' | ') || (field === 'file' ? fileQuery(words) : phraseOf(field, words, isPrefix))
  return `${isNot ? '!' : ''}(${query})`
}

const phraseOf = (field: Field, words: readonly string[], isPrefix: boolean): string =>
  words
    .map((word, at) => {
      const isLast = at === words.length - 1
      const each = spellingsOf(word).map((spelling) => {
        const isOpen = isPrefix && isLast && isLongEnough(spelling)
        const marks = `${isOpen ? '*' : ''}${weights[field]}`
        return `'${spelling}'${marks === '' ? '' : `:${marks}`}`
      })
      return each.length === 1 ? each[0] : `(${each.join(' | ')})`
    })
    .join(' <-> ')

/** The words of the name of a file have no places, so that a name has them in any order. */
const fileQuery = (words: readonly string[]): string =>
  words.map((word) => `'/${foldLetters(word)}':*`).join(' & ')

/** Mail of before may not have been folded yet (decision 066): then a word stands there as it was written. */
const spellingsOf = (word: string): string[] => [...new Set([foldLetters(word), word])]

/** A LIKE pattern, and where it must match: 'any' is the subject and the people. */
export type Part = { field: Exclude<Field, 'file'>; pattern: string }

/** The search by parts of words. null: it cannot be expressed so. */
export const partsOf = ({ groups, mixed }: Search): Part[][] | null => {
  const terms = [...groups, ...mixed].flat().filter(isTerm)
  if (terms.length === 0 || terms.some(({ field }) => field === 'file')) return null
  if (terms.some(({ isNot, words }) => isNot || words.join(' ').length < 3)) return null
  return groups.map((each) => each.flatMap(partsOfTerm))
}

export const partsOfTerm = ({ field, words }: Term): Part[] =>
  field === 'file' ? [] : patternsOf(words).map((pattern) => ({ field, pattern }))

/** `_`: one character, whichever, separates the words of a phrase. */
const patternsOf = (words: readonly string[]): string[] =>
  spellingsOf(words.join('_')).map((spelling) => `%${spelling}%`)

/** The words to highlight in the results, folded. */
export const wordsToMark = ({ groups, mixed }: Search): string[] => [
  ...new Set(
    [...groups, ...mixed]
      .flat()
      .filter(isTerm)
      .filter(({ isNot, isMe }) => !isNot && !isMe)
      .flatMap(({ words }) => words.map(foldLetters)),
  ),
]

/** A list line shows about 45 letters on a small screen; the word must be among them. */
const SEEN = 40
const BEFORE = 20
const LENGTH = 180

/** Text around the first found word, when neither the subject nor the start of the preview contains one. */
export const snippetOf = (
  { subject, preview, text }: { subject: string; preview: string; text: string },
  words: readonly string[],
): string => {
  const has = (where: string) => placesOfWords(where, words).length > 0
  if (words.length === 0 || has(subject) || has(preview.slice(0, SEEN))) return preview
  const [first] = placesOfWords(text, words)
  if (first === undefined) return preview
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, first.from - BEFORE)))
  const piece = text
    .slice(from, from + LENGTH)
    .trim()
    .toWellFormed()
  return from === 0 ? piece : `… ${piece}`
}
