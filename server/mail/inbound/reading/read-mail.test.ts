/** Mail that takes long to check does not hold up the process, nor the mail that comes beside it. */
import { generateKeyPairSync } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { slowToCheck } from '#test-world/trials/hostile-mails.ts'
import { openInbound } from '../listener.ts'
import { answerCache } from '../sender/answer-cache.ts'
import { authenticateMessage } from '../sender/authenticate-message.ts'
import { mailThreads, readMail } from './read-mail.ts'

let app: TestApp
let dns: TestDns
let inbound: Awaited<ReturnType<typeof openInbound>>
const sender = { mailFrom: 'eve@evil.example', helo: 'evil.example', ip: '127.0.0.1' }

beforeAll(async () => {
  dns = await aDnsServer()
  app = await anApp({
    dns: openDns({ servers: [dns.address], port: dns.port, allowLoopbackPeers: true }),
  })
  inbound = await openInbound(app)
  dns.zone('evil.example')
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  dns.set('s._domainkey.evil.example', 'TXT', [`v=DKIM1; k=rsa; p=${p}`])
})
afterAll(async () => {
  await inbound.close()
  await dns.close()
  await app.close()
})

const honest = Buffer.from('From: Grace <grace@evil.example>\r\nSubject: hello\r\n\r\nHello\r\n')

test('the event loop is not held while ten signatures over thousands of fields are checked', async () => {
  const checking = { mailHost: app.config.mailHost, resolve: answerCache(app) }
  const startedAt = performance.now()
  await authenticateMessage(checking, slowToCheck, sender)
  const heldMs = performance.now() - startedAt

  const { email: to } = await aMailbox(app, { localPart: 'ada' })
  // The thread is begun, and what both need is loaded.
  expect(await sendMail(inbound.port, { to, raw: honest })).toMatch(/^250 /)
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const said = await Promise.all(
    [slowToCheck, slowToCheck, honest, slowToCheck].map((raw) =>
      sendMail(inbound.port, { to, raw }),
    ),
  )
  loop.disable()
  for (const reply of said) expect(reply).toMatch(/^250 /)
  expect(loop.max / 1e6).toBeLessThan(heldMs / 2)
})

const ended = { run: async () => null }

test('mails whose thread was ended are read alone: each gets its own verdict', async () => {
  const other = Buffer.from(honest.toString().replace('grace@evil.', 'grace@other.'))
  const threads = { ...mailThreads, small: ended, large: ended }
  const read = await Promise.all([honest, other].map((raw) => readMail(app, raw, sender, threads)))
  expect(read.map(({ digest }) => digest)).toMatchObject([
    { subject: 'hello', from: { address: 'grace@evil.example' } },
    { subject: 'hello', from: { address: 'grace@other.example' } },
  ])
  expect(read.map(({ verdict }) => verdict.author)).toEqual(['evil.example', 'other.example'])
})

test('what ends its thread even alone is vouched for by nobody', async () => {
  const threads = { ...mailThreads, small: ended, large: ended, alone: ended }
  const { digest, verdict } = await readMail(app, honest, sender, threads)
  expect(digest).toMatchObject({ subject: '', from: null })
  expect(verdict).toMatchObject({ dmarc: null, authentication: { dkim: 'temperror' } })
  expect(verdict.headers).toMatch(/^Authentication-Results: mail\.mailstead\.test;/)
})
