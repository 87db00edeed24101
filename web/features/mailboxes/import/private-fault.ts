/** What the server does not see of a row: the private address, and whether the access link can be mailed there. */
import { emailAddress } from '#contract/fields.ts'
import type { ImportedRow, ImportFault } from '#contract/many-mailboxes.ts'
import type { Person } from './read-people.ts'

export type RowFault = ImportFault | 'private-wrong'
/** A row as the server judged it, and its private address. */
export type CheckedRow = Omit<ImportedRow, 'fault'> & {
  fault: RowFault | null
  privateEmail: string
}

export function withPrivate(
  judged: readonly ImportedRow[],
  people: readonly Person[],
): CheckedRow[] {
  const given = new Map(people.map(({ row, privateEmail }) => [row, privateEmail]))
  return judged.map((row) => {
    const privateEmail = given.get(row.row)?.trim() ?? ''
    const reason = row.result === 'ready' ? faultOf(privateEmail, row.email) : null
    return reason === null
      ? { ...row, privateEmail }
      : { ...row, privateEmail, reason, result: 'refused', fault: 'private-wrong' }
  })
}

function faultOf(privateEmail: string, email: string): string | null {
  if (privateEmail === '') return null
  const { success, data } = emailAddress.safeParse(privateEmail)
  if (!success) return 'the private address is not valid'
  return data === email ? 'the private address is the address of the mailbox itself' : null
}

/** Only the client refuses these rows: they are not sent when the others are created. */
export function heldBack(answer: readonly CheckedRow[] | null): ReadonlyMap<number, CheckedRow> {
  const held = answer?.filter(({ fault }) => fault === 'private-wrong') ?? []
  return new Map(held.map((row) => [row.row, row]))
}

export type SharedAddress = { address: string; rows: number[] }

/** Private addresses of more than one row. */
export function sharedAddresses(answer: readonly CheckedRow[]): SharedAddress[] {
  const given = answer.filter(({ privateEmail }) => privateEmail !== '')
  const byAddress = Map.groupBy(given, ({ privateEmail }) => privateEmail.toLowerCase())
  return [...byAddress]
    .filter(([, rows]) => rows.length > 1)
    .map(([address, rows]) => ({ address, rows: rows.map(({ row }) => row) }))
}
