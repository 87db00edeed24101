import { expect, test } from 'vitest'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { firstAddress, forgetAddresses, keepAddresses, keptAddress } from './kept-addresses.ts'

const mailbox = (_id: string, linkMailedTo: string | null = null): ListedMailbox => ({
  ...{ _id, firstName: 'Ada', lastName: 'Lovelace', fullName: 'Ada Lovelace' },
  ...{ email: 'ada@a.example', domain: 'a.example', signature: '', status: 'active' },
  usedBytes: 0,
  access: { state: 'none', name: '', readers: 0, lastLoginAt: null, linkMailedTo },
})

test('two imports are remembered for the access links, for who imported them alone', () => {
  keepAddresses('anna', new Map([['1', 'ada@home.example']]))
  keepAddresses('anna', new Map([['2', 'bob@home.example']]))
  expect(['1', '2', '3'].map((id) => firstAddress('anna', mailbox(id)))).toEqual([
    ...['ada@home.example', 'bob@home.example', null],
  ])
  // A link that was mailed since then knows better.
  expect(firstAddress('anna', mailbox('1', 'ada@work.example'))).toBe('ada@work.example')
  expect(firstAddress('eve', mailbox('1'))).toBe(null)
  expect(firstAddress(null, mailbox('1'))).toBe(null)
})

test('an address that is emptied is kept no longer, and a log-out ends all', () => {
  keepAddresses(
    'anna',
    new Map([
      ['5', 'ada@home.example'],
      ['6', 'bob@home.example'],
    ]),
  )
  keepAddresses('anna', new Map([['5', '']]))
  expect(['5', '6'].map((id) => keptAddress('anna', id))).toEqual([null, 'bob@home.example'])
  forgetAddresses()
  expect(keptAddress('anna', '6')).toBe(null)
})
