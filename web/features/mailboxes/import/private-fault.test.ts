import { expect, test } from 'vitest'
import type { ImportedRow } from '#contract/many-mailboxes.ts'
import { heldBack, sharedAddresses, withPrivate } from './private-fault.ts'

const addresses = ['', 'max@home.example', 'p47@privat', 'p95 privat.example', 'Max3@Maier.example']
const people = addresses.map((privateEmail, row) => ({
  ...{ row, firstName: 'Max', lastName: 'Weiß', email: '', domain: 'maier.example', privateEmail },
}))
const judged: ImportedRow[] = addresses.map((_, row) => ({
  ...{ row, firstName: 'Max', lastName: 'Weiß', email: 'max3@maier.example', reason: '' },
  ...{ result: 'ready', fault: null, otherEmail: null, id: null },
}))

test('a private address that no link can go to is a fault of its row, and the row is not created', () => {
  const checked = withPrivate(judged, people)
  expect(checked.map(({ reason }) => reason)).toEqual([
    ...['', '', 'the private address is not valid', 'the private address is not valid'],
    'the private address is the address of the mailbox itself',
  ])
  expect(checked.map(({ privateEmail }) => privateEmail)).toEqual(addresses)
  expect([...heldBack(checked).keys()]).toEqual([2, 3, 4])
  // A fault that the server names comes first.
  const [refused] = withPrivate(
    [
      {
        ...judged[0],
        row: 2,
        result: 'refused',
        fault: 'repeated',
        reason: 'twice',
      } as ImportedRow,
    ],
    people,
  )
  expect(refused).toMatchObject({ fault: 'repeated', reason: 'twice' })
})

test('one private address of two people is no fault, and is said', () => {
  const both = people.map((one) => ({ ...one, privateEmail: one.row < 2 ? 'Us@home.example' : '' }))
  const checked = withPrivate(judged, both)
  expect(checked.map(({ fault }) => fault)).toEqual(Array(5).fill(null))
  expect(sharedAddresses(checked)).toEqual([{ address: 'us@home.example', rows: [0, 1] }])
})
