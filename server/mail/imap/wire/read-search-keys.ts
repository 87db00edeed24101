/** The keys of SEARCH (RFC 9051 §6.4.4), with WITHIN (RFC 5032), OBJECTID (RFC 8474), SAVEDATE (RFC 8514) and MODSEQ (RFC 7162). */
import type { MessageFlags } from '#server/features/messages/by-uid/message-flags.ts'
import type { SearchKey } from './command.ts'
import { BadSyntax, type Cursor } from './cursor.ts'
import { readDay } from './dates.ts'
import { readSet } from './message-sets.ts'

const MAX_KEYS = 500
const MAX_DEPTH = 50
const DAY_MS = 86_400_000
/** `OLDER` and `YOUNGER` count seconds; nobody asks for more than this. */
const MAX_SECONDS = 4_000_000_000

const flags: Record<string, Exclude<keyof MessageFlags, 'keywords'>> = {
  ...{ ANSWERED: 'isAnswered', DELETED: 'isDeleted', DRAFT: 'isDraft' },
  ...{ FLAGGED: 'isStarred', SEEN: 'isRead' },
}
const fields = ['BCC', 'CC', 'FROM', 'SUBJECT', 'TO']
const dates = {
  ...({ BEFORE: 'internal', ON: 'internal', SINCE: 'internal' } as const),
  ...({ SENTBEFORE: 'sent', SENTON: 'sent', SENTSINCE: 'sent' } as const),
  ...({ SAVEDBEFORE: 'saved', SAVEDON: 'saved', SAVEDSINCE: 'saved' } as const),
}

const everything: SearchKey = { all: [] }
const nothing: SearchKey = { any: [] }

export class KeyReader {
  readonly #cursor: Cursor
  readonly #now: number
  #count = 0
  #asksModseq = false

  constructor(cursor: Cursor, now: number) {
    this.#cursor = cursor
    this.#now = now
  }

  /** All that is left: messages fulfil each key. */
  readAll(): { key: SearchKey; asksModseq: boolean } {
    const all = [this.#readKey(0)]
    while (this.#cursor.take(' ')) {
      if (this.#cursor.isAtEnd) break
      all.push(this.#readKey(0))
    }
    const [only] = all
    const key = all.length === 1 && only ? only : { all }
    return { key, asksModseq: this.#asksModseq }
  }

  #readKey(depth: number): SearchKey {
    const cursor = this.#cursor
    this.#count += 1
    if (this.#count > MAX_KEYS || depth > MAX_DEPTH) throw new BadSyntax('SEARCH asks for too much')
    if (cursor.peek() === '(') return { all: cursor.list(() => this.#readKey(depth + 1)) }
    if (/[\d*$]/.test(cursor.peek())) return { messages: readSet(cursor), by: 'sequence' }
    const name = cursor.word('A key of SEARCH')
    if (name === 'NOT') {
      cursor.space()
      return { not: this.#readKey(depth + 1) }
    }
    if (name === 'OR') {
      cursor.space()
      const one = this.#readKey(depth + 1)
      cursor.space()
      return { any: [one, this.#readKey(depth + 1)] }
    }
    return this.#readFlagKey(name) ?? this.#readDateKey(name) ?? this.#readOther(name)
  }

  #readFlagKey(name: string): SearchKey | null {
    if (Object.hasOwn(flags, name)) return { flag: flags[name] ?? 'isRead' }
    const without = name.replace(/^UN/, '')
    if (name !== without && Object.hasOwn(flags, without))
      return { not: { flag: flags[without] ?? 'isRead' } }
    if (name !== 'KEYWORD' && name !== 'UNKEYWORD') return null
    this.#cursor.space()
    const key: SearchKey = { keyword: this.#cursor.atom('A keyword') }
    return name === 'KEYWORD' ? key : { not: key }
  }

  #readDateKey(name: string): SearchKey | null {
    if (name === 'OLDER' || name === 'YOUNGER') {
      const at = new Date(this.#now - Math.min(this.#number(), MAX_SECONDS) * 1_000)
      return name === 'OLDER' ? { date: 'internal', before: at } : { date: 'internal', from: at }
    }
    if (!Object.hasOwn(dates, name)) return null
    const date = dates[name as keyof typeof dates]
    this.#cursor.space()
    const from = readDay(this.#cursor.astring().toString('latin1'))
    const end = new Date(from.getTime() + DAY_MS)
    if (name.endsWith('BEFORE')) return { date, before: from }
    if (name.endsWith('SINCE')) return { date, from }
    return {
      all: [
        { date, from },
        { date, before: end },
      ],
    }
  }

  #readOther(name: string): SearchKey {
    if (fields.includes(name)) return { header: name.toLowerCase(), contains: this.#text() }
    switch (name) {
      case 'ALL':
      case 'OLD':
      case 'SAVEDATESUPPORTED':
        return everything
      case 'NEW':
      case 'RECENT':
        return nothing
      case 'BODY':
        return { in: 'body', contains: this.#text() }
      case 'TEXT':
        return { in: 'text', contains: this.#text() }
      case 'HEADER':
        return { header: this.#text().toLowerCase(), contains: this.#text() }
      case 'LARGER':
        return { largerThan: this.#number() }
      case 'SMALLER':
        return { smallerThan: this.#number() }
      case 'UID':
        this.#cursor.space()
        return { messages: readSet(this.#cursor), by: 'uid' }
      case 'EMAILID':
        return { messageId: this.#text() }
      case 'THREADID':
        return { threadId: this.#text() }
      case 'MODSEQ':
        return this.#readModseq()
      default:
        throw new BadSyntax(`SEARCH does not know ${name.slice(0, 40)}`)
    }
  }

  /** The name of a flag may stand before it; it changes nothing: a message has one modseq for all of its flags. */
  #readModseq(): SearchKey {
    const cursor = this.#cursor
    this.#asksModseq = true
    cursor.space()
    if (cursor.peek() === '"') {
      cursor.string()
      cursor.space()
      cursor.word('priv, shared or all')
      cursor.space()
    }
    return { modseq: cursor.bigNumber() }
  }

  #text(): string {
    this.#cursor.space()
    return this.#cursor.astring().toString('utf8')
  }

  #number(): number {
    this.#cursor.space()
    return this.#cursor.number()
  }
}
