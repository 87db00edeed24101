import { expect, test } from 'vitest'
import { meantAddress, meantDomain } from './meant-address.ts'

test.each([
  ['gmial.con', 'gmail.com'],
  ['gmial.com', 'gmail.com'],
  ['gmail.con', 'gmail.com'],
  ['gmai.com', 'gmail.com'],
  ['gnail.com', 'gmail.com'],
  ['GMAILL.com', 'gmail.com'],
  ['hotmial.com', 'hotmail.com'],
  ['hotmal.de', 'hotmail.de'],
  ['outlok.com', 'outlook.com'],
  ['yaho.com', 'yahoo.com'],
  ['iclould.com', 'icloud.com'],
  ['gmx.con', 'gmx.com'],
  ['elsewhere.nte', 'elsewhere.net'],
])('%s: %s is meant', (written, meant) => {
  expect(meantDomain(written)).toBe(meant)
})

test.each([
  ...['gmail.com', 'hotmail.com', 'gmx.de', 'mail.com', 'email.com', 'ymail.com', 'live.de'],
  ...['web.dev', 'elsewhere.example', 'maier-garten.de', 'me.net', 'gmail.de', 'company.co'],
])('%s is meant as it is', (written) => {
  expect(meantDomain(written)).toBeNull()
})

test('the name before the address stays, and the local part', () => {
  expect(meantAddress('Mara Lind <Mara@gmial.con>')).toEqual({
    domain: 'gmail.com',
    written: 'Mara@gmial.con',
    entry: 'Mara Lind <Mara@gmail.com>',
  })
  expect(meantAddress('mara')).toBeNull()
  expect(meantAddress('')).toBeNull()
})
