import { describe, expect, test } from 'vitest'
import type { SpfLookUp } from '#server/standards/dns-records/spf-check.ts'
import { compareDkim } from './compare-dkim.ts'
import { compareDmarc } from './compare-dmarc.ts'
import { compareMx } from './compare-mx.ts'
import { compareOwnership } from './compare-ownership.ts'
import { compareSpf } from './compare-spf.ts'
import { couldNotCheck, type Verdict } from './verdict.ts'

/** Every explanation is a sentence, and a wrong record comes with a fix. */
const saysEnough = ({ state, explanation, fix }: Verdict) => {
  if (explanation) expect(explanation).toMatch(/\.$/)
  if (state !== 'verified') expect(explanation).not.toBe('')
  if (state !== 'verified') expect(fix).toMatch(/\.$/)
}

test.each([
  [[], 'waiting'],
  [['v=spf1 -all'], 'waiting'],
  [['mailstead-verify=abc'], 'verified'],
  [[' mailstead-verify=abc '], 'verified'],
  [['x', 'mailstead-verify=zzz', 'mailstead-verify=abc'], 'verified'],
  [['mailstead-verify=ABC'], 'different'],
  [['"mailstead-verify=abc"'], 'different'],
  [['mailstead-verify=abcd'], 'different'],
])('ownership %j is %s', (values, state) => {
  const got = compareOwnership(values, '_mailstead.a.test', 'mailstead-verify=abc')
  expect(got.state).toBe(state)
  saysEnough(got)
})

test.each([
  [[], 'waiting', 'no DKIM key'],
  [['v=DKIM1; k=rsa; p=MIIBkey'], 'verified', ''],
  [['p=MII Bk\tey ;'], 'verified', ''],
  [['v=spf1 -all'], 'different', 'is not a DKIM key'],
  [['v=DKIM1; k=rsa; p=MIIB'], 'different', 'cut off after 4 of 7'],
  [['v=DKIM1; k=rsa; p=OTHER'], 'different', 'is not the one shown'],
  [['v=DKIM1; p='], 'different', 'empty'],
  [['v=DKIM1; k=ed25519; p=MIIBkey'], 'different', 'other tags'],
  [['v=DKIM1; h=sha1; p=MIIBkey'], 'different', 'other tags'],
  [['p=MIIBkey', 'p=OTHER'], 'conflict', '2 DKIM keys'],
  [['p=MIIBkey', 'unrelated'], 'verified', ''],
])('DKIM %j is %s', (values, state, words) => {
  const got = compareDkim(values, 'ms1._domainkey.a.test', 'MIIBkey')
  expect(got).toMatchObject({ state, explanation: expect.stringContaining(words) })
  saysEnough(got)
})

test.each([
  [[], 'waiting', 'v=DMARC1; p=none'],
  [['unrelated'], 'waiting', 'v=DMARC1; p=none'],
  [['v=DMARC1;p=reject'], 'verified', 'v=DMARC1;p=reject'],
  [['v=DMARC1; p=all'], 'different', 'v=DMARC1; p=none'],
  [['v=DMARC1, p=reject'], 'different', 'v=DMARC1; p=reject'],
  [['v=DMARC1; p=all; rua=x'], 'different', 'v=DMARC1; p=none; rua=x'],
  [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'conflict', undefined],
])('DMARC %j is %s', (values, state, value) => {
  const got = compareDmarc(values, '_dmarc.a.test')
  expect(got).toMatchObject({ state })
  expect(got.value).toBe(value)
  saysEnough(got)
})

test.each([
  [[], 'waiting', 'no MX record'],
  [['10 mail.host.test'], 'verified', ''],
  [['5 mail.host.test'], 'verified', ''],
  [['10 mail.host.test', '20 backup.test'], 'verified', ''],
  [['10 mail.host.test', '10 old.test'], 'conflict', 'old.test'],
  [['20 mail.host.test', '10 old.test'], 'conflict', 'old.test'],
  [['10 old.test'], 'different', 'goes to old.test'],
  [['0 .'], 'different', 'takes no mail'],
])('MX %j is %s', (hosts, state, words) => {
  const records = hosts.map((text) => {
    const [preference, data = ''] = text.split(' ')
    return {
      name: 'a.test',
      type: 'MX' as const,
      ttlSeconds: 1,
      data,
      preference: Number(preference),
    }
  })
  const got = compareMx(records, 'a.test', 'Mail.host.test')
  expect(got).toMatchObject({ state, explanation: expect.stringContaining(words) })
  saysEnough(got)
})

describe('SPF', () => {
  const lookUp: SpfLookUp = async (name) => {
    if (name === 'host.test') return { outcome: 'found', values: ['v=spf1 ip4:192.0.2.0/24 -all'] }
    return name === 'down.test' ? { outcome: 'failed' } : { outcome: 'none' }
  }
  const senders = {
    ips: ['192.0.2.1', '192.0.2.2'],
    mechanisms: ['ip4:192.0.2.1', 'ip4:192.0.2.2'],
  }
  const compare = (
    values: string[],
    given: Parameters<typeof compareSpf>[1]['senders'] = senders,
  ) => compareSpf(values, { name: 'a.test', mailHost: 'mail.host.test', senders: given, lookUp })

  test.each([
    [[], 'waiting', 'no SPF record', 'v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 ~all'],
    [['other'], 'waiting', 'no SPF record', 'v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 ~all'],
    [['v=spf1 include:host.test -all'], 'verified', '', 'v=spf1 include:host.test -all'],
    [['v=spf1 +all'], 'verified', 'every server in the world', 'v=spf1 +all'],
    [['v=spf1 ?all'], 'different', 'does not let', 'v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 ?all'],
    [
      ['v=spf1 ip4:192.0.2.1 -all'],
      'different',
      'does not let',
      'v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 -all',
    ],
    [
      ['v=spf1 -all ip4:192.0.2.0/24'],
      'different',
      'does not let',
      'v=spf1 ip4:192.0.2.0/24 ip4:192.0.2.1 ip4:192.0.2.2 -all',
    ],
    [
      ['v=spf1 ipv4:1.2.3.4 -all'],
      'different',
      "'ipv4:1.2.3.4' cannot be read",
      'v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 -all',
    ],
    [
      ['v=spf1 a -all', 'v=spf1 mx ~all'],
      'conflict',
      '2 SPF records',
      'v=spf1 a mx ip4:192.0.2.1 ip4:192.0.2.2 -all',
    ],
  ])('%j is %s', async (values, state, words, value) => {
    const got = await compare(values)
    expect(got).toMatchObject({ state, value, explanation: expect.stringContaining(words) })
    saysEnough(got)
  })

  test('an include that cannot be looked up says nothing about the record', async () => {
    expect(await compare(['v=spf1 include:down.test -all'])).toMatchObject({
      state: 'unknown',
      explanation: 'This record could not be checked: down.test could not be looked up.',
    })
  })

  test('without known addresses the record has to name us', async () => {
    const named = { ips: [], mechanisms: ['a:mail.host.test'] }
    expect(await compare(['v=spf1 a:mail.host.test -all'], named)).toMatchObject({
      state: 'verified',
    })
    expect(await compare(['v=spf1 -all a:mail.host.test'], named)).toMatchObject({
      state: 'different',
    })
    expect(await compare(['v=spf1 -all'], { ...named, ips: null })).toMatchObject({
      state: 'unknown',
    })
    expect(await compare(['v=spf1 +a:mail.host.test -all'], { ...named, ips: null })).toMatchObject(
      { state: 'verified' },
    )
  })
})

test('what stands in DNS is quoted without controls and never at length', () => {
  const got = compareOwnership([`mailstead-verify\0${'x'.repeat(5000)}`], 'a.test', 'y')
  expect(got.found[0]).toMatch(/^mailstead-verify\ufffdx+…$/)
  expect(got.found[0]?.length).toBe(1001)
  expect(couldNotCheck('a\nb').explanation).not.toContain('\n')
})
