import { expect, test } from 'vitest'
import { meantAddress, meantDomain } from './misspelled.ts'

const known = ['bakery-weber.example', 'client1.example', 'shop.example']

test.each([
  ['gmial.com', 'gmail.com'],
  ['exmaple.com', 'example.com'],
  ['gmail.con', 'gmail.com'],
  ['hotmal.con', 'hotmail.com'],
  ['bakery.cmo', 'bakery.com'],
  ['bakrey-weber.example', 'bakery-weber.example'],
  ['bakery-weberr.example', 'bakery-weber.example'],
])('%s is probably %s', (typed, meant) => {
  expect(meantDomain(typed, known)).toBe(meant)
})

test.each([
  ...['gmail.com', 'mail.com', 'example.com', 'client2.example', 'client1.example', 'a.co'],
  ...['bakery-meier.example', 'münchen.example', '', 'x'],
])('%s is left as it is', (typed) => {
  expect(meantDomain(typed, known)).toBe(null)
})

test('of an address the domain is mended', () => {
  expect(meantAddress('anna@gmial.com')).toBe('anna@gmail.com')
  expect(meantAddress('anna@gmail.com')).toBe(null)
  expect(meantAddress('gmial.com')).toBe(null)
})
