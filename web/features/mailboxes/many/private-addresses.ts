/** Pasted lines that name a mailbox or its person, and the private address of the person, as a spreadsheet has them. */
import { editsBetween } from '#web/lib/nearest.ts'

const ADDRESS = /[^\s,;|<>"'()[\]]+@[^\s,;|<>"'()[\]]+/g
const PROPOSALS = 3

export type Known = { _id: string; email: string; firstName: string; lastName: string }

/** A line that names no mailbox of the list, or more than one. */
export type UnclearLine = {
  line: string
  /** The private address in it; null: there is none, or more than one. */
  address: string | null
  /** The mailboxes that are probably meant, the nearest first. */
  proposals: Known[]
}

export type PrivateAddresses = {
  /** By the id of the mailbox. */
  found: ReadonlyMap<string, string>
  unclear: UnclearLine[]
}

export function readPrivateAddresses(text: string, mailboxes: readonly Known[]): PrivateAddresses {
  const byEmail = new Map(mailboxes.map((mailbox) => [mailbox.email.toLowerCase(), mailbox]))
  const names = mailboxes.map((mailbox) => ({ mailbox, names: namesOf(mailbox) }))
  const found = new Map<string, string>()
  const unclear: UnclearLine[] = []
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim())
  for (const [index, line] of lines.entries()) {
    const addresses = [...new Set((line.match(ADDRESS) ?? []).map((each) => each.toLowerCase()))]
    // Blank, or the headings.
    if (line === '' || (addresses.length === 0 && index === 0)) continue
    const known = addresses.flatMap((address) => byEmail.get(address) ?? [])
    const [own, ...others] = addresses.filter((address) => !byEmail.has(address))
    const address = own !== undefined && others.length === 0 ? own : null
    const meant = known.length > 0 ? known : namedIn(line.replace(ADDRESS, ' '), names)
    const [mailbox, ...more] = meant
    if (address && mailbox && more.length === 0) found.set(mailbox._id, address)
    else {
      const name = folded(line.replace(ADDRESS, ' '))
      const proposals = meant.length > 0 ? meant : nearestTo(name, names)
      unclear.push({ line, address, proposals: proposals.slice(0, PROPOSALS) })
    }
  }
  return { found, unclear }
}

type Named = { mailbox: Known; names: string[] }

const namesOf = ({ firstName, lastName, email }: Known): string[] => {
  const [local = ''] = email.split('@')
  return [`${firstName} ${lastName}`, `${lastName} ${firstName}`, local].map(folded)
}

const namedIn = (line: string, all: readonly Named[]): Known[] => {
  const name = folded(line)
  return name === ''
    ? []
    : all.filter(({ names }) => names.includes(name)).map(({ mailbox }) => mailbox)
}

function nearestTo(name: string, all: readonly Named[]): Known[] {
  if (name === '') return []
  const limit = Math.max(2, Math.floor(name.length / 4))
  return all
    .map(({ mailbox, names }) => ({
      mailbox,
      edits: Math.min(...names.map((each) => editsBetween(name, each, limit))),
    }))
    .filter(({ edits }) => edits <= limit)
    .toSorted((a, b) => a.edits - b.edits)
    .map(({ mailbox }) => mailbox)
}

/** Without accents, signs and capital letters: 'Lovelace, Ada' is 'lovelace ada'. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
