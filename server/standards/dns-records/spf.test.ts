import { expect, test } from 'vitest'
import { checkSpf, type SpfLookUp } from './spf-check.ts'
import { expectedSpf, isSpf, parseSpf } from './spf-record.ts'

type World = Record<string, string[] | 'fail'>

const lookUpIn =
  (world: World): SpfLookUp =>
  async (name, type) => {
    const values = world[`${name} ${type}`]
    if (values === 'fail') return { outcome: 'failed' }
    return values ? { outcome: 'found', values } : { outcome: 'none' }
  }

const check = (record: string, world: World = {}, ip = '192.0.2.1') =>
  checkSpf(
    record,
    'example.com',
    { ip, mailFrom: 'ada.l@example.com', helo: 'mail.example.net' },
    lookUpIn(world),
  )

test('an IPv4 client on an IPv6 socket is an IPv4 client', async () => {
  const asked = await check('v=spf1 a:far.test/24 -all', world, '::ffff:192.0.2.1')
  expect(asked.result).toBe('pass')
})

test('what is an SPF record', () => {
  for (const text of ['v=spf1', 'v=spf1 -all', 'V=SPF1 a']) expect(isSpf(text), text).toBe(true)
  for (const text of ['v=spf10 -all', ' v=spf1', 'spf1', '"v=spf1 -all"'])
    expect(isSpf(text), text).toBe(false)
})

test.each([
  ...[
    'ip4:1.2.3',
    'ip4:1.2.3.4/33',
    'ip4:1.2.3.4/',
    'ip6:1.2.3.4',
    'ip6:::1/129',
    'ip4',
    'ip4:',
    'all:x',
  ],
  ...[
    'include',
    'include:',
    'exists',
    'a:',
    'a/33',
    'mx/a',
    'foo',
    'foo:bar',
    '--all',
    'redirect=',
    '-',
  ],
  // A name ends in a dot and a top label, or in a macro (RFC 7208 §7.1).
  ...['a:museum', 'a:museum.', 'a:abc.123', 'a:x.-test', 'mx:x.test:8080', 'exists:x.test/24'],
  ...['a:x.test\u00ef', 'ip4:1.2.3.4/032', 'redirect=-all', 'exp=-all', 'exp=', 'more=%abc'],
  // Allowed only in explanations.
  ...['exp=%{r}.x.test', 'exists:%{t}.x.test'],
])('%s breaks a record', async (word) => {
  expect(parseSpf(`v=spf1 ${word} -all`).broken).toEqual([word])
  expect(await check(`v=spf1 ${word} ip4:192.0.2.1 -all`)).toMatchObject({ result: 'permerror' })
})

test.each([
  ...[
    'a',
    'a:x.test',
    'a/24',
    'a//64',
    'a/24//64',
    'mx:x.test/24',
    'ip4:1.2.3.0/24',
    'ip6:2001:db8::/32',
  ],
  ...[
    'ptr',
    'ptr:x.test',
    'exists:%{i}.x.test',
    'exp=x.test',
    'unknown=thing',
    'unknown=%{d}-%%',
    'a:odd:name/x.test/24',
    'exists:%{l1r+-}._%{d}',
    'INCLUDE:x.test',
    '~all',
  ],
])('%s is read', (word) => {
  expect(parseSpf(`v=spf1  ${word}  -all`).broken).toEqual([])
})

const world: World = {
  'example.com A': ['192.0.2.1'],
  'example.com MX': ['mx1.example.com', 'mx2.example.com'],
  'mx2.example.com A': ['192.0.2.1'],
  'far.test A': ['192.0.2.200'],
  'good.test TXT': ['unrelated', 'v=spf1 ip4:192.0.2.0/24 -all'],
  'bad.test TXT': ['v=spf1 ip4:198.51.100.1 -all'],
  'open.test TXT': ['v=spf1 +all'],
  'two.test TXT': ['v=spf1 -all', 'v=spf1 ~all'],
  'broken.test TXT': ['v=spf1 nonsense'],
  'down.test TXT': 'fail',
  'down.test A': 'fail',
  '1.2.0.192.in-addr.arpa PTR': ['host.named.test', 'x.liar.test'],
  'host.named.test A': ['192.0.2.7', '192.0.2.1'],
  'x.liar.test A': ['198.51.100.1'],
  '1.2.0.192.in-addr.example.com A': ['127.0.0.2'],
  'l.ada.mail.example.net.x.test A': ['127.0.0.2'],
}

test.each([
  ['v=spf1 ip4:192.0.2.1 -all', 'pass'],
  ['v=spf1 ip4:192.0.2.0/28 -all', 'pass'],
  ['v=spf1 ip4:192.0.2.128/25 -all', 'fail'],
  ['v=spf1 -ip4:192.0.2.1 +all', 'fail'],
  ['v=spf1 ?ip4:192.0.2.1 +all', 'neutral'],
  ['v=spf1 ~all', 'softfail'],
  ['v=spf1 ?all', 'neutral'],
  ['v=spf1 all', 'pass'],
  ['v=spf1', 'neutral'],
  ['v=spf1 -all ip4:192.0.2.1', 'fail'],
  ['v=spf1 a -all', 'pass'],
  ['v=spf1 a:far.test -all', 'fail'],
  ['v=spf1 a:far.test/24 -all', 'pass'],
  ['v=spf1 mx -all', 'pass'],
  ['v=spf1 include:good.test -all', 'pass'],
  ['v=spf1 include:bad.test -all', 'fail'],
  ['v=spf1 include:bad.test include:good.test ~all', 'pass'],
  ['v=spf1 include:open.test -all', 'pass'],
  ['v=spf1 include:two.test -all', 'permerror'],
  ['v=spf1 include:broken.test -all', 'permerror'],
  ['v=spf1 include:missing.test -all', 'permerror'],
  ['v=spf1 include:down.test -all', 'temperror'],
  ['v=spf1 a:down.test -all', 'temperror'],
  ['v=spf1 ip4:192.0.2.1 include:down.test -all', 'pass'],
  ['v=spf1 redirect=good.test', 'pass'],
  ['v=spf1 redirect=bad.test', 'fail'],
  ['v=spf1 redirect=missing.test', 'permerror'],
  ['v=spf1 redirect=good.test -all', 'fail'],
  ['v=spf1 exists:%{ir}.%{v}.%{d} -all', 'pass'],
  ['v=spf1 exists:%{lr}.%{h}.x.test -all', 'pass'],
  ['v=spf1 exists:%{z}.x.test -all', 'permerror'],
  ['v=spf1 exists:% -all', 'permerror'],
  ['v=spf1 ip4:192.0.2.1 -all nonsense', 'permerror'],
  ['v=spf1 exp=x.test -all exp=y.test', 'permerror'],
  ['v=spf1 ip6:::192.0.2.1/0 -all', 'fail'],
  ['v=spf1 ptr -all', 'fail'],
  ['v=spf1 ptr:named.test -all', 'pass'],
  ['v=spf1 ptr:host.named.test -all', 'pass'],
  ['v=spf1 ptr:amed.test -all', 'fail'],
  ['v=spf1 ptr:liar.test -all', 'fail'],
])('%s gives %s', async (record, result) => {
  expect(await check(record, world)).toMatchObject({ result })
})

test('IPv6 senders are matched by ip6 and AAAA', async () => {
  const ip = '2001:db8::1'
  expect(await check('v=spf1 ip6:2001:db8::/32 -all', {}, ip)).toMatchObject({ result: 'pass' })
  expect(await check('v=spf1 ip4:192.0.2.1 -all', {}, ip)).toMatchObject({ result: 'fail' })
  expect(await check('v=spf1 a -all', { 'example.com AAAA': [ip] }, ip)).toMatchObject({
    result: 'pass',
  })
  const nibbles = `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2`
  const there = { [`${nibbles}.ip6.example.com A`]: ['127.0.0.2'] }
  expect(await check('v=spf1 exists:%{ir}.%{v}.%{d} -all', there, ip)).toMatchObject({
    result: 'pass',
  })
})

test('ten look-ups are allowed, the eleventh is an error', async () => {
  const deep: World = { 'leaf.test TXT': ['v=spf1 ip4:192.0.2.1 -all'] }
  const chain = (length: number) => {
    for (let at = 1; at < length; at++)
      deep[`n${at}.test TXT`] = [`v=spf1 include:n${at + 1}.test -all`]
    deep[`n${length}.test TXT`] = ['v=spf1 ip4:192.0.2.1 -all']
    return check('v=spf1 include:n1.test -all', deep)
  }
  expect(await chain(10)).toMatchObject({ result: 'pass', lookUps: 10 })
  expect(await chain(11)).toMatchObject({
    result: 'permerror',
    reason: 'it needs more than 10 DNS look-ups',
  })
  const loop = { 'loop.test TXT': ['v=spf1 include:loop.test -all'] }
  expect(await check('v=spf1 include:loop.test -all', loop)).toMatchObject({ result: 'permerror' })
})

test('what failed is named: the kind, the term of the record itself, and names that are not there', async () => {
  const deep = { 'a.test TXT': ['v=spf1 include:b.test'], 'b.test TXT': ['v=spf1 include:a.test'] }
  expect(
    await check('v=spf1 mx include:a.test -all', { ...world, ...deep }, '192.0.2.9'),
  ).toMatchObject({
    result: 'permerror',
    fault: 'loop',
    term: 'include:a.test',
  })
  expect(await check('v=spf1 a:x1.test include:gone.test -all')).toMatchObject({
    fault: 'no-record',
    reason: 'gone.test has no SPF record',
    term: 'include:gone.test',
    voidTerms: ['a:x1.test'],
  })
  expect(await check('v=spf1 nonsense -all')).toMatchObject({ fault: 'syntax', term: null })
})

test('two names may be missing, the third is an error', async () => {
  expect(await check('v=spf1 a:x1.test a:x2.test ip4:192.0.2.1 -all')).toMatchObject({
    result: 'pass',
  })
  expect(await check('v=spf1 a:x1.test a:x2.test a:x3.test ip4:192.0.2.1 -all')).toMatchObject({
    result: 'permerror',
  })
})

test.each([
  [[], 'v=spf1 ip4:192.0.2.1 ~all'],
  [['v=spf1 -all'], 'v=spf1 ip4:192.0.2.1 -all'],
  [['v=spf1 include:a.test ~all'], 'v=spf1 include:a.test ip4:192.0.2.1 ~all'],
  [['v=spf1 include:a.test'], 'v=spf1 include:a.test ip4:192.0.2.1'],
  [['v=spf1 redirect=a.test'], 'v=spf1 ip4:192.0.2.1 redirect=a.test'],
  [['v=spf1 a ?all redirect=a.test'], 'v=spf1 a ip4:192.0.2.1 ?all'],
  [['v=spf1 a -all ip4:192.0.2.1'], 'v=spf1 a ip4:192.0.2.1 -all'],
  [['v=spf1 a +IP4:192.0.2.1 -all'], 'v=spf1 a +IP4:192.0.2.1 -all'],
  [['v=spf1 ip4:1.2.3 a -all'], 'v=spf1 a ip4:192.0.2.1 -all'],
  [
    ['v=spf1 include:a.test ~all', 'v=spf1 include:b.test include:a.test -all'],
    'v=spf1 include:a.test include:b.test ip4:192.0.2.1 ~all',
  ],
  // The senders that a redirect authorises stay authorised.
  [
    ['v=spf1 redirect=a.test', 'v=spf1 include:b.test -all redirect=unread.test'],
    'v=spf1 include:a.test include:b.test ip4:192.0.2.1 -all',
  ],
  [
    ['v=spf1 redirect=a.test', 'v=spf1 mx redirect=b.test'],
    'v=spf1 include:a.test mx include:b.test ip4:192.0.2.1 ~all',
  ],
  [['v=spf1 redirect=a.test', 'v=spf1 mx'], 'v=spf1 mx ip4:192.0.2.1 redirect=a.test'],
  [['v=spf1 redirect=a.test', 'v=spf1 redirect=a.test'], 'v=spf1 ip4:192.0.2.1 redirect=a.test'],
])('%j becomes one record', async (existing, expected) => {
  const merged = expectedSpf(existing, ['ip4:192.0.2.1'])
  expect(merged).toBe(expected)
  expect(expectedSpf([merged], ['ip4:192.0.2.1'])).toBe(merged)
})

test('merging takes no longer for the many words of a hostile zone than reading them', () => {
  // Compared pair by pair, these would take minutes.
  const words = Array.from({ length: 100_000 }, (_, at) => `a:${at}.test`)
  const merged = expectedSpf([`v=spf1 ${words.join(' ')} ${words[0]}`, 'v=spf1 -all'], [])
  expect(merged).toBe(`v=spf1 ${words.join(' ')} -all`)
})
