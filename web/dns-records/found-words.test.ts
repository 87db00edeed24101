import { expect, test } from 'vitest'
import type { DnsSetting } from '#contract/dns/setting.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { type Fact, factsIn, notesFor } from './found-words.ts'

const mail = { hosts: [], service: null, elsewhere: null, isOurs: false, hasNullMx: false }
const spf = { found: [], services: [], leftOut: [], merged: '', added: 'ip4:192.0.2.25' }
const dmarc = { found: [], policy: null, at: null, isKept: false }
const google = [{ host: 'smtp.google.com', priority: 1 }]
const empty: DnsSetting = {
  ...{ zone: null, nameServers: [], provider: null, mail, spf, dmarc },
  ...{ receiving: { changes: [] }, checkedAt: null, nextCheckAt: null },
}

test.each<[Partial<DnsSetting>, Fact['kind'], string, string]>([
  [{}, 'dns', 'No name servers found', ''],
  [
    { nameServers: ['ns1.x.example', 'ns2.x.example'] },
    'dns',
    'Unknown provider',
    'ns1.x.example and 1 more',
  ],
  [{ mail: null }, 'mail', 'Not known yet', 'DNS has not answered yet.'],
  [{}, 'mail', 'No mail server yet', ''],
  [{ mail: { ...mail, hasNullMx: true } }, 'mail', 'Accepts no mail', 'A null MX record says so.'],
  [
    { mail: { ...mail, hosts: google } },
    'mail',
    'smtp.google.com',
    'Stays there until you decide to move it.',
  ],
  [
    {
      mail: {
        ...mail,
        hosts: [{ host: 'mail.host.test', priority: 10 }, ...google],
        elsewhere: 'Google Workspace',
      },
    },
    'mail',
    'Google Workspace',
    'Stays there until you decide to move it.',
  ],
  [
    { mail: { ...mail, hosts: google, isOurs: true } },
    'mail',
    'Already comes here',
    'smtp.google.com',
  ],
  [{}, 'spf', 'None yet', ''],
  [
    { spf: { ...spf, found: ['v=spf1 -all'] } },
    'spf',
    'Authorises no server',
    'Kept; our servers are added.',
  ],
  [
    { spf: { ...spf, found: ['v=spf1 ~all'], services: ['A', 'B', 'C'] } },
    'spf',
    'A, B and C',
    'Kept; our servers are added.',
  ],
  [
    { spf: { ...spf, found: ['v=spf1 -all', 'v=spf1 ~all'] } },
    'spf',
    '2 records',
    'Only one is allowed: they will be merged.',
  ],
  [
    { spf: { ...spf, found: ['v=spf1 ip4:192.0.2.25 ~all'] } },
    'spf',
    'Only our servers',
    'Our servers are in it.',
  ],
  [{}, 'dmarc', 'None yet', ''],
  [
    { dmarc: { ...dmarc, found: ['v=DMARC1; p=nnoe'] } },
    'dmarc',
    'Has a mistake',
    'Receivers ignore it.',
  ],
  [
    {
      dmarc: {
        found: ['v=DMARC1; p=reject'],
        policy: 'reject',
        at: '_dmarc.x.example',
        isKept: true,
      },
    },
    'dmarc',
    'Policy: reject',
    'Kept, at _dmarc.x.example.',
  ],
])('%j: %s is said as %j, %j', (setting, kind, what, more) => {
  const fact = factsIn({ ...empty, ...setting }).find((each) => each.kind === kind)
  expect(fact).toMatchObject({ what, more })
})

test('below a record stands what of the present one is kept, and nothing where there is none', () => {
  const record = (state: DnsRecord['state']) => [{ purpose: 'spf', state } as DnsRecord]
  const both = ['Google Workspace', 'Mailchimp']
  const kept: DnsSetting = {
    ...empty,
    spf: { ...spf, found: ['v=spf1 ~all'], services: both },
    dmarc: { found: [], policy: 'reject', at: '_dmarc.example.com', isKept: true },
  }
  expect(notesFor(kept, record('different'))).toEqual({
    spf: 'Keeps what your present record authorises (Google Workspace and Mailchimp) and adds ours: ip4:192.0.2.25',
    dmarc: 'Your policy (reject) stays as it is, at _dmarc.example.com.',
  })
  expect(notesFor(kept, record('verified')).spf).toBe(
    'Still authorises Google Workspace and Mailchimp.',
  )
  const noteOn = (present: { found: string[]; leftOut?: string[] }) =>
    notesFor({ ...empty, spf: { ...spf, services: both, ...present } }, record('different')).spf
  const ours = ['v=spf1 ip4:192.0.2.25 ~all']
  expect(noteOn({ found: ours, leftOut: ['Google Workspace'] })).toBe(
    'Keeps what your present record authorises (Mailchimp). Leaves out Google Workspace',
  )
  expect(noteOn({ found: ours, leftOut: both })).toBe('Leaves out Google Workspace and Mailchimp')
  expect(noteOn({ found: ours })).toBe(
    'Keeps what your present record authorises (Google Workspace and Mailchimp)',
  )
  for (const none of [empty, null, undefined]) expect(notesFor(none, record('waiting'))).toEqual({})
})
