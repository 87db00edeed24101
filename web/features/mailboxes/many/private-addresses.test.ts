import { expect, test } from 'vitest'
import { readPrivateAddresses } from './private-addresses.ts'

const mailboxes = [{ email: 'ada@a.example' }, { email: 'bob@a.example' }]

test('a line names a mailbox and a private address, in any order and among other cells', () => {
  const text = [
    ...['Ada\tLovelace\tADA@a.example\tada.l@home.example', '', '  '],
    ...['"bob@home.example";"Bob <bob@a.example>";x'],
  ].join('\r\n')
  const { byMailbox, unread } = readPrivateAddresses(text, mailboxes)
  expect([...byMailbox]).toEqual([
    ['ada@a.example', 'ada.l@home.example'],
    ['bob@a.example', 'bob@home.example'],
  ])
  expect(unread).toEqual([])
})

test('what is not clear is said and not guessed', () => {
  const lines = [
    ...['Email,Private', 'ada@a.example', 'someone@else.example,x@home.example'],
    ...['ada@a.example,one@home.example,two@home.example', 'ada@a.example,bob@a.example'],
  ]
  expect(readPrivateAddresses(lines.join('\n'), mailboxes)).toEqual({
    byMailbox: new Map(),
    unread: lines,
  })
})
