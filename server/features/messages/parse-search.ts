/**
 * Parses a search: words, "phrases", a minus before words that must not occur, and operators such as from:ada or
 * before:2026-11-01. Unknown operators are words: no search is refused.
 */

import { type FolderRole, folderRole } from '#contract/messages.ts'
import { DAY_MS } from '#server/lib/clock.ts'

export type Field = 'any' | 'subject' | 'from' | 'to'

export type Term = {
  field: Field
  /** Lower case; several words are a phrase. */
  words: string[]
  /** true: the last word is a prefix. */
  isPrefix: boolean
  isNot: boolean
  /** from:me or to:me: any address of the mailbox. */
  isMe: boolean
}

export type Search = {
  terms: Term[]
  isUnread: boolean | null
  isStarred: boolean | null
  hasAttachment: boolean | null
  /** A role, or a folder's name in lower case; 'anywhere' includes Trash and Junk. */
  folder: FolderRole | 'anywhere' | { name: string } | null
  /** `before` is exclusive, `after` inclusive. */
  before: Date | null
  after: Date | null
}

const MAX_TERMS = 12
const MAX_WORDS = 12
const MAX_WORD = 100

const part = /(-?)(?:([a-z]{2,7}):)?(?:"([^"]*)"?|([^\s"]+))/giu

export const parseSearch = (typed: string, now: Date): Search => {
  const search: Search = {
    terms: [],
    isUnread: null,
    isStarred: null,
    hasAttachment: null,
    folder: null,
    before: null,
    after: null,
  }
  for (const [whole, minus, name = '', phrase, word = ''] of typed
    .normalize('NFC')
    .matchAll(part)) {
    const value = phrase ?? word
    const isNot = minus === '-'
    if (name !== '' && readOperator(search, name.toLowerCase(), value, isNot, now)) continue
    const field = fields[name.toLowerCase()]
    const words = wordsIn(field === undefined ? (phrase ?? whole) : value)
    if (words.length === 0 || search.terms.length >= MAX_TERMS) continue
    const isMe = /^(?:from|to|cc)$/i.test(name) && word.toLowerCase() === 'me'
    search.terms.push({ field: field ?? 'any', words, isPrefix: phrase === undefined, isNot, isMe })
  }
  return search
}

const fields: Record<string, Field> = { subject: 'subject', from: 'from', to: 'to', cc: 'to' }

/** The words as the index has them: every other character than letters, marks and digits separates words. */
export const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, MAX_WORD))

const readOperator = (
  search: Search,
  name: string,
  value: string,
  isNot: boolean,
  now: Date,
): boolean => {
  const asked = value.toLowerCase()
  switch (name) {
    case 'is':
      if (asked === 'unread') search.isUnread = !isNot
      else if (asked === 'read') search.isUnread = isNot
      else if (asked === 'starred' || asked === 'flagged') search.isStarred = !isNot
      else return false
      return true
    case 'has':
      if (!/^(?:attachments?|files?)$/.test(asked)) return false
      search.hasAttachment = !isNot
      return true
    case 'in':
    case 'folder':
      if (asked === '' || isNot) return false
      search.folder = folderOf(asked)
      return true
    case 'before':
    case 'after': {
      const at = dayOf(asked, now)
      if (at === null || isNot) return false
      search[name] = at
      return true
    }
    default:
      return false
  }
}

const folderOf = (asked: string): Search['folder'] => {
  if (asked === 'anywhere' || asked === 'all') return 'anywhere'
  if (asked === 'spam') return 'junk'
  const role = folderRole.safeParse(asked)
  return role.success ? role.data : { name: asked }
}

/** 2026-11-01, 2026/11, 2026, 7d (days ago), today, yesterday. null: not a day. */
const dayOf = (asked: string, now: Date): Date | null => {
  const today = new Date(now.getTime() - (now.getTime() % DAY_MS))
  if (asked === 'today') return today
  if (asked === 'yesterday') return new Date(today.getTime() - DAY_MS)
  const ago = /^(\d{1,4})([dwmy])$/.exec(asked)
  if (ago) {
    const days = { d: 1, w: 7, m: 30, y: 365 }[ago[2] as 'd' | 'w' | 'm' | 'y']
    return new Date(today.getTime() - Number(ago[1]) * days * DAY_MS)
  }
  const date = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(asked)
  if (!date) return null
  const [year, month, day] = [Number(date[1]), Number(date[2] ?? 1), Number(date[3] ?? 1)]
  const at = new Date(Date.UTC(year, month - 1, day))
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isReal && year >= 1970 ? at : null
}

const weights: Record<Field, string> = { any: '', subject: 'A', from: 'B', to: 'C' }

/** One or two Latin letters match too many words as a prefix. */
const isLongEnough = (word: string): boolean => word.length > 2 || /[^a-z0-9]/.test(word)

/**
 * A search as PostgreSQL's tsquery and as patterns for parts of words; see the weights of `message_texts.search`.
 * '' when it asks for no word. Words are letters, marks and digits alone, so none needs escaping.
 * `own`: the addresses that from:me and to:me mean.
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

/** LIKE patterns for subject and people. null: the search cannot be expressed as patterns. */
export const partsOf = ({ terms }: Search): string[] | null => {
  if (terms.length === 0) return null
  if (terms.some(({ isNot, words }) => isNot || words.join(' ').length < 3)) return null
  // `_`: one character, whichever, separates the words of a phrase.
  return terms.map(({ words }) => `%${words.join('_')}%`)
}

/** The words to highlight in the results. */
export const wordsToMark = ({ terms }: Search): string[] => [
  ...new Set(terms.filter(({ isNot, isMe }) => !isNot && !isMe).flatMap(({ words }) => words)),
]
