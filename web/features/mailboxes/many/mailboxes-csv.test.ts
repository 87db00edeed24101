import { expect, test } from 'vitest'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { asCsv } from '#web/lib/csv.ts'
import { formatMoment } from '#web/lib/format.ts'
import { keepAddresses } from '#web/lib/kept-addresses.ts'
import { datedName } from '#web/lib/save-as.ts'
import { readPeople } from '../import/read-people.ts'
import { linksTable, mailboxesTable } from './mailboxes-csv.ts'

const mailbox = (firstName: string, lastName: string): ListedMailbox => ({
  ...{ _id: '1', firstName, lastName, fullName: `${firstName} ${lastName}` },
  ...{ email: 'ada@a.example', domain: 'a.example', signature: '', status: 'active' },
  usedBytes: 0,
  access: { state: 'none', name: '', readers: 0, lastLoginAt: null, linkMailedTo: null },
})

test('an export is read again by an import, and no cell of it is a formula', async () => {
  const hostile = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']
  const csv = await asCsv(
    mailboxesTable([
      mailbox('Zoë "Z"', 'Müller, Dr.'),
      ...hostile.map((name) => mailbox(name, name)),
    ]),
  ).text()
  const read = readPeople(csv)
  const [first] = 'people' in read ? read.people : []
  expect(first).toMatchObject({
    ...{ firstName: 'Zoë "Z"', lastName: 'Müller, Dr.' },
    ...{ email: 'ada@a.example', domain: 'a.example' },
  })
  const cells = csv.split(/\r\n/).flatMap((line) => line.split(','))
  expect(cells.length).toBeGreaterThan(hostile.length)
  expect(cells.filter((cell) => /^"?[=+\-@\t\r]/.test(cell))).toEqual([])
})

test('a table of links says whose each is, and until when, for people', () => {
  const made = {
    mailboxId: '1',
    email: 'ada@a.example',
    mailedTo: null,
    refusal: null,
    retryAt: null,
  }
  const expiresAt = '2026-01-08T00:00:00.000Z'
  const links = [{ ...made, link: 'https://m.example/access?token=x', expiresAt }]
  const table = () => linksTable(links, [mailbox('Ada', 'Lovelace')])
  expect(table()).toEqual([
    ['First name', 'Last name', 'Email', 'Domain', 'Private email', 'Link', 'Valid until'],
    [
      ...['Ada', 'Lovelace', 'ada@a.example', 'a.example', ''],
      ...[links[0]?.link, formatMoment(expiresAt)],
    ],
  ])
  expect(formatMoment(expiresAt)).not.toContain('T00:00')
  // As an import has named it.
  keepAddresses(null, new Map([['1', 'ada@home.example']]))
  expect(table()[1]?.[4]).toBe('ada@home.example')
})

test('an address of another alphabet is told as people write it, and for programs at the end', async () => {
  const umlaut = { email: 'ada@xn--mnchen-3ya.example', domain: 'xn--mnchen-3ya.example' }
  const table = mailboxesTable([
    { ...mailbox('Ada', 'Lovelace'), ...umlaut },
    mailbox('Bob', 'Stone'),
  ])
  expect(table.map((cells) => [cells[2], cells[3], cells.at(-1)])).toEqual([
    ['Email', 'Domain', 'ASCII email'],
    ['ada@münchen.example', 'münchen.example', umlaut.email],
    ['ada@a.example', 'a.example', 'ada@a.example'],
  ])
  const read = readPeople(await asCsv(table).text())
  expect('people' in read && read.people[0]?.email).toBe('ada@münchen.example')
})

test('a file is named for what it holds and its day', () => {
  expect(datedName('access-links', 'csv', new Date(2026, 0, 8))).toBe('access-links-2026-01-08.csv')
})
