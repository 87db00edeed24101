import { expect, test } from 'vitest'
import { readPrivateAddresses } from './private-addresses.ts'

const mailbox = (email: string, firstName: string, lastName: string) => ({
  ...{ _id: email.split('@')[0] ?? '', email, firstName, lastName },
})
const mailboxes = [
  mailbox('ada@a.example', 'Ada', 'Lovelace'),
  mailbox('bob@a.example', 'Bob', 'Müller'),
  mailbox('bob2@a.example', 'Bob', 'Stone'),
  mailbox('bob3@b.example', 'Bob', 'Stone'),
]

test('a line names a mailbox and a private address, in any order and among other cells', () => {
  const text = [
    ...['Name\tMailbox\tPrivate', 'Ada\tLovelace\tADA@a.example\tada.l@home.example', '', '  '],
    ...['"bob@home.example";"Bob <bob@a.example>";x'],
  ].join('\r\n')
  const { found, unclear } = readPrivateAddresses(text, mailboxes)
  expect([...found]).toEqual([
    ['ada', 'ada.l@home.example'],
    ['bob', 'bob@home.example'],
  ])
  expect(unclear).toEqual([])
})

test('a line may name the person instead, in any order and without accents', () => {
  const text = 'Lovelace, Ada; al@home.example\nbob MULLER\tbm@home.example'
  const { found, unclear } = readPrivateAddresses(text, mailboxes)
  expect([...found]).toEqual([
    ['ada', 'al@home.example'],
    ['bob', 'bm@home.example'],
  ])
  expect(unclear).toEqual([])
})

test('what is not clear is said and not guessed, with the mailboxes that may be meant', () => {
  const lines = [
    ...['Ada Lovelase;x@home.example', 'Bob Stone;y@home.example', 'z@else.example,x@home.example'],
    ...['ada@a.example,one@home.example,two@home.example', 'ada@a.example,bob@a.example,q@x.de'],
    'Nobody;n@home.example',
  ]
  const { found, unclear } = readPrivateAddresses(lines.join('\n'), mailboxes)
  expect(found.size).toBe(0)
  expect(
    unclear.map(({ line, address, proposals }) => [
      ...[lines.indexOf(line), address, proposals.map(({ _id }) => _id).join(' ')],
    ]),
  ).toEqual([
    [0, 'x@home.example', 'ada'],
    [1, 'y@home.example', 'bob2 bob3'],
    [2, null, ''],
    [3, null, 'ada'],
    [4, 'q@x.de', 'ada bob'],
    [5, 'n@home.example', ''],
  ])
})

test('the table that an import took is taken here too, and its domain tells namesakes apart', () => {
  const text = [
    ...[
      'Vorname;Nachname;Abteilung;Domain;Private E-Mail',
      'Ada;Lovelace;;a.example;al@home.example',
    ],
    ...['Bob;Stone;Sales;b.example;bs@home.example', 'Bob;Stone;;c.example;x@home.example'],
  ].join('\n')
  const { found, unclear } = readPrivateAddresses(text, mailboxes)
  expect([...found]).toEqual([
    ['ada', 'al@home.example'],
    ['bob3', 'bs@home.example'],
  ])
  expect(unclear.map(({ address }) => address)).toEqual(['x@home.example'])
  const plain = readPrivateAddresses('Ada;Lovelace;a.example;al@home.example', mailboxes)
  expect([...plain.found]).toEqual([['ada', 'al@home.example']])
})

test('a mailbox in a Unicode domain is named as people write it', () => {
  const list = [mailbox('ada@xn--bckerei-huber-bfb.example', 'Ada', 'Lovelace')]
  const { found, unclear } = readPrivateAddresses(
    'ada@bäckerei-huber.example;al@home.example',
    list,
  )
  expect([...found]).toEqual([['ada', 'al@home.example']])
  expect(unclear).toEqual([])
  const table = 'Ada;Lovelace;bäckerei-huber.example;al@home.example'
  expect([...readPrivateAddresses(table, list).found]).toEqual([['ada', 'al@home.example']])
})
