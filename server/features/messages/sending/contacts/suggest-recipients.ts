import type { Person } from '#contract/messages.ts'
import { memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { openMailbox } from '../../mailbox-access.ts'
import { contactWords, patternsOf } from './contact-words.ts'
import { colleagues, findContacts, lastSenders } from './contacts-store.ts'

const LIMIT = 8
/** Of the newest messages: an answer goes to one of those that came lately. */
const LOOKED_THROUGH = 300
const MAX_COLLEAGUES = 1_000

/** Those written to first, then those who wrote last, then the mailboxes that this person may see. */
export const suggestRecipients = async (
  app: App,
  who: Who,
  mailboxId: string,
  typed: string,
): Promise<Person[]> => {
  const mailbox = await openMailbox(app, who, mailboxId)
  const { workspaceId } = who
  const patterns = patternsOf(typed)
  // Signs alone mean nobody.
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
  if (found.size < LIMIT) {
    const reader = memberCan(who.role, 'see-mailboxes') ? null : who.userId
    const own = await colleagues(app.db, workspaceId, reader, MAX_COLLEAGUES)
    add(own.map((one) => ({ name: `${one.firstName} ${one.lastName}`.trim(), address: one.email })))
  }
  return [...found.values()]
}

const matches = (patterns: readonly string[], name: string, address: string): boolean => {
  const words = contactWords(name, address)
  return patterns.every((pattern) => words.includes(pattern.slice(1, -1).replace(/\\(.)/g, '$1')))
}
