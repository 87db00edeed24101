import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Config } from '#server/config.ts'
import { selfSigned } from '#server/lib/tls/self-signed.ts'
import { testConfig } from '#test-world/app.ts'
import { aClock } from '#test-world/clock.ts'
import { aSmtpPeer, type SmtpPeer } from '#test-world/smtp/smtp-peer.ts'
import { type AlertMessage, sendAlert } from './send-alert.ts'

const clock = aClock()
const message: AlertMessage = {
  ...{ alert: 'disk', state: 'begun', sentence: 'The disk is full.', mend: 'Make room.' },
  since: clock.now(),
}
/** For what must answer; and for what never does. */
const [PATIENT_MS, SHORT_MS] = [20_000, 300]

let web: Server
let answer: (response: ServerResponse, request: IncomingMessage) => void
let posted: { headers: IncomingMessage['headers']; body: unknown }[]
let peer: SmtpPeer
beforeAll(async () => {
  web = createServer(async (request, response) => {
    posted.push({ headers: request.headers, body: JSON.parse(await text(request)) })
    answer(response, request)
  })
  await once(web.listen(0, '127.0.0.1'), 'listening')
  peer = await aSmtpPeer()
})
afterEach(() => {
  peer.behave = () => undefined
  peer.messages.length = 0
})
afterAll(async () => {
  web.closeAllConnections()
  web.close()
  await peer.close()
})

const post = (reply: typeof answer, mostMs = PATIENT_MS, user = '') => {
  posted = []
  answer = reply
  const { port } = web.address() as AddressInfo
  const config: Config = {
    ...{ ...testConfig('nowhere'), publicUrl: 'https://mail.example.com' },
    alertUrl: `http://${user}127.0.0.1:${port}/hook?key=1`,
  }
  return sendAlert({ config, clock }, 'url', message, mostMs)
}
const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end()

test('the address gets what is wrong, since when and what to do', async () => {
  expect(await post(status(204), PATIENT_MS, 'me:p%40ss@')).toBeNull()
  expect(posted).toMatchObject([
    {
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
      },
      body: {
        ...{ alert: 'disk', state: 'begun', sentence: 'The disk is full.', mend: 'Make room.' },
        since: '2026-11-20T12:00:00.000Z',
        installation: 'https://mail.example.com',
      },
    },
  ])
})

test('an address that errs, redirects, hangs or breaks off has not taken it', async () => {
  expect(await post(status(500))).toBe('it answers 500')
  expect(await post((response) => response.writeHead(302, { location: '/' }).end())).toBe(
    'it answers 302',
  )
  expect(posted).toHaveLength(1)
  expect(await post(() => {}, SHORT_MS)).toBe('it took too long')
  expect(await post((response) => void response.destroy())).toBe('other side closed')
  expect(await post((response) => void response.socket?.end('this is no HTTP\r\n\r\n'))).toMatch(
    /Response does not match|HTTP/,
  )
  expect(
    await post((response) => response.writeHead(200, { 'x-much': 'x'.repeat(100_000) }).end()),
  ).toMatch(/Overflow/)
})

test('an endless answer is cut', async () => {
  let closed: Promise<unknown> = Promise.resolve()
  const pour = (response: ServerResponse) => {
    closed = once(response, 'close')
    const chunk = Buffer.alloc(65_536)
    const go = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', go)
    go()
  }
  expect(await post(pour)).toBeNull()
  await closed
  expect(posted).toHaveLength(1)
})

test('an address where nobody listens is told as it is', async () => {
  const closed = createServer()
  await once(closed.listen(0, '127.0.0.1'), 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const config = { ...testConfig('nowhere'), alertUrl: `http://127.0.0.1:${port}` }
  expect(await sendAlert({ config, clock }, 'url', message)).toMatch(/ECONNREFUSED/)
})

const mail = (relay = peer, told = message, mostMs = PATIENT_MS, user = '', query = '') =>
  sendAlert(
    {
      clock,
      config: {
        ...testConfig('nowhere'),
        alertRelay: {
          url: `smtp://${user}127.0.0.1:${relay.port}${query}`,
          ...{ from: 'no-reply@mail.mailstead.test', to: ['me@example.org', 'you@example.org'] },
        },
      },
    },
    'relay',
    told,
    mostMs,
  )

test('the relay gets a plain short mail', async () => {
  expect(await mail()).toBeNull()
  const [begun] = await peer.arrived(1)
  expect(begun).toMatchObject({
    from: 'no-reply@mail.mailstead.test',
    to: ['me@example.org', 'you@example.org'],
  })
  const raw = String(begun?.raw)
  expect(raw).toMatch(/^Subject: Alert: disk at localhost:8080\r$/m)
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(raw).toContain('The disk is full.\r\n\r\nSince 2026-11-20 12:00 UTC.\r\n\r\nMake room.')
  expect(await mail(peer, { ...message, state: 'ended' })).toBeNull()
  const [, ended] = await peer.arrived(2)
  expect(String(ended?.raw)).toMatch(/^Subject: Over: disk at localhost:8080\r$/m)
  expect(String(ended?.raw)).not.toContain('Make room.')
})

test('a relay that refuses, hangs, drips or breaks off has not taken it', async () => {
  peer.behave = (stage) => (stage === 'rcpt' ? '550 5.7.1 not for you' : undefined)
  expect(await mail()).toBe('550 5.7.1 not for you')
  peer.behave = (stage) => (stage === 'dot' ? '451 4.3.0 later' : undefined)
  expect(await mail()).toBe('451 4.3.0 later')
  for (const stage of ['connect', 'ehlo', 'mail', 'dot'] as const) {
    peer.behave = (at) => (at === stage ? 'stall' : undefined)
    expect(await mail(peer, message, SHORT_MS)).toMatch(/too long|never received|Timeout/)
  }
  peer.behave = (stage) => (stage === 'ehlo' ? 'drip' : undefined)
  expect(await mail(peer, message, SHORT_MS)).toBe('it took too long')
  peer.behave = (stage) => (stage === 'data' ? 'cut' : undefined)
  expect(await mail()).toMatch(/closed|ended/i)
  expect(peer.messages).toEqual([])
})

test('a relay gets the password, over TLS where it has it, and a wrong one is told', async () => {
  const secure = await aSmtpPeer({
    tls: selfSigned('relay.example', new Date(), 10),
    extensions: ['AUTH PLAIN'],
  })
  let given = ''
  secure.behave = (stage, argument) => {
    if (stage === 'auth') given = argument
    return undefined
  }
  expect(await mail(secure, message, PATIENT_MS, 'me:p%40ss@')).toBeNull()
  expect(Buffer.from(given.replace('PLAIN ', ''), 'base64').toString()).toBe('\0me\0p@ss')
  expect(secure.messages).toMatchObject([{ isTls: true }])
  secure.behave = (stage) => (stage === 'auth' ? '535 5.7.8 wrong' : undefined)
  expect(await mail(secure, message, PATIENT_MS, 'me:p%40ss@')).toBe('535 5.7.8 wrong')
  await secure.close()
})
