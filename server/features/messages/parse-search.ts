/**
 * Parses a search: words, "phrases", a minus before words that must not occur, OR between words, and operators such as
 * from:ada or before:2026-11-01. No search is refused: what is not understood is words, and a note says so.
 */

import { type FolderRole, folderRole } from '#contract/messages.ts'
import { DAY_MS } from '#server/lib/clock.ts'

/** 'file': a word of the name of an attached file. */
export type Field = 'any' | 'subject' | 'from' | 'to' | 'file'

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
  /** Each group must hold: one of its terms. Terms joined by OR are one group. */
  groups: Term[][]
  isUnread: boolean | null
  isStarred: boolean | null
  hasAttachment: boolean | null
  /** A role, or a folder's name in lower case; 'anywhere' includes Trash and Junk. */
  folder: FolderRole | 'anywhere' | { name: string } | null
  /** `before` is exclusive, `after` inclusive. */
  before: Date | null
  after: Date | null
  /** Bytes: `larger` at least, `smaller` less. */
  larger: number | null
  smaller: number | null
  /** What was not understood, a sentence each. */
  notes: string[]
}

const MAX_TERMS = 12
const MAX_WORDS = 12
const MAX_WORD = 100

const part = /(-?)(?:([a-z][a-z_]{1,15}):)?(?:"([^"]*)"?|([^\s"]+))/giu

export const parseSearch = (typed: string, now: Date): Search => {
  const search: Search = {
    ...{ groups: [], isUnread: null, isStarred: null, hasAttachment: null },
    ...{ folder: null, before: null, after: null, larger: null, smaller: null, notes: [] },
  }
  /** Whether the next term joins the group before it. */
  let isOr = false
  for (const [whole, minus, name = '', phrase, word = ''] of typed
    .normalize('NFC')
    .matchAll(part)) {
    const said = { name: name.toLowerCase(), value: phrase ?? word, isNot: minus === '-' }
    if (whole === 'OR') {
      isOr = search.groups.length > 0
      continue
    }
    if (name !== '' && readOperator(search, said, now)) {
      if (isOr) note(search, OR_JOINS_WORDS)
      isOr = false
      continue
    }
    const field = fields[said.name]
    if (field === undefined) noteUnknown(search, said)
    const words = wordsIn(field === undefined ? (phrase ?? whole) : said.value)
    if (words.length === 0 || search.groups.flat().length >= MAX_TERMS) continue
    const isMe = /^(?:from|to|cc)$/.test(said.name) && word.toLowerCase() === 'me'
    const { isNot } = said
    const term = { field: field ?? 'any', words, isPrefix: phrase === undefined, isNot, isMe }
    const last = search.groups.at(-1)
    if (isOr && last) last.push(term)
    else search.groups.push([term])
    isOr = false
  }
  return search
}

const OR_JOINS_WORDS = 'OR joins words, from:, to:, subject: and filename: only.'

const note = ({ notes }: Search, sentence: string): void => {
  if (!notes.includes(sentence) && notes.length < MAX_TERMS) notes.push(sentence)
}

type Said = { name: string; value: string; isNot: boolean }

const valued = /^(?:is|has|in|folder|before|after|older_than|newer_than|larger|smaller)$/

/** A value that no operator takes, or an operator that does not exist. Addresses of pages are neither. */
const noteUnknown = (search: Search, { name, value }: Said): void => {
  if (name === '' || value.startsWith('//') || value === '') return
  note(
    search,
    valued.test(name) ? `“${name}:${value}” is not understood.` : `“${name}:” is not known.`,
  )
}

const fields: Record<string, Field> = {
  ...{ subject: 'subject', from: 'from', to: 'to', cc: 'to' },
  filename: 'file',
}

/** The words as the index has them: every other character than letters, marks and digits separates words. */
export const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, MAX_WORD))

/** @returns false when it is none, or one with a value that it does not take. */
const readOperator = (search: Search, { name, value, isNot }: Said, now: Date): boolean => {
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
    case 'larger':
    case 'smaller': {
      const bytes = bytesOf(asked)
      if (bytes === null || isNot) return false
      search[name] = bytes
      return true
    }
    default:
      return !isNot && readDay(search, name, asked, now)
  }
}

const readDay = (search: Search, name: string, asked: string, now: Date): boolean => {
  const isAge = name === 'older_than' || name === 'newer_than'
  const bound = { before: 'before', after: 'after', older_than: 'before', newer_than: 'after' }[
    name
  ]
  if (bound !== 'before' && bound !== 'after') return false
  const at = isAge ? ageOf(asked, now) : dayOf(asked, now)
  if (at === null) return false
  search[bound] = at
  return true
}

/** 500k, 2M, 1.5GB or bytes; as sizes are shown, a kB is 1,000 bytes. */
const bytesOf = (asked: string): number | null => {
  const found = /^(\d{1,10}(?:\.\d{1,3})?)([kmg]?)b?$/.exec(asked)
  if (!found) return null
  const unit = { '': 1, k: 1e3, m: 1e6, g: 1e9 }[found[2] as '' | 'k' | 'm' | 'g']
  return Math.round(Number(found[1]) * unit)
}

const folderOf = (asked: string): Search['folder'] => {
  if (asked === 'anywhere' || asked === 'all') return 'anywhere'
  if (asked === 'spam') return 'junk'
  const role = folderRole.safeParse(asked)
  return role.success ? role.data : { name: asked }
}

const dayStart = (now: Date): Date => new Date(now.getTime() - (now.getTime() % DAY_MS))

/** 7d, 2w, 3m, 1y: the day that long ago. null: not an age. */
const ageOf = (asked: string, now: Date): Date | null => {
  const ago = /^(\d{1,4})([dwmy])$/.exec(asked)
  if (!ago) return null
  const days = { d: 1, w: 7, m: 30, y: 365 }[ago[2] as 'd' | 'w' | 'm' | 'y']
  return new Date(dayStart(now).getTime() - Number(ago[1]) * days * DAY_MS)
}

/** 2026-11-01, 2026/11, 2026, 7d (days ago), today, yesterday. null: not a day. */
const dayOf = (asked: string, now: Date): Date | null => {
  const today = dayStart(now)
  if (asked === 'today') return today
  if (asked === 'yesterday') return new Date(today.getTime() - DAY_MS)
  const ago = ageOf(asked, now)
  if (ago) return ago
  const date = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(asked)
  if (!date) return null
  const [year, month, day] = [Number(date[1]), Number(date[2] ?? 1), Number(date[3] ?? 1)]
  const at = new Date(Date.UTC(year, month - 1, day))
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isReal && year >= 1970 ? at : null
}
