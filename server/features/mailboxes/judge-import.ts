/** Judges each row of a table of mailboxes by itself; what the database says about it stands in `import-mailboxes.ts`. */
import { domainCan } from '#contract/domains.ts'
import { invalidField } from '#contract/errors.ts'
import { mailboxFirstName, mailboxLastName } from '#contract/fields.ts'
import { EMAIL_OUTSIDE_DOMAIN, localPartFor } from '#contract/mailboxes.ts'
import {
  domainInCell,
  type ImportedRow,
  type ImportFault,
  type ImportRow,
  MAX_IMPORT_ROWS,
} from '#contract/many-mailboxes.ts'
import type { DomainRow } from '#server/features/domains/domain-queries.ts'
import { domainToAscii, isRoleName, parseAddress } from '#server/standards/address.ts'
import { RESERVED_ADDRESS } from './place-mailboxes.ts'

/** A row while it is judged. */
export type Judged = ImportedRow & {
  /** A-labels; '' when it names no domain. */
  domain: string
  /** Of the address that is made from the name; '' when the row gives one. */
  localPart: string
}

type Options = { domain: string; isGerman: boolean }

const CELLS = 5
const MAX_CELL = 500

/** @throws when a line has other than five cells, or there are too many lines. */
export const readTable = (table: string): ImportRow[] => {
  const lines = table.split('\n', MAX_IMPORT_ROWS + 1)
  if (lines.length > MAX_IMPORT_ROWS) throw invalidField('table', 'At most 10,000 rows at once')
  return lines.map((line) => {
    const cells = line.split('\t', CELLS + 1)
    const [row = '', firstName = '', lastName = '', email = '', domain = ''] = cells
    if (cells.length !== CELLS || !/^\d{1,7}$/.test(row))
      throw invalidField('table', 'Each line needs a row number and four cells')
    return { row: Number(row), firstName, lastName, email, domain }
  })
}

type Fault = { fault: ImportFault; reason: string }

/** Reads a row as far as that is possible without the database. */
export const readRow = (given: ImportRow, options: Options): Judged => {
  const [firstName, lastName] = [tidy(given.firstName), tidy(given.lastName)]
  const email = tidy(given.email)
    .replace(/^mailto:/i, '')
    .replace(/\.+$/, '')
  const asked = domainInCell(tidy(given.domain))
  const names = { firstName: shortened(firstName), lastName: shortened(lastName) }
  const none = { fault: null, otherEmail: null, id: null, domain: '', localPart: '' }
  const base = { row: given.row, ...names, email: shortened(email), ...none }
  const refused = (fault: Fault): Judged => ({ ...base, result: 'refused', ...fault })
  if ([firstName, lastName, email, asked].some((cell) => cell.length > MAX_CELL))
    return refused({ fault: 'cell-long', reason: `a cell has more than ${MAX_CELL} characters` })
  const nameFault = faultOf('first name', firstName) ?? faultOf('last name', lastName)
  const whole = completed(email, asked || options.domain)
  const address = whole === '' ? null : parseAddress(whole)
  if (whole !== '' && address === null)
    return refused({ fault: 'address-wrong', reason: 'the address is not valid' })
  const typed = address?.domain ?? (asked || options.domain)
  if (typed === '')
    return refused(nameFault ?? { fault: 'domain-missing', reason: 'the domain is missing' })
  const domain = domainToAscii(typed)
  if (domain === null)
    return refused(nameFault ?? (typed.includes('@') ? ADDRESS_AS_DOMAIN : NO_SUCH_DOMAIN))
  if (nameFault) return refused(nameFault)
  if (address) {
    if (asked !== '' && withoutWww(domainToAscii(asked)) !== withoutWww(domain))
      return refused({ fault: 'address-elsewhere', reason: asSentenceEnd(EMAIL_OUTSIDE_DOMAIN) })
    if (isRoleName(address.local))
      return refused({ fault: 'address-reserved', reason: RESERVED_ADDRESS })
    return { ...base, email: address.address, domain, result: 'ready', reason: '' }
  }
  const spell = options.isGerman ? spellGerman : (name: string) => name
  const localPart = localPartFor(spell(firstName), spell(lastName))
  if (localPart === '') return refused(NO_LETTERS)
  return { ...base, domain, localPart, result: 'ready', reason: '' }
}

const withoutWww = (domain: string | null) => domain?.replace(/^www\./, '')

/** A web site is named where its domain is meant, unless the workspace has a domain of that name. */
export const readWebSites = (rows: Judged[], domains: ReadonlyMap<string, DomainRow>): void => {
  for (const row of ready(rows)) {
    const name = withoutWww(row.domain)
    // A given address stays as it is: www is a part of it.
    if (name && row.localPart !== '' && !domains.has(row.domain) && domains.has(name))
      row.domain = name
  }
}

/** The names to look for. */
export const namesIn = (rows: readonly Judged[]): string[] => [
  ...new Set(ready(rows).flatMap(({ domain }) => [domain, withoutWww(domain) ?? domain])),
]

/** Some lists hold only what stands before the @. An address that has lost its @ ends with the domain. */
const completed = (email: string, domain: string): string =>
  domain !== '' &&
  /^[\w.+-]+$/.test(email) &&
  !email.toLowerCase().endsWith(withoutWww(domain.toLowerCase()) ?? domain)
    ? `${email}@${domain}`
    : email

export const NO_SUCH_DOMAIN: Fault = {
  fault: 'domain-unknown',
  reason: 'no such domain in this workspace',
}
const ADDRESS_AS_DOMAIN: Fault = {
  fault: 'domain-unknown',
  reason: 'an address stands in the place of the domain',
}
const NO_LETTERS: Fault = {
  fault: 'name-letters',
  reason: 'an address needs letters from a to z or digits: please give one',
}

/** Marks rows whose domain takes no mailboxes, and people or addresses that an earlier row has. */
export const refuseWithin = (rows: Judged[], domains: ReadonlyMap<string, DomainRow>): void => {
  const firstRowOf = new Map<string, Judged>()
  for (const row of ready(rows)) {
    const domain = domains.get(row.domain)
    if (!domain) refuse(row, NO_SUCH_DOMAIN)
    else if (!takesMailboxes(domain))
      refuse(row, { fault: 'domain-inactive', reason: `${domain.name} is not active yet` })
    if (row.result === 'refused') continue
    const key = row.email || `${row.firstName} ${row.lastName}@${row.domain}`.toLowerCase()
    const earlier = firstRowOf.get(key)
    if (earlier === undefined) firstRowOf.set(key, row)
    else
      refuse(row, {
        fault: nameOf(row) === nameOf(earlier) ? 'repeated' : 'address-repeated',
        reason:
          nameOf(row) === nameOf(earlier)
            ? `twice in this file: row ${earlier.row}`
            : `${earlier.firstName} ${earlier.lastName} in row ${earlier.row} has this address`,
      })
  }
}

/** Whose name stands for a mailbox of this domain: what an import would make twice. */
export const personKey = (domain: string, { firstName, lastName }: Named): string =>
  `${domain} ${tidy(`${firstName} ${lastName}`).normalize('NFC').toLowerCase()}`

type Named = { firstName: string; lastName: string }

/** Rows without an address, whose person has one already. `known`: the address by `personKey`. */
export const refuseKnown = (rows: Judged[], known: ReadonlyMap<string, string>): void => {
  for (const row of ready(rows)) {
    const email = row.localPart === '' ? undefined : known.get(personKey(row.domain, row))
    if (email === undefined) continue
    const reason = `a person of this name has the mailbox ${email} in this domain already`
    refuse(row, { fault: 'name-taken', reason })
  }
}

const nameOf = ({ firstName, lastName }: Judged): string => `${firstName} ${lastName}`.toLowerCase()

const takesMailboxes = ({ isVerified, isActive }: DomainRow): boolean =>
  domainCan.takeMailboxes({ isVerified, status: isActive ? 'active' : 'inactive' })

/** Of a domain. */
export type Places = { limit: number; free: number }

/** The first rows of a domain get its free places. */
export const refuseBeyond = (rows: Judged[], places: ReadonlyMap<string, Places>): void => {
  const used = new Map<string, number>()
  for (const row of ready(rows)) {
    const count = (used.get(row.domain) ?? 0) + 1
    const { limit, free } = places.get(row.domain) ?? { limit: 0, free: 0 }
    if (count > free)
      refuse(row, {
        fault: 'over-limit',
        reason: `over the limit of ${limit} mailboxes of ${row.domain}`,
      })
    else used.set(row.domain, count)
  }
}

export const ready = (rows: readonly Judged[]): Judged[] =>
  rows.filter(({ result }) => result === 'ready')

export const refuse = (row: Judged, { fault, reason }: Fault): void => {
  row.result = 'refused'
  row.fault = fault
  row.reason = reason
}

/** Line breaks and other controls within a cell become blanks. */
const tidy = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

/** An answer repeats no cell that is refused for its length. */
const shortened = (text: string): string =>
  text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text

const faultOf = (what: 'first name' | 'last name', value: string): Fault | undefined => {
  if (value === '') return { fault: 'name-missing', reason: `${what} is missing` }
  if (/^[=+@＝＋＠]|^[-－][^\p{L}]/u.test(value))
    return { fault: 'name-formula', reason: `${what} begins like a formula` }
  const { success, error } = (what === 'first name' ? mailboxFirstName : mailboxLastName).safeParse(
    value,
  )
  if (success) return undefined
  const [issue] = error.issues
  return issue?.code === 'too_small'
    ? { fault: 'name-short', reason: `${what} needs at least 2 characters` }
    : { fault: 'name-long', reason: `${what} has more than 100 characters` }
}

const asSentenceEnd = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)

const german: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' }
const spellGerman = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => german[letter] ?? letter)
