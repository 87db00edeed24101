import { expect, test } from 'vitest'
import { domainToAscii } from './address.ts'
import { readDomainName, toUnicodeDomain } from './domain-name.ts'

test.each([
  ['Example.COM', 'example.com'],
  ['mail.team.example.co.uk', 'mail.team.example.co.uk'],
  ['bücher.de', 'xn--bcher-kva.de'],
  ['straße.de', 'xn--strae-oqa.de'],
  ['xn--bcher-kva.de', 'xn--bcher-kva.de'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['github.io', 'github.io'],
  ['example.com', 'example.com'],
  ['a-b.museum', 'a-b.museum'],
  ['10.example.com', '10.example.com'],
])('%s can be added as %s', (text, name) => {
  expect(readDomainName(text, false)).toEqual({ name })
})

test.each([
  ['127.0.0.1', 'IP address'],
  ['0x7f.1', 'IP address'],
  ['10.1', 'IP address'],
  ['::1', 'IP address'],
  ['co.uk', 'co.uk is a public suffix'],
  ['рф.рф.', 'Invalid domain format'],
  ['com', 'Invalid domain format'],
  ['localhost', 'Invalid domain format'],
  ['a.localhost', '.localhost are reserved'],
  ['printer.local', '.local are reserved'],
  ['db.internal', '.internal are reserved'],
  ['a.invalid', '.invalid are reserved'],
  ['abc.onion', '.onion are reserved'],
  ['1.0.0.127.in-addr.arpa', '.arpa are reserved'],
  ['router.home.arpa', '.arpa are reserved'],
  ['a.alt', '.alt are reserved'],
  ['a.test', '.test are reserved'],
  ['a.example', '.example are reserved'],
  ['exam_ple.com', 'Invalid domain format'],
  ['exa mple.com', 'Invalid domain format'],
  ['ex%61mple.com', 'Invalid domain format'],
  ['xn--a.com', 'Invalid domain format'],
])('%s is refused: %s', (text, reason) => {
  const read = readDomainName(text, false)
  expect('refusal' in read && read.refusal).toContain(reason)
})

test('names for tests are allowed where the installation is one', () => {
  expect(readDomainName('a.test', true)).toEqual({ name: 'a.test' })
  expect(readDomainName('a.example', true)).toEqual({ name: 'a.example' })
  expect(readDomainName('a.localhost', true)).toHaveProperty('refusal')
})

test.each([
  ['xn--bcher-kva.de', 'bücher.de'],
  ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
  ['xn--r8jz45g.xn--zckzah', '例え.テスト'],
  ['example.com', 'example.com'],
])('%s is shown as %s', (name, shown) => {
  expect(toUnicodeDomain(name)).toBe(shown)
})

test('a label that mixes scripts is not shown as what it imitates', () => {
  const name = domainToAscii('pаypal.com') // the second letter is Cyrillic
  expect(name).toMatch(/^xn--/)
  expect(toUnicodeDomain(name ?? '')).toBe(name)
})
