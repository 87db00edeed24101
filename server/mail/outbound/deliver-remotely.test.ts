/** RELAY_URL: all outgoing mail goes to one server, which may require a password, refuse, or be unavailable. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { relayOf } from '#server/lib/remote/smtp-destination.ts'
import { anOutgoingWorld, areAll, type OutgoingWorld } from '#test-world/outgoing/outgoing-world.ts'
import type { SmtpPeer } from '#test-world/smtp/smtp-peer.ts'

let world: OutgoingWorld
let relay: SmtpPeer
const seen: string[] = []
beforeAll(async () => {
  world = await anOutgoingWorld()
})
afterAll(() => world.close())
afterEach(() => world.clear())

/** Addressed by IP, so that no look-up is needed; the test defines its replies. */
const aRelay = async (behave: SmtpPeer['behave'] = () => undefined, idleMs = 10_000) => {
  seen.length = 0
  relay = await world.host('relay', '127.0.0.40', {
    extensions: ['AUTH PLAIN'],
    behave: (stage, argument, connection) => {
      if (stage === 'auth') seen.push(argument)
      return behave(stage, argument, connection)
    },
  })
  const relayUrl = `smtp://ada%40isp:s%3Acret@127.0.0.40:${world.peer.port}`
  await world.work({ idleMs }, { relayUrl })
}
const tried = () => world.until((rows) => rows.every(({ attempts }) => attempts > 0))

describe('the relay', () => {
  test('gets every mail, whatever DNS says of its domain, after it has got the password once', async () => {
    await aRelay()
    for (const n of [1, 2, 3]) {
      await world.send(`bob@nowhere${n}.example`)
      await world.until(areAll('delivered'))
    }
    expect(relay.messages.map(({ to }) => to[0])).toEqual([
      'bob@nowhere1.example',
      'bob@nowhere2.example',
      'bob@nowhere3.example',
    ])
    expect(seen).toEqual([`PLAIN ${Buffer.from('\0ada@isp\0s:cret').toString('base64')}`])
    expect(relay.connections).toBe(1)
  })

  test('takes mail for many domains over ten connections at most', async () => {
    await aRelay((stage) => (stage === 'rcpt' ? 'stall' : undefined))
    await world.work({ idleMs: 10_000 }, { relayUrl: `smtp://127.0.0.40:${world.peer.port}` })
    for (let n = 0; n < 15; n++) await world.send(`bob@many${n}.example`)
    await world.until((rows) => rows.filter(({ status }) => status === 'sending').length === 10)
    await expect.poll(() => relay.connections).toBe(10)
    relay.behave = () => undefined
    relay.hangUp()
    await world.until((rows) => rows.filter(({ status }) => status === 'delivered').length === 5)
  })

  test.each([
    ['a password that is refused', 'auth', '535 5.7.8 wrong', 'queued'],
    ['a mail that it puts off', 'rcpt', '450 4.2.0 later', 'queued'],
    ['a mail that it refuses', 'rcpt', '550 5.7.1 not for you', 'failed'],
    ['a greeting that refuses', 'connect', '554 go away', 'queued'],
    ['silence', 'mail', 'stall', 'queued'],
  ] as const)('%s: %s %s: %s', async (_what, at, how, status) => {
    await aRelay((stage) => (stage === at ? how : undefined), how === 'stall' ? 300 : undefined)
    await world.send('bob@nowhere.example')
    await tried()
    const [row] = await world.until(areAll('queued', 'failed'))
    expect(row?.status).toBe(status)
    const [attempt] = await world.ledger()
    if (how !== 'stall') expect(attempt?.reply).toBe(how)
    expect(relay.messages).toEqual([])
  })

  test('away: the mail waits, and never goes to the MX instead', async () => {
    await aRelay()
    await relay.close()
    await world.send('bob@example.net')
    await tried()
    expect((await world.ledger())[0]).toMatchObject({ host: '127.0.0.40', outcome: 'deferred' })
    expect(world.peer.connections).toBe(0)
  })
})

test.each([
  ['smtp://relay.example.com', 587, false, 'opportunistic', null],
  ['smtps://relay.example.com', 465, true, 'required', null],
  ['smtp://u:p@relay.example.com:25', 25, false, 'required', { user: 'u', pass: 'p' }],
  ['smtp://u:p@127.0.0.1:25', 25, false, 'opportunistic', { user: 'u', pass: 'p' }],
  ['smtp://u:p@[::1]:25', 25, false, 'opportunistic', { user: 'u', pass: 'p' }],
  ['smtp://u:p@127.0.0.1.example.com', 587, false, 'required', { user: 'u', pass: 'p' }],
])('%s', (url, port, isSecure, tls, auth) => {
  expect(relayOf(url)).toMatchObject({ dialled: { port }, isSecure, tls, auth })
})
