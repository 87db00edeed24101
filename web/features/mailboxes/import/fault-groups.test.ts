import { expect, test } from 'vitest'
import {
  asPrivate,
  curedAsPrivate,
  curedByName,
  groupFaults,
  inDomain,
  proposer,
  withoutAddress,
} from './fault-groups.ts'
import type { CheckedRow } from './private-fault.ts'
import type { Person } from './read-people.ts'
import { mailboxesOf, privateAddressesOf, resultName, resultTable } from './result-rows.ts'

const person = (row: number, changes: Partial<Person> = {}): Person => ({
  ...{ row, firstName: 'Max', lastName: 'Weiß', email: '', domain: 'maier.example' },
  ...{ privateEmail: '', ...changes },
})
const judged = (row: number, changes: Partial<CheckedRow> = {}): CheckedRow => ({
  ...{ row, firstName: 'Max', lastName: 'Weiß', email: '', result: 'refused' as const },
  ...{ reason: 'no such domain in this workspace', fault: 'domain-unknown' as const, id: null },
  ...{ privateEmail: '', otherEmail: null },
  ...changes,
})
const made = (row: number): CheckedRow =>
  judged(row, {
    ...{ result: 'created', reason: '', fault: null, id: `id${row}` },
    email: `max${row}@maier.example`,
  })

test('10,000 faults are a few groups, each misspelled domain with the one that is meant', () => {
  const people = Array.from({ length: 10_000 }, (_, at) =>
    person(at + 2, at % 2 === 0 ? { domain: 'maeir.example' } : { email: 'max@meier.example' }),
  )
  const answer = people.map(({ row }) =>
    row % 5 === 0 ? judged(row, { fault: 'over-limit', reason: 'over the limit' }) : judged(row),
  )
  const domains = Array.from({ length: 1000 }, (_, at) => `client${at}.example`)
  const groups = groupFaults(answer, people, proposer([...domains, 'maier.example']))
  expect(groups.map(({ fault, rows }) => [fault, rows.length])).toEqual([
    ['domain-unknown', 8000],
    ['over-limit', 2000],
  ])
  const proposals = groups.map(({ rows }) => [...new Set(rows.map(({ proposal }) => proposal))])
  expect(proposals).toEqual([['maier.example'], [null]])
})

test('a person moves to another domain with the address that is given', () => {
  expect(inDomain(person(2, { email: 'boss@maeir.example' }), 'maier.example')).toMatchObject({
    ...{ email: 'boss@maier.example', domain: 'maier.example' },
  })
  expect(inDomain(person(2), 'hotel.example')).toMatchObject({ email: '', domain: 'hotel.example' })
})

test('a new address from the name keeps the domain, and is for rows with a name', () => {
  const people = [
    person(2, { email: 'ae.schwarz17@@krone-hotel.example', domain: '' }),
    person(3, { email: 'max.@huber.example', domain: 'maier.example' }),
    person(4, { email: 'x@@huber.example', domain: '', firstName: '', lastName: '' }),
  ]
  const answer = people.map(({ row }) => judged(row, { fault: 'address-wrong' }))
  const [group] = groupFaults(answer, people, () => null)
  const cured = group ? curedByName(group).map(withoutAddress) : []
  expect(cured.map(({ row, email, domain }) => [row, email, domain])).toEqual([
    [2, '', 'krone-hotel.example'],
    [3, '', 'maier.example'],
  ])
})

test('of two people with one address the second gets one from the name', () => {
  const people = [person(3, { email: 'info@maier.example', domain: '' })]
  const answer = [judged(3, { fault: 'address-repeated' })]
  const [group] = groupFaults(answer, people, () => null)
  const cured = group ? curedByName(group).map(withoutAddress) : []
  expect(cured).toEqual([person(3, { domain: 'maier.example' })])
})

test.each([
  ['https://www.Maier.example/contact', 'maier.example'],
  ['maeir.example.', 'maier.example'],
  ['bäckerei-hubr.example', 'bäckerei-huber.example'],
  ['xn--bckerei-hubr-gcb.example', 'bäckerei-huber.example'],
  ['wholly-other.example', null],
])('in the cell %s probably %s is meant', (domain, meant) => {
  const propose = proposer(['maier.example', 'bäckerei-huber.example'])
  const [group] = groupFaults([judged(2)], [person(2, { domain })], propose)
  expect(group?.rows.map(({ proposal }) => proposal)).toEqual([meant])
})

test('addresses elsewhere become private ones, unless the domain is only misspelled', () => {
  const people = [
    person(2, { email: 'anna.berg@gmx.example', domain: '' }),
    person(3, { email: 'ida@web.example', domain: 'web.example' }),
    person(4, { email: 'bob@maeir.example', domain: '' }),
    person(5, { domain: 'web.example' }),
  ]
  const answer = people.map(({ row }) => judged(row))
  const [group] = groupFaults(answer, people, proposer(['maier.example']))
  const cured = group ? curedAsPrivate(group).map(({ person: one }) => asPrivate(one)) : []
  expect(cured).toEqual([
    person(2, { privateEmail: 'anna.berg@gmx.example', domain: '' }),
    person(3, { privateEmail: 'ida@web.example', domain: '' }),
  ])
})

test('the result has every row as it was given or made, and what comes next is for the made ones', () => {
  const people = [person(2, { privateEmail: 'max@home.example' }), person(4, { domain: 'x.test' })]
  const answer = [made(2), judged(4)]
  const skipped = [
    { person: person(3, { email: 'no address' }), reason: 'the address is not valid' },
  ]
  expect(resultTable({ answer, people, skipped })).toEqual([
    ['Row', 'First name', 'Last name', 'Email', 'Domain', 'Private email', 'Result'],
    ['2', 'Max', 'Weiß', 'max2@maier.example', 'maier.example', 'max@home.example', 'created'],
    ['3', 'Max', 'Weiß', 'no address', 'maier.example', '', 'skipped: the address is not valid'],
    ['4', 'Max', 'Weiß', '', 'x.test', '', 'no such domain in this workspace'],
  ])
  const mailboxes = mailboxesOf(answer, 'inactive')
  expect(mailboxes).toMatchObject([{ _id: 'id2', domain: 'maier.example', status: 'inactive' }])
  expect([...privateAddressesOf(answer, people)]).toEqual([['id2', 'max@home.example']])
})

test('the result is named after the file', () => {
  const at = new Date(2026, 10, 25)
  expect(resultName('Kunden & Leute.v2.csv', at)).toBe(
    'import-result-Kunden-Leute-v2-2026-11-25.csv',
  )
  expect(resultName('', at)).toBe('import-result-2026-11-25.csv')
})

test('an address whose @ is lost is proposed with it, and its domain is never lost', () => {
  const typed = [
    ...['ida.richterhafen-praxis.example', 'ida(at)hafen-praxis.example'],
    ...['ida@@hafen-praxis.example', 'hafen-praxis.example', 'ida.richter'],
  ]
  const people = typed.map((email, at) => person(at + 2, { email, domain: '' }))
  const answer = people.map(({ row }) => judged(row, { fault: 'address-wrong' }))
  const domains = ['praxis.example', 'hafen-praxis.example']
  const [group] = groupFaults(answer, people, () => null, domains)
  expect(group?.rows.map(({ address }) => address)).toEqual([
    ...['ida.richter@hafen-praxis.example', 'ida@hafen-praxis.example'],
    ...['ida@hafen-praxis.example', null, null],
  ])
  const cured = group ? curedByName(group).map(withoutAddress) : []
  expect(cured.slice(0, 3).map(({ email, domain }) => [email, domain])).toEqual(
    Array(3).fill(['', 'hafen-praxis.example']),
  )
})

test('a private address in the place of the domain moves, also when a domain is chosen at once', () => {
  const people = [person(2, { domain: ' anna@gmx.example ' })]
  const [group] = groupFaults([judged(2)], people, proposer(['maier.example']))
  const cured = group ? curedAsPrivate(group).map(({ person: one }) => asPrivate(one)) : []
  expect(cured).toEqual([person(2, { domain: '', privateEmail: 'anna@gmx.example' })])
  expect(people.map((one) => inDomain(one, 'maier.example'))).toEqual([
    person(2, { privateEmail: 'anna@gmx.example' }),
  ])
})
