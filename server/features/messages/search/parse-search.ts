/**
 * Parses a search: words, "phrases", a minus before words that must not occur, OR, and operators such as
 * from:ada or before:2026-11-01. No search is refused: what is not understood is words, and a note says so.
 */

import { foldLetters } from '#contract/mail/fold-letters.ts'
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

/** What a message must be, apart from its words. */
export type Conditions = {
  isUnread: boolean
  isStarred: boolean
  hasAttachment: boolean
  /** A role, or a folder's name in lower case; 'anywhere' includes Trash and Junk. */
  folder: FolderRole | 'anywhere' | { name: string }
  /** `before` is exclusive, `after` inclusive. */
  before: Date
  after: Date
  /** Bytes: `larger` at least, `smaller` less. */
  larger: number
  smaller: number
}

/** One of the conditions. */
export type Condition = Partial<Conditions>

export type Search = { [Name in keyof Conditions]: Conditions[Name] | null } & {
  /** Each group must hold: one of its terms. Terms joined by OR are one group. */
  groups: Term[][]
  /** The same for groups of which at least one part is a condition. */
  mixed: (Term | Condition)[][]
  /** What was not understood, a sentence each. */
  notes: string[]
}

const MAX_TERMS = 12
const MAX_WORDS = 12
const MAX_WORD = 100

const part = /(-?)(?:([a-z][a-z_]{1,15}):)?(?:"([^"]*)"?|([^\s"]+))/giu

/** All parts must hold. OR binds two parts closer than that: `a b OR c` is a, and b or c. */
export const parseSearch = (typed: string, now: Date): Search => {
  const notes: string[] = []
  const groups: (Term | Condition)[][] = []
  /** Whether the next part joins the group before it. */
  let isOr = false
  for (const found of typed.normalize('NFC').matchAll(part)) {
    if (found[0] === 'OR') {
      isOr = groups.length > 0
      continue
    }
    const next = partOf(found, now, notes)
    if (next === null || groups.flat().length >= MAX_TERMS) continue
    const last = groups.at(-1)
    if (isOr && last) last.push(next)
    else groups.push([next])
    isOr = false
  }
  return { ...sorted(groups), notes }
}

export const isTerm = (each: Term | Condition): each is Term => 'words' in each

const partOf = (
  [whole, minus, name = '', phrase, word = '']: RegExpMatchArray,
  now: Date,
  notes: string[],
): Term | Condition | null => {
  const said = { name: name.toLowerCase(), value: phrase ?? word, isNot: minus === '-' }
  const condition = name === '' ? null : readOperator(said, now)
  if (condition) return condition
  const field = fields[said.name]
  if (field === undefined) noteUnknown(notes, said)
  const words = wordsIn(field === undefined ? (phrase ?? whole) : said.value)
  if (words.length === 0) return null
  const isMe = /^(?:from|to|cc)$/.test(said.name) && word.toLowerCase() === 'me'
  return {
    ...{ field: field ?? 'any', words, isPrefix: phrase === undefined },
    ...{ isNot: said.isNot, isMe },
  }
}

/** A condition that stands alone is one of the whole search; of two of a kind the last one holds. */
const sorted = (groups: (Term | Condition)[][]): Omit<Search, 'notes'> => {
  const isAlone = (group: (Term | Condition)[]) => group.length === 1 && !group.every(isTerm)
  return {
    ...{ isUnread: null, isStarred: null, hasAttachment: null, folder: null },
    ...{ before: null, after: null, larger: null, smaller: null },
    ...Object.assign({}, ...groups.filter(isAlone).flat()),
    groups: groups.filter((group): group is Term[] => group.every(isTerm)),
    mixed: groups.filter((group) => !isAlone(group) && !group.every(isTerm)),
  }
}

const note = (notes: string[], sentence: string): void => {
  if (!notes.includes(sentence) && notes.length < MAX_TERMS) notes.push(sentence)
}

type Said = { name: string; value: string; isNot: boolean }

const valued = /^(?:is|has|in|folder|before|after|older_than|newer_than|larger|smaller)$/

/** A value that no operator takes, or an operator that does not exist. Addresses of pages are neither. */
const noteUnknown = (notes: string[], { name, value }: Said): void => {
  if (name === '' || value.startsWith('//') || value === '') return
  note(
    notes,
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
    .map((word) => word.slice(0, MAX_WORD))
    // An accent alone is no word: texts are stored without.
    .filter((word) => foldLetters(word) !== '')
    .slice(0, MAX_WORDS)

/** null when it is none, or one with a value that it does not take. */
const readOperator = ({ name, value, isNot }: Said, now: Date): Condition | null => {
  const asked = value.toLowerCase()
  switch (name) {
    case 'is':
      if (asked === 'unread') return { isUnread: !isNot }
      if (asked === 'read') return { isUnread: isNot }
      return asked === 'starred' || asked === 'flagged' ? { isStarred: !isNot } : null
    case 'has':
      return /^(?:attachments?|files?)$/.test(asked) ? { hasAttachment: !isNot } : null
    case 'in':
    case 'folder':
      return asked === '' || isNot ? null : { folder: folderOf(asked) }
    case 'larger':
    case 'smaller': {
      const bytes = bytesOf(asked)
      return bytes === null || isNot ? null : { [name]: bytes }
    }
    default:
      return isNot ? null : readDay(name, asked, now)
  }
}

const readDay = (name: string, asked: string, now: Date): Condition | null => {
  const isAge = name === 'older_than' || name === 'newer_than'
  const bound = { before: 'before', after: 'after', older_than: 'before', newer_than: 'after' }[
    name
  ]
  const at = bound === undefined ? null : isAge ? ageOf(asked, now) : dayOf(asked, now)
  return bound === undefined || at === null ? null : { [bound]: at }
}

/** 500k, 2M, 1.5GB or bytes; as sizes are shown, a kB is 1,000 bytes. */
const bytesOf = (asked: string): number | null => {
  const found = /^(\d{1,10}(?:\.\d{1,3})?)([kmg]?)b?$/.exec(asked)
  if (!found) return null
  const unit = { '': 1, k: 1e3, m: 1e6, g: 1e9 }[found[2] as '' | 'k' | 'm' | 'g']
  return Math.round(Number(found[1]) * unit)
}

const folderOf = (asked: string): Conditions['folder'] => {
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
