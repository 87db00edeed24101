import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { dkimSign } from '#server/standards/dkim-sign.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Mailbox } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { openInbound } from '../listener.ts'

let app: TestApp
let dns: TestDns
let inbound: Awaited<ReturnType<typeof openInbound>>
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

beforeAll(async () => {
  dns = await aDnsServer()
  const servers = [dns.address]
  app = await anApp({
    dns: openDns({ servers, port: dns.port, allowLoopbackPeers: true, timeoutMs: 300 }),
  })
  inbound = await openInbound(app)
  dns.zone('example.net')
  dns.set('example.net', 'TXT', ['v=spf1 ip4:127.0.0.1 -all'])
  dns.set('_dmarc.example.net', 'TXT', ['v=DMARC1; p=none'])
  const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  dns.set('s1._domainkey.example.net', 'TXT', [`v=DKIM1; k=rsa; p=${p}`])
})
afterAll(async () => {
  await inbound.close()
  await dns.close()
  await app.close()
})

const letter = (from: string) =>
  Buffer.from(`From: ${from}\r\nSubject: signed\r\nTo: ada\r\n\r\nHello\r\n`)
const signed = (from: string) =>
  dkimSign(
    letter(from),
    'example.net',
    [
      {
        selector: 's1',
        algorithm: 'rsa',
        privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    ],
    new Date(),
  )

const arrived = async (mailbox: Mailbox) => {
  const row = await app.db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .select(['authentication', 'blob', 'role'])
    .where('messages.mailboxId', '=', mailbox.id)
    .executeTakeFirstOrThrow()
  return { ...row, raw: (await app.blobs.get(row.blob)).toString() }
}

test.each([
  ['honest mail', () => signed('a@example.net'), 'a@example.net', ['pass', 'pass', 'pass']],
  [
    'a body changed on the way',
    () => Buffer.from(signed('a@example.net').toString().replace('Hello', 'Hallo')),
    'a@other.example',
    ['none', 'fail', 'fail'],
  ],
  [
    'a stranger in its name',
    () => letter('a@example.net'),
    'a@other.example',
    ['none', 'none', 'fail'],
  ],
] as const)(
  '%s: the verdict is recorded, and the mail is in the Inbox',
  async (_name, make, from, verdict) => {
    const mailbox = await aMailbox(app)
    expect(await sendMail(inbound.port, { from, to: mailbox.email, raw: make() })).toMatch(/^250 /)
    const { authentication, raw, role } = await arrived(mailbox)
    const { spf, dkim, dmarc } = authentication ?? {}
    expect([spf, dkim, dmarc]).toEqual(verdict)
    expect(role).toBe('inbox')
    expect(raw).toMatch(/^Authentication-Results: mail\.mailstead\.test;$/m)
  },
)

test.each([
  ['a gap', `a${' '.repeat(90_000)}b`],
  ['folds', `a${'\r\n b'.repeat(25_000)}`],
])(
  'a signature made of %s is not looked at, since that would take all our time',
  async (_name, value) => {
    const mailbox = await aMailbox(app)
    const raw = Buffer.concat([
      Buffer.from(`DKIM-Signature: ${value}\r\n`),
      letter('a@example.net'),
    ])
    const reply = await sendMail(inbound.port, { from: 'a@example.net', to: mailbox.email, raw })
    expect(reply).toMatch(/^250 /)
    expect((await arrived(mailbox)).authentication?.dkim).toBe('temperror')
  },
)

test('DNS that is silent delays nothing for long and refuses nothing', async () => {
  dns.behave('silent.example', 'silent')
  const mailbox = await aMailbox(app)
  const raw = letter('a@silent.example')
  const reply = await sendMail(inbound.port, { from: 'a@silent.example', to: mailbox.email, raw })
  expect(reply).toMatch(/^250 /)
  expect((await arrived(mailbox)).authentication?.spf).toBe('temperror')
})

test('of many signatures some are looked at, and of those that name a length of a large body one', async () => {
  const mailbox = await aMailbox(app)
  const body = `${'x'.repeat(998)}\r\n`.repeat(2_000)
  const forged = (n: number) =>
    `DKIM-Signature: v=1; a=rsa-sha256; c=simple/simple; d=example.net; s=n${n}; h=from; bh=AAAA; b=AAAA; l=${n}\r\n`
  const whole = (n: number) =>
    forged(n)
      .replace(/; l=\d+/, '')
      .replace('s=n', 's=w')
  const many = (make: (n: number) => string) =>
    Array.from({ length: 300 }, (_, n) => make(n)).join('')
  const raw = Buffer.from(`${many(forged)}${many(whole)}From: a@example.net\r\n\r\n${body}`)
  expect(await sendMail(inbound.port, { from: 'a@example.net', to: mailbox.email, raw })).toMatch(
    /^250 /,
  )
  const { raw: kept, authentication } = await arrived(mailbox)
  const results = kept.slice(0, kept.indexOf('DKIM-Signature'))
  expect(results.match(/header\.s=\w+/g)).toEqual(['header.s=n0'])
  expect(authentication?.dkim).not.toBe('pass')
})

test('of an SPF record that takes long to read only the beginning is read', async () => {
  dns.zone('macros.example')
  dns.set('macros.example', 'TXT', [`v=spf1 exists:${'%{'.repeat(29_000)}`])
  const mailbox = await aMailbox(app)
  const from = 'a@macros.example'
  const raw = letter('a@example.net')
  expect(await sendMail(inbound.port, { from, to: mailbox.email, raw })).toMatch(/^250 /)
  expect((await arrived(mailbox)).authentication?.spf).toBe('permerror')
})

test.each([
  [
    'what cannot be read counts wherever it stands',
    'v=spf1 ip4:127.0.0.1 -all nonsense',
    'permerror',
  ],
  ['a letter for explanations is no name', 'v=spf1 -all exp=%{r}.x.example', 'permerror'],
  ['a name that the client makes wrong does not match', 'v=spf1 exists:%{h} ip4:127.0.0.1', 'pass'],
])('an SPF record as RFC 7208 has it: %s', async (_name, record, result) => {
  const domain = `spf${record.length}.example`
  dns.zone(domain)
  dns.set(domain, 'TXT', [record])
  const mailbox = await aMailbox(app)
  const raw = letter('a@example.net')
  const sent = { from: `a@${domain}`, to: mailbox.email, raw, helo: '[127.0.0.1]' }
  expect(await sendMail(inbound.port, sent)).toMatch(/^250 /)
  expect((await arrived(mailbox)).authentication?.spf).toBe(result)
})

test('whoever writes a From of 20 kB is refused', async () => {
  const { email: to } = await aMailbox(app)
  const raw = `From: ${'g:'.repeat(10_000)}a@example.net\r\n\r\nHello\r\n`
  expect(await sendMail(inbound.port, { from: 'a@example.net', to, raw })).toMatch(
    /^554 5\.6\.0 From may have/,
  )
})

test.each([' ', '\t'])('nobody goes on with what we say of the checks: %j', async (start) => {
  const { email: to } = await aMailbox(app)
  const raw = `${start}\r\n${start}dmarc=pass header.from=bank.example\r\n${letter('a@example.net')}`
  expect(await sendMail(inbound.port, { from: 'a@example.net', to, raw })).toMatch(
    /^554 5\.6\.0 A message may not begin with a space/,
  )
})
