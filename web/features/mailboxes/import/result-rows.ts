import type { ListedMailbox } from '#contract/mailboxes.ts'
import type { ImportedRow } from '#contract/many-mailboxes.ts'
import { readableTable } from '#web/lib/readable-table.ts'
import { datedName } from '#web/lib/save-as.ts'
import type { CheckedRow } from './private-fault.ts'
import type { Person } from './read-people.ts'

/** A row that its person left out of the import. */
export type Skipped = { person: Person; reason: string }

type Outcome = {
  answer: readonly CheckedRow[] | null
  people: readonly Person[]
  skipped: readonly Skipped[]
}

/** 'import-result-people-2026-11-25.csv' of 'people.csv': the results of two files stand beside each other. */
export const resultName = (fileName: string, now = new Date()): string => {
  const stem = fileName.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
  return datedName(['import-result', stem].filter(Boolean).join('-'), 'csv', now)
}

/** All rows of the file: with a fault as they were given, so that they can be corrected and imported again. */
export function resultTable({ answer, people, skipped }: Outcome): string[][] {
  const personOf = new Map(people.map((person) => [person.row, person]))
  const hasPrivate = [...people, ...skipped.map(({ person }) => person)].some(
    ({ privateEmail }) => privateEmail !== '',
  )
  const cellsOf = (person: Person | undefined) => (hasPrivate ? [person?.privateEmail ?? ''] : [])
  const rows = (answer ?? []).map(({ row, firstName, lastName, email, result, reason }) => {
    const isMade = result === 'created'
    const given = personOf.get(row)
    const domain = isMade ? domainOf(email) : (given?.domain ?? '')
    const cells = [firstName, lastName, isMade ? email : (given?.email ?? email), domain]
    return { row, cells: [...cells, ...cellsOf(given), isMade ? 'created' : reason] }
  })
  const left = skipped.map(({ person, reason }) => {
    const { row, firstName, lastName, email, domain } = person
    const cells = [firstName, lastName, email, domain, ...cellsOf(person)]
    return { row, cells: [...cells, `skipped: ${reason}`] }
  })
  const heads = ['Row', 'First name', 'Last name', 'Email', 'Domain']
  return readableTable([
    [...heads, ...(hasPrivate ? ['Private email'] : []), 'Result'],
    ...[...rows, ...left]
      .toSorted((a, b) => a.row - b.row)
      .map(({ row, cells }) => [String(row), ...cells]),
  ])
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

type Made = Pick<ImportedRow, 'id' | 'firstName' | 'lastName' | 'email'>

/** The created ones as the list has them, for what comes next. */
export const mailboxesOf = (
  answer: readonly Made[],
  status: ListedMailbox['status'],
): ListedMailbox[] =>
  answer.flatMap(({ id, firstName, lastName, email }) =>
    id === null
      ? []
      : {
          ...{ _id: id, firstName, lastName, fullName: `${firstName} ${lastName}`, email },
          ...{ domain: domainOf(email), signature: '', status, usedBytes: 0 },
          access: { state: 'none', name: '', readers: 0, lastLoginAt: null, linkMailedTo: null },
        },
  )

/** By the id of the created mailbox: the private addresses that the file names. */
export function privateAddressesOf(
  answer: readonly Pick<ImportedRow, 'id' | 'row'>[],
  people: readonly Person[],
): ReadonlyMap<string, string> {
  const given = new Map(people.map(({ row, privateEmail }) => [row, privateEmail]))
  return new Map(
    answer.flatMap(({ id, row }) => {
      const address = given.get(row)
      return id !== null && address ? [[id, address]] : []
    }),
  )
}
