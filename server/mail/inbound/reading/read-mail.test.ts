/** Mail that takes long to check delays neither the process nor other mail. */
import crypto from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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
  const { publicKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })
  const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  dns.set('s._domainkey.evil.example', 'TXT', [`v=DKIM1; k=rsa; p=${p}`])
})
afterAll(async () => {
  await inbound.close()
  await dns.close()
  await app.close()
})

const honest = Buffer.from('From: Grace <grace@evil.example>\r\nSubject: hello\r\n\r\nHello\r\n')

test('ten signatures over thousands of fields are checked beside the process, not in it', async () => {
  const { email: to } = await aMailbox(app, { localPart: 'ada' })
  // Starts the thread and loads its modules.
  expect(await sendMail(inbound.port, { to, raw: honest })).toMatch(/^250 /)
  // Checking a signature hashes the body.
  const checked = vi.spyOn(crypto, 'createHash')
  const said = await Promise.all(
    [slowToCheck, honest].map((raw) => sendMail(inbound.port, { to, raw })),
  )
  for (const reply of said) expect(reply).toMatch(/^250 /)
  expect(checked).not.toHaveBeenCalled()
  // Proves that the spy sees work on this thread.
  const [signatures = ''] = slowToCheck.toString().split('From: ')
  await authenticateMessage(
    { mailHost: app.config.mailHost, resolve: answerCache(app) },
    Buffer.concat([Buffer.from(signatures), honest]),
    sender,
  )
  expect(checked).toHaveBeenCalled()
})

const ended = { run: async () => null }

test('mails whose thread was ended are read alone: each gets its own verdict', async () => {
  const other = Buffer.from(honest.toString().replace('grace@evil.', 'grace@other.'))
  const threads = { ...mailThreads, small: ended, large: ended }
  const read = await Promise.all([honest, other].map((raw) => readMail(app, raw, sender, threads)))
  expect(read.map(({ digest }) => digest)).toMatchObject([
    {
      ...{ subject: 'hello', from: { address: 'grace@evil.example' } },
    },
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
