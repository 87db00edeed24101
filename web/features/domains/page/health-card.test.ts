import { expect, test } from 'vitest'
import type { DnsRecord, Domain, RecordPurpose } from '#contract/domains.ts'
import { healthOf } from './health-card.tsx'

const WRONG = null
const MISSING = false

const aRecord = (purpose: RecordPurpose, isVerified: boolean | null): DnsRecord => ({
  ...{ name: 'x.example', value: 'v', ttl: 3600, type: purpose === 'mx' ? 'MX' : 'TXT' },
  ...{ isVerified, priority: null, purpose, required: purpose !== 'mx', found: [] },
  state: isVerified ? 'verified' : isVerified === null ? 'different' : 'waiting',
  ...{ explanation: '', fix: '', checkedAt: null, nextCheckAt: null, sightings: null },
  ...{ verifiedAt: null, uncheckedSince: null },
  changedAt: `2026-0${purpose === 'dkim' ? 2 : 1}-01T00:00:00.000Z`,
})

type Given = { [purpose in RecordPurpose]?: boolean | null } & { mailboxes?: number }

const health = (
  { mailboxes = 1, ownership = true, ...states }: Given,
  ownershipStatus: Parameters<typeof healthOf>[0]['ownershipStatus'] = null,
  isVerified = ownership === true,
) => {
  const domain = { unicodeName: 'x.example', isVerified, mailboxes } as Domain
  const all: Given = { spf: true, dkim: true, dmarc: true, mx: true, ...states }
  const records = (['spf', 'dkim', 'dmarc', 'mx'] as const).map((purpose) =>
    aRecord(purpose, all[purpose] ?? null),
  )
  return healthOf({ domain, ownership: aRecord('ownership', ownership), records, ownershipStatus })
}

const said = ({ tone, title, next, faults }: ReturnType<typeof healthOf>) => [
  tone,
  title,
  next && (next.kind === 'wizard' ? `${next.text}, step ${next.step + 1}` : next.text),
  ...faults.map(({ purpose }) => purpose),
]

test.each<[Given, (string | null)[]]>([
  [{}, ['good', 'All records are right', null]],
  [{ mailboxes: 0 }, ['good', 'All records are right', 'Add mailbox']],
  [{ spf: WRONG }, ['bad', 'SPF is wrong in DNS', 'Fix the records, step 3', 'spf']],
  [
    { spf: MISSING, dkim: WRONG, dmarc: WRONG, mx: WRONG },
    ['bad', 'DKIM and DMARC are wrong in DNS', 'Fix the records, step 3', 'dkim', 'dmarc', 'spf'],
  ],
  [
    { dmarc: MISSING },
    ['warn', '1 of 3 DNS records is missing', 'Publish the records, step 3', 'dmarc'],
  ],
  [
    { mx: MISSING },
    ['warn', 'Ready to send, not to receive', 'Publish the MX record, step 3', 'mx'],
  ],
  [{ mx: MISSING, mailboxes: 0 }, ['good', 'Ready to send, not to receive', 'Add mailbox', 'mx']],
  [{ ownership: MISSING }, ['warn', 'Not verified yet', 'Continue setup, step 2']],
  [
    { ownership: WRONG },
    ['bad', 'The ownership record is wrong', 'Continue setup, step 2', 'ownership'],
  ],
])('of %j it says what is right, what is wrong and what comes next', (given, expected) => {
  expect(said(health(given))).toEqual(expected)
})

test('since when: of what works the last change, of what is wrong the first', () => {
  expect(health({}).since).toBe('2026-02-01T00:00:00.000Z')
  expect(health({ spf: WRONG, dkim: WRONG }).since).toBe('2026-01-01T00:00:00.000Z')
})

test('a proof that is lost leads to its record, which a notice may show already', () => {
  const lost = { ownership: MISSING }
  expect(said(health(lost, null, true)).slice(2)).toEqual(['See the record, step 2', 'ownership'])
  const missing = { since: '', sendingStopsAt: '', releasesAt: '', isSendingStopped: false }
  const noticed = health(lost, { missing, claims: [], ownClaim: null } as never, true)
  expect(said(noticed)).toEqual(['bad', 'The ownership record is not in DNS', null])
})

test('while another workspace holds the name there is only to wait', () => {
  const ownClaim = { outcome: null }
  const held = health({ ownership: MISSING }, { missing: null, claims: [], ownClaim } as never)
  expect(said(held)).toEqual(['warn', 'Another workspace holds this domain', null])
})

const silent = (purpose: RecordPurpose, isVerified: boolean | null): DnsRecord => ({
  ...aRecord(purpose, isVerified),
  explanation: 'This record could not be checked: its name servers did not answer (x).',
  uncheckedSince: '2026-03-01T00:00:00.000Z',
  verifiedAt: isVerified ? '2026-02-28T00:00:00.000Z' : null,
})

test('what could not be looked up is amber, says since when and why, and what was known', () => {
  const domain = { unicodeName: 'x.example', isVerified: true, mailboxes: 0 } as Domain
  const all = (isVerified: boolean | null) =>
    (['spf', 'dkim', 'dmarc', 'mx'] as const).map((purpose) => silent(purpose, isVerified))
  const of = (isVerified: boolean | null) =>
    healthOf({
      ...{ domain, ownership: silent('ownership', true), records: all(isVerified) },
      ownershipStatus: null,
    })
  expect(of(true)).toMatchObject({
    ...{ tone: 'warn', title: 'Could not be checked', since: '2026-03-01T00:00:00.000Z' },
    ...{ next: null, faults: [] },
    text: expect.stringMatching(/^Its name servers did not answer \(x\)\. We look again/),
    unchecked: { last: { kind: 'right', at: '2026-02-28T00:00:00.000Z' } },
  })
  expect(of(null)).toMatchObject({
    ...{ tone: 'bad', title: 'Could not be checked' },
    unchecked: { last: { kind: 'wrong', names: 'SPF, DKIM, DMARC' } },
  })
  const never = { ...domain, isVerified: false }
  const [ownership, records] = [silent('ownership', false), all(false)]
  expect(healthOf({ domain: never, ownership, records, ownershipStatus: null })).toMatchObject({
    ...{ tone: 'warn', title: 'Could not be checked' },
    unchecked: { last: { kind: 'not-yet' } },
  })
})
