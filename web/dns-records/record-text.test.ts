import { expect, test } from 'vitest'
import { mayLiveInParentZone, quotedStrings, relativeHost, txtStrings } from './record-text.ts'

test('a long value is cut into strings of 255 bytes that join to the same value', () => {
  const value = 'v=DKIM1; k=rsa; p='.padEnd(411, 'A')
  expect(txtStrings(value).map((part) => part.length)).toEqual([255, 156])
  expect(txtStrings(value).join('')).toBe(value)
  expect(quotedStrings(value)).toBe(`"${value.slice(0, 255)}" "${value.slice(255)}"`)
})

test('a value of exactly 255 bytes is one string', () => {
  expect(txtStrings('a'.repeat(255))).toHaveLength(1)
})

test.each([
  ['_mailstead.example.com', 'example.com', '_mailstead'],
  ['k1._domainkey.example.com', 'example.com', 'k1._domainkey'],
  ['example.com', 'example.com', '@'],
  ['_dmarc.mail.example.com', 'mail.example.com', '_dmarc'],
  ['notexample.com', 'example.com', 'notexample.com'],
])('%s below %s is %s', (name, domain, host) => {
  expect(relativeHost(name, domain)).toBe(host)
})

test('a subdomain may live in the zone of its parent', () => {
  expect(mayLiveInParentZone('mail.example.com')).toBe(true)
  expect(mayLiveInParentZone('example.com')).toBe(false)
})
