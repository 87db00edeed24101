import type { Person } from '#contract/messages.ts'
import { memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { DAY_SECONDS } from '#server/lib/clock.ts'
import { literally } from '#server/lib/plain-text.ts'
import type { Db } from '#server/storage/database.ts'
import {
  addContacts,
  colleagues,
  findContacts,
  lastSenders,
  takeContacts,
} from './contacts-store.ts'

const LIMIT = 8
/** Number of newest messages that are searched for authors. */
const LOOKED_THROUGH = 300
const MAX_COLLEAGUES = 1_000

/** Suggests earlier recipients first, then recent authors, then the mailboxes that the caller may see. */
export const suggestRecipients = async (
  app: App,
  who: Who,
  mailboxId: string,
  typed: string,
): Promise<Person[]> => {
  const mailbox = await openMailbox(app, who, mailboxId)
  const { workspaceId } = who
  const patterns = patternsOf(typed)
  // Only punctuation was typed: no contact matches.
  if (patterns.length === 0 && typed.trim() !== '') return []
  const written = await findContacts(app.db, { workspaceId, mailboxId, patterns, limit: LIMIT })
  const found = new Map(written.map((person) => [person.address, person]))
  const add = (people: readonly Person[]) => {
    for (const { name, address } of people) {
      const key = address.toLowerCase()
      if (found.size >= LIMIT) return
      if (key === mailbox.email || found.has(key) || !matches(patterns, name, key)) continue
      found.set(key, { name, address: key })
    }
  }
  if (found.size < LIMIT) {
    const senders = await lastSenders(app.db, workspaceId, mailboxId, LOOKED_THROUGH)
    add(senders.flatMap(({ from }) => (from === null || from.address === '' ? [] : [from])))
  }
  // To a narrowed key other mailboxes do not exist.
  if (found.size < LIMIT && who.reach === undefined) {
    const reader = memberCan(who.role, 'see-mailboxes') ? null : who.userId
    const own = await colleagues(
      app.db,
      workspaceId,
      { readerId: reader, now: app.clock.now() },
      MAX_COLLEAGUES,
    )
    add(own.map((one) => ({ name: `${one.firstName} ${one.lastName}`.trim(), address: one.email })))
  }
  return [...found.values()]
}

/** Lower case, without diacritics. */
const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toWellFormed()

const wordsIn = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * The text in which typed letters are searched: each word after a space, so that `LIKE '% word%'` finds its start, and the
 * whole address.
 */
export const contactWords = (name: string, address: string): string =>
  ['', ...wordsIn(`${name} ${address}`), folded(address)].join(' ').slice(0, 1_000)

/** LIKE patterns that must all match. A partly typed address counts as one word. */
export const patternsOf = (typed: string): string[] => {
  const text = folded(typed).trim()
  const words = /^\S+@\S*$/.test(text) ? [text] : wordsIn(text)
  return words.slice(0, 10).map((word) => `% ${literally(word)}%`)
}

const matches = (patterns: readonly string[], name: string, address: string): boolean => {
  const words = contactWords(name, address)
  return patterns.every((pattern) => words.includes(pattern.slice(1, -1).replace(/\\(.)/g, '$1')))
}

const HALF_LIFE_SECONDS = 30 * DAY_SECONDS

type Sender = { id: string; workspaceId: string; email: string }

/** Counts the recipients of a sent message, so that they are suggested first. */
export const noteContacts = (
  tx: Db,
  sender: Sender,
  people: readonly Person[],
  at: Date,
): Promise<void> => {
  const rank = ((at.getTime() / 1000) * Math.LN2) / HALF_LIFE_SECONDS
  const contacts = othersOf(sender, people).map(({ name, address }) => ({
    ...{ mailboxId: sender.id, workspaceId: sender.workspaceId, address, name: name.slice(0, 200) },
    ...{ words: contactWords(name.slice(0, 200), address), times: 1, rank },
  }))
  return addContacts(tx, contacts)
}

/** Undoes `noteContacts` for a message that was taken back. */
export const forgetContacts = (
  tx: Db,
  sender: Sender,
  people: readonly Person[],
): Promise<void> => {
  const { id: mailboxId, workspaceId } = sender
  const addresses = othersOf(sender, people).map(({ address }) => address)
  return takeContacts(tx, { workspaceId, mailboxId }, addresses)
}

/** Each address once, and always in the same order, which prevents deadlocks between two messages. */
const othersOf = ({ email }: Sender, people: readonly Person[]): Person[] => {
  const byAddress = new Map<string, Person>()
  for (const { name, address } of people) {
    const key = address.toLowerCase()
    const known = byAddress.get(key)
    if (key !== email && (known === undefined || known.name === ''))
      byAddress.set(key, { name, address: key })
  }
  return [...byAddress.values()].toSorted((a, b) => (a.address < b.address ? -1 : 1))
}
