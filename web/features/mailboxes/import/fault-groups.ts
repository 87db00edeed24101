/** Rows of an import that are refused, by what is wrong with them, and what cures a whole kind of them. */
import { emailAddress } from '#contract/fields.ts'
import { domainInCell } from '#contract/many-mailboxes.ts'
import { nearest } from '#web/lib/spelling/nearest.ts'
import { shownHost } from '#web/lib/spelling/shown-host.ts'
import type { CheckedRow, RowFault } from './private-fault.ts'
import { proposedAddress } from './proposed-address.ts'
import type { Person } from './read-people.ts'

export type FaultyRow = {
  person: Person
  /** Empty: it is right now, and stands where it was corrected. */
  reason: string
  /** The domain of the workspace that is probably meant; null: none is near. */
  proposal: string | null
  /** One that is probably meant, or a free one for another person of the name; null: none. */
  address: string | null
}
export type FaultGroup = { fault: RowFault; rows: FaultyRow[] }

type Words = { title: string; explanation: string }

export const faultWords: Record<RowFault, Words> = {
  'domain-unknown': {
    title: 'The domain is not in this workspace',
    explanation:
      'It may be misspelled, or not added yet. Or the addresses are private ones of the people: use them as such, and choose the domain.',
  },
  'domain-missing': {
    title: 'No domain is given',
    explanation: 'Choose the domain for these rows.',
  },
  'domain-inactive': {
    title: 'The domain is not active yet',
    explanation:
      'Verify the domain first, then import these rows again: “Download result”, which comes after the others are created, is the file for that.',
  },
  'over-limit': {
    title: 'The domain has no room for more mailboxes',
    explanation: '',
  },
  'name-missing': {
    title: 'A name is missing',
    explanation: 'Each mailbox needs a first name and a last name.',
  },
  'name-short': { title: 'A name is too short', explanation: 'A name has at least 2 characters.' },
  'name-long': { title: 'A name is too long', explanation: 'A name has at most 100 characters.' },
  'name-formula': {
    title: 'A name looks like a formula',
    explanation: 'A spreadsheet would run it. Write the name instead.',
  },
  'name-letters': {
    title: 'No address can be made from the name',
    explanation: 'An address has letters from a to z. Write the address for each of these people.',
  },
  'cell-long': {
    title: 'A cell is too long',
    explanation: 'Perhaps cells of the file have run together.',
  },
  'address-wrong': {
    title: 'The address is not valid',
    explanation: 'Correct it, or have an address made from the name.',
  },
  'address-reserved': {
    title: 'The address is reserved',
    explanation: 'postmaster and abuse reach the administrators of the workspace.',
  },
  'address-taken': {
    title: 'The address is taken',
    explanation: 'A mailbox, or an alias of one, has it already.',
  },
  'address-elsewhere': {
    title: 'The address and the domain differ',
    explanation: 'The address must end in the domain of its row.',
  },
  'private-wrong': {
    title: 'No access link can be mailed to the private address',
    explanation: 'Correct it, or leave it out: then the link is yours to hand over.',
  },
  'name-taken': {
    title: 'A person of this name has a mailbox in this domain already',
    explanation:
      'Perhaps the row was imported before: then leave it out. Another person of the name needs another address.',
  },
  repeated: {
    title: 'The row stands twice in the file',
    explanation: 'An earlier row has the same person. Two people of one name need an address each.',
  },
  'address-repeated': {
    title: 'Two people have one address',
    explanation: 'The first of them keeps it. The others need an address of their own.',
  },
}

/**
 * The domain of the workspace that is meant by a misspelled one or by the name of a web site. Looks once for each of them.
 * `domains`: as people write them.
 */
export function proposer(domains: readonly string[]): (typed: string) => string | null {
  const proposals = new Map<string, string | null>()
  const look = (typed: string): string | null => {
    const name = shownHost(typed.replace(/^www\./, ''))
    return domains.includes(name) ? name : nearest(name, domains)
  }
  return (typed) => {
    if (!proposals.has(typed)) proposals.set(typed, look(typed))
    return proposals.get(typed) ?? null
  }
}

/** In the order of `faultWords`. */
export function groupFaults(
  answer: readonly CheckedRow[],
  people: readonly Person[],
  proposalFor: (typed: string) => string | null,
  domains: readonly string[] = [],
): FaultGroup[] {
  const personOf = new Map(people.map((person) => [person.row, person]))
  const groups = new Map<RowFault, FaultyRow[]>()
  for (const { row, fault, reason, otherEmail } of answer) {
    const person = personOf.get(row)
    if (!person || fault === null) continue
    const proposal = fault === 'domain-unknown' ? proposalFor(domainOf(person)) : null
    const rows = groups.get(fault) ?? []
    const address = fault === 'address-wrong' ? proposedAddress(person.email, domains) : otherEmail
    rows.push({ person, reason, proposal, address })
    groups.set(fault, rows)
  }
  return Object.keys(faultWords)
    .map((fault) => ({ fault: fault as RowFault, rows: groups.get(fault as RowFault) ?? [] }))
    .filter(({ rows }) => rows.length > 0)
}

const isAddress = (cell: string): boolean => emailAddress.safeParse(cell.trim()).success
const cleanDomain = (domain: string): string => domainInCell(domain).toLowerCase()
const domainIn = (email: string): string =>
  email.includes('@') ? cleanDomain(email.slice(email.lastIndexOf('@') + 1)) : ''
const domainOf = ({ email, domain }: Person): string => domainIn(email) || cleanDomain(domain)

/** The person in another domain; a given address moves with them. */
export const inDomain = (person: Person, domain: string): Person => ({
  ...person,
  domain,
  // What stands in the place of the domain is kept.
  privateEmail: person.privateEmail || (isAddress(person.domain) ? person.domain.trim() : ''),
  email: person.email.includes('@') ? `${person.email.split('@')[0]}@${domain}` : person.email,
})
/** The address goes, and the domain in it, or in the one that is probably meant, stays. */
export const withoutAddress = ({ person, address }: FaultyRow): Person => ({
  ...person,
  email: '',
  domain: person.domain || domainIn(person.email) || domainIn(address ?? ''),
})
/** An address elsewhere is where the access link goes; the mailbox is made from the name, in a domain of the workspace. */
export const asPrivate = (person: Person): Person =>
  isAddress(person.domain)
    ? { ...person, privateEmail: person.domain.trim(), domain: '' }
    : {
        ...person,
        email: '',
        privateEmail: person.email,
        domain: cleanDomain(person.domain) === domainIn(person.email) ? '' : person.domain,
      }
export const withoutDomain = (person: Person): Person => ({ ...person, domain: '' })
export const withoutPrivate = (person: Person): Person => ({ ...person, privateEmail: '' })

const hasName = ({ firstName, lastName }: Person): boolean => firstName !== '' && lastName !== ''

const mendedByName: ReadonlySet<RowFault> = new Set([
  ...(['address-wrong', 'address-taken', 'address-reserved', 'address-repeated'] as const),
])

/** The rows of a group for which an address made from the name is a cure. */
export const curedByName = ({ fault, rows }: FaultGroup): FaultyRow[] =>
  mendedByName.has(fault) ? rows.filter(({ person }) => hasName(person)) : []

/** The rows whose address is probably that of the person, and not of the mailbox: no domain of the workspace is near. */
export const curedAsPrivate = ({ fault, rows }: FaultGroup): FaultyRow[] =>
  fault === 'domain-unknown' || fault === 'address-elsewhere'
    ? rows.filter(
        ({ person, proposal }) =>
          proposal === null &&
          hasName(person) &&
          person.privateEmail === '' &&
          (isAddress(person.domain) || isAddress(person.email)),
      )
    : []
