/** Pasted lines that name a mailbox or its person, and the private address of the person, as a spreadsheet has them. */
import { editsBetween } from '#web/lib/spelling/nearest.ts'
import { type Person, readPeople } from '../import/read-people.ts'

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
  const byEmail = new Map(mailboxes.map((mailbox) => [inAscii(mailbox.email), mailbox]))
  const names = mailboxes.map((mailbox) => ({ mailbox, names: namesOf(mailbox) }))
  const found = new Map<string, string>()
  const unclear: UnclearLine[] = []
  const personIn = peopleByLine(text)
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim())
  for (const [index, line] of lines.entries()) {
    const addresses = [...new Set((line.match(ADDRESS) ?? []).map((each) => each.toLowerCase()))]
    // Blank, or the headings.
    if (line === '' || (addresses.length === 0 && index === 0)) continue
    const known = addresses.flatMap((address) => byEmail.get(inAscii(address)) ?? [])
    const [own, ...others] = addresses.filter((address) => !byEmail.has(inAscii(address)))
    const address = own !== undefined && others.length === 0 ? own : null
    const named = known.length > 0 ? known : namedIn(line.replace(ADDRESS, ' '), names)
    const meant = named.length > 0 ? named : meantBy(personIn(index, address), names)
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

/** What an import would read in a line: its table is taken here too, with its domains and other columns. */
function peopleByLine(text: string): (index: number, address: string | null) => Person | null {
  const read = readPeople(text)
  const people = new Map('people' in read ? read.people.map((one) => [one.row, one]) : [])
  return (index, address) => {
    const person = people.get(index + 1)
    if (!person || address === null) return null
    // A cell may hold more than one line: then the rows are others than the lines.
    return [person.privateEmail, person.email].some((one) => one.toLowerCase() === address)
      ? person
      : null
  }
}

function meantBy(person: Person | null, all: readonly Named[]): Known[] {
  if (!person) return []
  const named = namedIn(`${person.firstName} ${person.lastName}`, all)
  const domain = person.domain.trim().replace(/^@/, '')
  if (domain === '') return named
  return named.filter(({ email }) => inAscii(email).endsWith(inAscii(`@${domain}`)))
}

/** An address as the list has it: the domain in A-labels. */
function inAscii(address: string): string {
  const at = address.lastIndexOf('@')
  const url = `http://${address.slice(at + 1)}`
  const domain = URL.canParse(url) ? new URL(url).hostname : address.slice(at + 1)
  return `${address.slice(0, at + 1)}${domain}`.toLowerCase()
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
