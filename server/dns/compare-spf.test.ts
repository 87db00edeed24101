import { expect, test } from 'vitest'
import type { SpfLookUp } from '#server/standards/dns-records/spf-check.ts'
import { compareSpf, fittingMechanisms } from './compare-spf.ts'

/** Every name from i1.test to i11.test costs one look-up. */
const lookUp: SpfLookUp = async (name) =>
  name === '_spf.host.test'
    ? { outcome: 'found', values: ['v=spf1 ip4:192.0.2.25 ~all'] }
    : { outcome: 'found', values: ['v=spf1 ip4:198.51.100.1 ~all'] }

const includes = (count: number) =>
  `v=spf1 ${Array.from({ length: count }, (_, at) => `include:i${at + 1}.test`).join(' ')} -all`

const asked = {
  name: 'a.test',
  mailHost: 'mail.host.test',
  senders: { ips: ['192.0.2.25', '2001:db8::25'], mechanisms: ['include:_spf.host.test'] },
  lookUp,
}
const addresses = ['ip4:192.0.2.25', 'ip6:2001:db8::25']

test.each([
  [9, asked.senders.mechanisms],
  // Ours would be the eleventh look-up.
  [10, addresses],
  // The record has too many look-ups already, whatever we add.
  [11, asked.senders.mechanisms],
])('beside %i includes we are named as %j', async (count, expected) => {
  expect(await fittingMechanisms([includes(count)], asked)).toEqual(expected)
})

test('without known addresses, or without a record, our include stays', async () => {
  const unknown = { ...asked, senders: { ...asked.senders, ips: null } }
  expect(await fittingMechanisms([includes(10)], unknown)).toEqual(asked.senders.mechanisms)
  expect(await fittingMechanisms([], asked)).toEqual(asked.senders.mechanisms)
})

test('the record that is proposed is one that receivers accept', async () => {
  const { value = '' } = await compareSpf([includes(10)], asked)
  expect(value).toBe(includes(10).replace('-all', `${addresses.join(' ')} -all`))
  expect(await compareSpf([value], asked)).toMatchObject({ state: 'verified', value })
})
