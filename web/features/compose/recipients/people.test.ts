import { expect, test } from 'vitest'
import {
  addressIn,
  distinct,
  formatPerson,
  isRecipient,
  safeDisplayName,
  splitRecipients,
  withoutRepeats,
} from './people.ts'

test('a pasted list becomes recipients', () => {
  expect(
    splitRecipients(
      'ada@example.com, "Lovelace, Ada" <a@example.com>; Bob <b@example.com>\nc@x.io,',
    ),
  ).toEqual(['ada@example.com', '"Lovelace, Ada" <a@example.com>', 'Bob <b@example.com>', 'c@x.io'])
  expect(splitRecipients(' , ;\n')).toEqual([])
})

test('a list that is pasted twice stands once', () => {
  const entries = ['Bob <b@x.io>', 'ada@x.io', 'B@X.io', 'nonsense', 'ada@x.io', 'nonsense']
  expect(withoutRepeats(entries)).toEqual(['Bob <b@x.io>', 'ada@x.io', 'nonsense'])
})

test('the address of an entry is what is judged', () => {
  expect(addressIn('Ada <ada@example.com> ')).toBe('ada@example.com')
  expect(isRecipient('Ada <ada@example.com>')).toBe(true)
  expect(isRecipient('ada@')).toBe(false)
  expect(isRecipient('ada')).toBe(false)
})

test('names with signs are quoted, and cannot break out', () => {
  expect(formatPerson({ name: '', address: 'a@x.io' })).toBe('a@x.io')
  expect(formatPerson({ name: 'Ada', address: 'a@x.io' })).toBe('Ada <a@x.io>')
  expect(formatPerson({ name: 'Lovelace, Ada', address: 'a@x.io' })).toBe(
    '"Lovelace, Ada" <a@x.io>',
  )
  expect(formatPerson({ name: 'x" <evil@x.io>, "', address: 'a@x.io' })).toBe(
    '"x evil@x.io," <a@x.io>',
  )
})

test('nobody is written to twice, and not oneself', () => {
  const people = ['me@x.io', 'A@x.io', 'a@x.io', 'b@x.io'].map((address) => ({ name: '', address }))
  expect(distinct(people, ['ME@x.io']).map(({ address }) => address)).toEqual(['A@x.io', 'b@x.io'])
})

test('a name that says another address, or turns letters round, is not shown as one', () => {
  const address = 'eve@evil.example'
  expect(safeDisplayName({ name: 'ceo@bank.example', address })).toBe('')
  expect(safeDisplayName({ name: 'Eve \u202egnik\u202c', address })).toBe('Eve gnik')
  expect(safeDisplayName({ name: 'Eve\r\nBcc: x', address })).toBe('EveBcc: x')
  expect(formatPerson({ name: '"Ada" <ada@x.io>', address })).toBe(
    '"Ada ada@x.io" <eve@evil.example>',
  )
})
