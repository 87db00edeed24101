/** A search as PostgreSQL's tsquery and as patterns for parts of words; see the weights of `message_texts.search`. */
import { type Field, type Search, type Term, wordsIn } from './parse-search.ts'

const weights: Record<Field, string> = { any: '', subject: 'A', from: 'B', to: 'C' }

/** One or two Latin letters begin too many words. */
const isLongEnough = (word: string): boolean => word.length > 2 || /[^a-z0-9]/.test(word)

/**
 * '' when it asks for no word. Words are letters, marks and digits alone, so none needs escaping.
 * `own`: the addresses of whoever from:me and to:me mean.
 */
export const tsqueryOf = ({ terms }: Search, own: readonly string[] = []): string =>
  terms.map((term) => termQuery(term, own)).join(' & ')

const termQuery = ({ field, words, isPrefix, isNot, isMe }: Term, own: readonly string[]) => {
  const phrases = isMe ? own.map((address) => phraseOf(field, wordsIn(address), false)) : []
  const query = phrases.length === 0 ? phraseOf(field, words, isPrefix) : phrases.join(' | ')
  return `${isNot ? '!' : ''}(${query})`
}

const phraseOf = (field: Field, words: readonly string[], isPrefix: boolean): string =>
  words
    .map((word, at) => {
      const isOpen = isPrefix && at === words.length - 1 && isLongEnough(word)
      const marks = `${isOpen ? '*' : ''}${weights[field]}`
      return `'${word}'${marks === '' ? '' : `:${marks}`}`
    })
    .join(' <-> ')

/** For LIKE over subject and people. null when a search cannot be looked for that way. */
export const partsOf = ({ terms }: Search): string[] | null => {
  if (terms.length === 0) return null
  if (terms.some(({ isNot, words }) => isNot || words.join(' ').length < 3)) return null
  // What stands between words is not known; in the text it is one sign at least.
  return terms.map(({ words }) => `%${words.join('_')}%`)
}

/** The words to be marked in what is found. */
export const wordsToMark = ({ terms }: Search): string[] => [
  ...new Set(terms.filter(({ isNot, isMe }) => !isNot && !isMe).flatMap(({ words }) => words)),
]
