import { expect, test } from 'vitest'
import { isOwnAddress, senderAmong } from './own-addresses.ts'

const own = ['ada@x.io', 'countess@y.io']
const people = (...addresses: string[]) => addresses.map((address) => ({ name: '', address }))

test('own are the addresses of the mailbox in any case and with any tag, and no others', () => {
  for (const address of ['ada@x.io', 'ADA@X.io', 'countess@y.io', 'countess+fans@y.io'])
    expect(isOwnAddress(address, own)).toBe(true)
  for (const address of ['ada@y.io', 'countess@x.io', 'adam@x.io', 'a+da@x.io', 'x@ada@x.io', ''])
    expect(isOwnAddress(address, own)).toBe(false)
})

test('an answer is from the address that was written to, one without a tag first', () => {
  expect(senderAmong(people('bob@z.io', 'Countess@Y.io'), own)).toBe('countess@y.io')
  expect(senderAmong(people('ada+shop@x.io'), own)).toBe('ada+shop@x.io')
  expect(senderAmong(people('ada+shop@x.io', 'countess@y.io'), own)).toBe('countess@y.io')
  expect(senderAmong(people('bob@z.io'), own)).toBe('ada@x.io')
  expect(senderAmong([], own)).toBe('ada@x.io')
})
