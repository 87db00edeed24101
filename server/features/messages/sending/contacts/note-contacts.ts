import type { Person } from '#contract/messages.ts'
import type { Db } from '#server/storage/database.ts'
import { contactWords } from './contact-words.ts'
import { addContacts, takeContacts } from './contacts-store.ts'

const HALF_LIFE_SECONDS = 30 * 24 * 3600

type Sender = { id: string; workspaceId: string; email: string }

/** Whom a mailbox writes to is who it means next time. */
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

/** Of a message that was taken back. */
export const forgetContacts = (
  tx: Db,
  sender: Sender,
  people: readonly Person[],
): Promise<void> => {
  const { id: mailboxId, workspaceId } = sender
  const addresses = othersOf(sender, people).map(({ address }) => address)
  return takeContacts(tx, { workspaceId, mailboxId }, addresses)
}

/** Each once, in one order, so that two messages at once never wait for each other in a circle. */
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
