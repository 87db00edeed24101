/** Judges each row of a table of mailboxes by itself; what the database says about it stands in `import-mailboxes.ts`. */
import { domainCan } from '#contract/domains.ts'
import { invalidField } from '#contract/errors.ts'
import { mailboxFirstName, mailboxLastName } from '#contract/fields.ts'
import { EMAIL_OUTSIDE_DOMAIN, localPartFor } from '#contract/mailboxes.ts'
import { type ImportedRow, type ImportRow, MAX_IMPORT_ROWS } from '#contract/many-mailboxes.ts'
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

/** @throws when a line has other than five cells, a cell is too long, or there are too many lines. */
export const readTable = (table: string): ImportRow[] => {
  const lines = table.split('\n', MAX_IMPORT_ROWS + 1)
  if (lines.length > MAX_IMPORT_ROWS) throw invalidField('table', 'At most 10,000 rows at once')
  return lines.map((line) => {
    const cells = line.split('\t', CELLS + 1)
    const [row = '', firstName = '', lastName = '', email = '', domain = ''] = cells
    if (cells.length !== CELLS || !/^\d{1,7}$/.test(row))
      throw invalidField('table', 'Each line needs a row number and four cells')
    if (cells.some((cell) => cell.length > MAX_CELL))
      throw invalidField('table', `Row ${row}: a cell has more than ${MAX_CELL} characters`)
    return { row: Number(row), firstName, lastName, email, domain }
  })
}

/** Reads a row as far as that is possible without the database. */
export const readRow = (given: ImportRow, options: Options): Judged => {
  const [firstName, lastName] = [tidy(given.firstName), tidy(given.lastName)]
  const email = given.email.trim().replace(/^mailto:/i, '')
  const base = { row: given.row, firstName, lastName, email, domain: '', localPart: '' }
  const refused = (reason: string): Judged => ({ ...base, result: 'refused', reason })
  const nameFault = faultOf('first name', firstName) ?? faultOf('last name', lastName)
  const asked = given.domain.trim().replace(/^@/, '')
  const address = email === '' ? null : parseAddress(email)
  if (email !== '' && address === null) return refused('the address is not valid')
  const typed = address?.domain ?? (asked || options.domain)
  if (typed === '') return refused(nameFault ?? 'the domain is missing')
  const domain = domainToAscii(typed)
  if (domain === null) return refused(nameFault ?? NO_SUCH_DOMAIN)
  if (nameFault) return refused(nameFault)
  if (address) {
    if (asked !== '' && domainToAscii(asked) !== domain)
      return refused(asSentenceEnd(EMAIL_OUTSIDE_DOMAIN))
    if (isRoleName(address.local)) return refused(RESERVED_ADDRESS)
    return { ...base, email: address.address, domain, result: 'ready', reason: '' }
  }
  const spell = options.isGerman ? spellGerman : (name: string) => name
  const localPart = localPartFor(spell(firstName), spell(lastName))
  if (localPart === '')
    return refused('an address needs letters from a to z or digits: please give one')
  return { ...base, domain, localPart, result: 'ready', reason: '' }
}

export const NO_SUCH_DOMAIN = 'no such domain in this workspace'

/** Marks rows whose domain takes no mailboxes, and people or addresses that an earlier row has. */
export const refuseWithin = (rows: Judged[], domains: ReadonlyMap<string, DomainRow>): void => {
  const firstRowOf = new Map<string, number>()
  for (const row of ready(rows)) {
    const domain = domains.get(row.domain)
    if (!domain) refuse(row, NO_SUCH_DOMAIN)
    else if (!takesMailboxes(domain)) refuse(row, `${domain.name} is not active yet`)
    if (row.result === 'refused') continue
    const key = row.email || `${row.firstName} ${row.lastName}@${row.domain}`.toLowerCase()
    const earlier = firstRowOf.get(key)
    if (earlier === undefined) firstRowOf.set(key, row.row)
    else refuse(row, `twice in this file: row ${earlier}`)
  }
}

const takesMailboxes = ({ isVerified, isActive }: DomainRow): boolean =>
  domainCan.takeMailboxes({ isVerified, status: isActive ? 'active' : 'inactive' })

/** The first rows of a domain get its free places. */
export const refuseBeyond = (
  rows: Judged[],
  placesOf: (domain: string) => number,
  limit: number,
): void => {
  const used = new Map<string, number>()
  for (const row of ready(rows)) {
    const count = (used.get(row.domain) ?? 0) + 1
    if (count > placesOf(row.domain))
      refuse(row, `over the limit of ${limit} mailboxes of ${row.domain}`)
    else used.set(row.domain, count)
  }
}

export const ready = (rows: readonly Judged[]): Judged[] =>
  rows.filter(({ result }) => result === 'ready')

export const refuse = (row: Judged, reason: string): void => {
  row.result = 'refused'
  row.reason = reason
}

/** Line breaks and other controls within a cell become blanks. */
const tidy = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

const faultOf = (what: 'first name' | 'last name', value: string): string | undefined => {
  if (value === '') return `${what} is missing`
  const { success, error } = (what === 'first name' ? mailboxFirstName : mailboxLastName).safeParse(
    value,
  )
  if (success) return undefined
  const [issue] = error.issues
  return issue?.code === 'too_small'
    ? `${what} needs at least 2 characters`
    : `${what} has more than 100 characters`
}

const asSentenceEnd = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)

const german: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' }
const spellGerman = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => german[letter] ?? letter)
