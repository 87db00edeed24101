import { expect, test } from 'vitest'
import { expectedDkim, parseDkim } from './dkim-record.ts'
import { DEFAULT_DMARC, isDmarc, mendedDmarc, parseDmarc } from './dmarc-record.ts'

test.each([
  ['v=DKIM1; k=rsa; p=MIIB', 'MIIB'],
  ['v=DKIM1;k=rsa;p=MI IB\t;', 'MIIB'],
  ['p=MIIB', 'MIIB'],
  ['k=rsa; t=s; n=note; p=MIIB', 'MIIB'],
  ['v=DKIM1; p=', ''],
])('%s holds the key %j', (text, publicKey) => {
  expect(parseDkim(text)).toEqual({ algorithm: 'rsa', publicKey, isForMail: true })
})

test.each([
  '',
  'v=DKIM1',
  'v=DKIM2; p=MIIB',
  'p=MIIB; v=DKIM1',
  'v=spf1 -all',
  'p=a; p=b',
  '"v=DKIM1; p=MIIB"',
])('%j is no DKIM key record', (text) => {
  expect(parseDkim(text)).toBeNull()
})

test('a key that is not for mail with SHA-256 is told apart', () => {
  expect(parseDkim('h=sha1; p=MIIB')).toMatchObject({ isForMail: false })
  expect(parseDkim('h=sha1:sha256; s=email; p=MIIB')).toMatchObject({ isForMail: true })
  expect(parseDkim('s=other; p=MIIB')).toMatchObject({ isForMail: false })
  expect(parseDkim(expectedDkim('ed25519', 'abc='))).toMatchObject({
    algorithm: 'ed25519',
    publicKey: 'abc=',
  })
})

test.each([
  [DEFAULT_DMARC, 'none'],
  ['v=DMARC1;p=REJECT;rua=mailto:a@b.test;pct=20', 'reject'],
  ['v=DMARC1; p=quarantine; np=reject; t=y; psd=n; x-new=1;', 'quarantine'],
  ['v=DMARC1; rua=mailto:dmarc@example.com', 'none'],
])('%s is a policy of %s', (text, policy) => {
  expect(isDmarc(text)).toBe(true)
  expect(parseDmarc(text)).toMatchObject({ policy })
})

test.each([
  '',
  'v=DMARC1',
  'v=DMARC1; p=all',
  'p=none; v=DMARC1',
  'v=dmarc1; p=none',
  'v=DMARC1 p=none',
  'v=DMARC1; p=none; p=reject',
])('%j is no valid policy', (text) => {
  expect(parseDmarc(text)).toBeNull()
})

test.each([
  [
    'v=DMARC1, p=reject, rua=mailto:a@b.test, mailto:c@d.test',
    'v=DMARC1; p=reject; rua=mailto:a@b.test,mailto:c@d.test',
  ],
  ['v=DMARC1 p=Quarantine; sp = reject;pct=20', 'v=DMARC1; p=quarantine; sp=reject; pct=20'],
  ['p=reject; v=dmarc1; adkim=s', 'v=DMARC1; p=reject; adkim=s'],
  ['v=DMARC1; p=everything; sp=all; fo=1', 'v=DMARC1; p=none; fo=1'],
  ['v=DMARC1; p=none; p=reject', 'v=DMARC1; p=none'],
  ['v=DMARC1; rua=', DEFAULT_DMARC],
  ['v=DMARC1; p=reject; rua="mailto:\u0000"; x=<b>', 'v=DMARC1; p=reject; x=<b>'],
  ['DMARC1', DEFAULT_DMARC],
])('of %j can be kept %j', (text, mended) => {
  expect(mendedDmarc(text)).toBe(mended)
})
