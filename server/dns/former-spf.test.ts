import { expect, test } from 'vitest'
import { withFormerTerms } from './former-spf.ts'
import { verdict } from './verdict.ts'

const former = (records: string[], host = 'mx1.oldprovider.net') => ({
  ...{ domain: 'firm.com', mailHost: 'mail.us.com', records },
  mx: [{ host, priority: 10 }],
})
const OLD = 'v=spf1 include:_spf.oldprovider.net include:news.example -all'
const OURS = 'v=spf1 ip4:192.0.2.1 ~all'

test('a record that lost the service that has the mail stays right, and asks', () => {
  const asked = withFormerTerms(
    { ...verdict('verified', [OURS]), value: OURS },
    former([OURS, OLD]),
  )
  expect(asked).toMatchObject({ state: 'verified', value: OURS })
  expect(asked.explanation).toBe(
    "This SPF record does not name 'include:_spf.oldprovider.net' any more, and mail for firm.com still goes to mx1.oldprovider.net: mail that is sent there begins to fail. Was it dropped on purpose?",
  )
  expect(asked.fix).toContain("add 'include:_spf.oldprovider.net'")
  const warned = { ...verdict('verified', [OURS], 'It ends in +all.', 'Replace it.'), value: OURS }
  expect(withFormerTerms(warned, former([OLD])).explanation).toMatch(/^It ends in \+all\. This SPF/)
  // A service is known by its table, whatever its names.
  const google = former(['v=spf1 include:_spf.google.com ~all'], 'smtp.google.com')
  expect(withFormerTerms(verdict('verified', [OURS]), google).explanation).toContain(
    '_spf.google.com',
  )
})

test('nothing is asked of a term that stays, was never there, or whose service has no mail now', () => {
  const kept = 'v=spf1 ip4:192.0.2.1 include:_spf.oldprovider.net ~all'
  const redirected = 'v=spf1 redirect=_spf.oldprovider.net'
  for (const [record, known] of [
    [kept, former([OLD])],
    [redirected, former([OLD])],
    [OURS, former([])],
    [OURS, former(['v=spf1 include:news.example ~all'])],
    [OURS, former(['v=spf1 -include:_spf.oldprovider.net ~all'])],
    [OURS, former([OLD], 'mail.us.com')],
    [OURS, former([OLD], 'mx.other.net')],
    [OURS, { ...former([OLD]), mx: null }],
  ] as const) {
    const right = verdict('verified', [record])
    expect(withFormerTerms(right, known), record).toEqual(right)
  }
})

test.each([
  // A broken record: the proposal keeps the last whole one, and its end.
  [
    'different',
    ['v=spf1 ip4:192.0.2.1 ?'],
    'v=spf1 ip4:192.0.2.1',
    `v=spf1 ip4:192.0.2.1 include:_spf.oldprovider.net include:news.example -all`,
  ],
  // A record that is gone, too.
  [
    'waiting',
    [],
    OURS,
    'v=spf1 ip4:192.0.2.1 include:_spf.oldprovider.net include:news.example ~all',
  ],
  // A whole one was edited on purpose: only the service that has the mail is taken up.
  [
    'different',
    ['v=spf1 a:web.example ~all'],
    'v=spf1 a:web.example ip4:192.0.2.1 ~all',
    'v=spf1 a:web.example ip4:192.0.2.1 include:_spf.oldprovider.net ~all',
  ],
  [
    'different',
    [OLD],
    'v=spf1 include:_spf.oldprovider.net include:news.example ip4:192.0.2.1 -all',
    'v=spf1 include:_spf.oldprovider.net include:news.example ip4:192.0.2.1 -all',
  ],
] as const)('%s %j: %j becomes %j', (state, found, value, expected) => {
  const proposed = withFormerTerms({ ...verdict(state, [...found]), value }, former([OLD]))
  expect(proposed.value).toBe(expected)
})

test('without a former record a proposal stays as it is, and so does what could not be looked up', () => {
  const broken = { ...verdict('different', ['v=spf1 ?']), value: OURS }
  expect(withFormerTerms(broken, former([]))).toEqual(broken)
  const unknown = verdict('unknown', [])
  expect(withFormerTerms(unknown, former([OLD]))).toEqual(unknown)
})
