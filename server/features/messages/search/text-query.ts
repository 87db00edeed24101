/** A search as PostgreSQL's tsquery and as patterns for parts of words; see the weights of `message_texts.search`. */
import type { Field, Search, Term } from './parse-search.ts'

const weights: Record<Field, string> = { any: '', subject: 'A', from: 'B', to: 'C' }

/** One or two Latin letters begin too many words. */
const isLongEnough = (word: string): boolean => word.length > 2 || /[^a-z0-9]/.test(word)

/** '' when it asks for no word. Words are letters, marks and digits alone, so none needs escaping. */
export const tsqueryOf = ({ terms }: Search): string => terms.map(termQuery).join(' & ')

const termQuery = ({ field, words, isPrefix, isNot }: Term): string => {
  const lexemes = words.map((word, at) => {
    const isOpen = isPrefix && at === words.length - 1 && isLongEnough(word)
    const marks = `${isOpen ? '*' : ''}${weights[field]}`
    return `'${word}'${marks === '' ? '' : `:${marks}`}`
  })
  const query = `(${lexemes.join(' <-> ')})`
  return isNot ? `!${query}` : query
}

/** For LIKE over subject and people. null when a search cannot be looked for that way. */
export const partsOf = ({ terms }: Search): string[] | null => {
  if (terms.length === 0) return null
  if (terms.some(({ isNot, words }) => isNot || words.join(' ').length < 3)) return null
  // What stands between words is not known; in the text it is one sign at least.
  return terms.map(({ words }) => `%${words.join('_')}%`)
}

/** The words to be marked in what is found. */
export const wordsToMark = ({ terms }: Search): string[] => [
  ...new Set(terms.filter(({ isNot }) => !isNot).flatMap(({ words }) => words)),
]
