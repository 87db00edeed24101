/** MTA-STS over real HTTPS and real TLS: the effect of a domain's policy, and of its absence. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { purgeOutbox } from '#server/features/outbox/enqueue-message.ts'
import { selfSigned } from '#server/lib/tls/self-signed.ts'
import {
  anHttpsServer,
  aTrustedCertificate,
  type Certificate,
  type HttpsServer,
} from '#test-world/outgoing/https-server.ts'
import { anOutgoingWorld, areAll, type OutgoingWorld } from '#test-world/outgoing/outgoing-world.ts'

const DOMAIN = 'example.org'
const HOST = 'mx1.example.org'

let world: OutgoingWorld
let web: HttpsServer
let certificate: Certificate
let answer: (request: IncomingMessage, response: ServerResponse) => void
const asked: string[] = []

beforeAll(async () => {
  world = await anOutgoingWorld()
  certificate = aTrustedCertificate(`*.${DOMAIN}`)
  web = await anHttpsServer(certificate, (request, response) => {
    asked.push(`${request.headers.host} ${request.url}`)
    answer(request, response)
  })
  world.dns.set(`mta-sts.${DOMAIN}`, 'A', ['127.0.0.1'])
})
afterAll(async () => {
  await web.close()
  await world.close()
})
beforeEach(async () => {
  asked.length = 0
  world.dns.set(DOMAIN, 'MX', [`10 ${HOST}`])
  announce('1')
  answer = policy('enforce')
  await world.work({ policyPort: web.port })
})
afterEach(() => world.clear())

const announce = (id: string) => world.dns.set(`_mta-sts.${DOMAIN}`, 'TXT', [`v=STSv1; id=${id};`])

const policy =
  (mode: string, hosts: string[] = [HOST], maxAge = 86_400) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    const lines = ['version: STSv1', `mode: ${mode}`, ...hosts.map((host) => `mx: ${host}`)]
    response.setHeader('content-type', 'text/plain; charset=utf-8')
    response.end([...lines, `max_age: ${maxAge}`, ''].join('\r\n'))
  }

/** Sends to the domain; returns the new lines of the ledger, last line first. */
const send = async () => {
  const before = (await world.ledger()).length
  await world.send(`bob@${DOMAIN}`)
  await world.until(
    (rows) =>
      rows.every(({ status }) => status !== 'sending') &&
      rows.every(({ attempts }) => attempts > 0),
  )
  const rows = (await world.ledger()).slice(before)
  return rows.map(({ host, outcome, isTls, reply }) => ({ host, outcome, isTls, reply }))
}
const goodHost = () => world.host('mx1', '127.0.0.31', { tls: certificate })

describe('enforce', () => {
  test('a host that is named and proves its name gets the mail, over TLS', async () => {
    const host = await goodHost()
    expect(await send()).toMatchObject([{ host: HOST, outcome: 'delivered', isTls: true }])
    expect(host.messages[0]?.isTls).toBe(true)
    expect(asked).toEqual([`mta-sts.${DOMAIN}:${web.port} /.well-known/mta-sts.txt`])
  })

  test('a host that is not named gets nothing, and the ledger says why', async () => {
    const host = await goodHost()
    answer = policy('enforce', ['other.example.org', '*.mx1.example.org'])
    expect(await send()).toMatchObject([
      {
        host: HOST,
        outcome: 'deferred',
        reply: `it is not among the hosts that the policy of ${DOMAIN} names (MTA-STS)`,
      },
    ])
    expect(host.connections).toBe(0)
  })

  test('the next host is asked, when it is the one that is named', async () => {
    world.dns.set(DOMAIN, 'MX', [`5 rogue.example.org`, `10 ${HOST}`])
    const rogue = await world.host('rogue', '127.0.0.32', { tls: certificate })
    await goodHost()
    answer = policy('enforce', ['*.example.net', HOST])
    expect((await send()).map(({ host, outcome }) => [host, outcome])).toEqual([
      ['rogue.example.org', 'deferred'],
      [HOST, 'delivered'],
    ])
    expect(rogue.connections).toBe(0)
  })

  test.each([
    ['no TLS at all', undefined],
    ['TLS that breaks', 'broken' as const],
    ['a certificate of nobody that is known', selfSigned(HOST, new Date(), 10)],
  ])('%s: the mail waits, and is not sent in the clear', async (_what, tls) => {
    const host = await world.host('mx1', '127.0.0.31', tls === undefined ? {} : { tls })
    expect(await send()).toMatchObject([{ host: HOST, outcome: 'deferred', isTls: false }])
    expect(host.messages).toEqual([])
    expect(host.connections).toBe(1)
  })

  test('a certificate for another name: the same', async () => {
    const name = 'mx.deep.example.org'
    world.dns.set(DOMAIN, 'MX', [`10 ${name}`])
    answer = policy('enforce', [name])
    const host = await world.host('mx.deep', '127.0.0.31', { tls: certificate })
    const [told] = await send()
    expect(told).toMatchObject({ host: name, outcome: 'deferred', isTls: false })
    expect(told?.reply).toContain("does not match certificate's altnames")
    expect(host.messages).toEqual([])
  })
})

describe('without enforcing', () => {
  test.each([
    ['testing', () => policy('testing', ['other.example.org'])],
    ['none', () => policy('none', [])],
    [
      'no policy there',
      () => (_: IncomingMessage, response: ServerResponse) => void response.writeHead(404).end(),
    ],
  ])('%s: as without a policy', async (_mode, make) => {
    answer = make()
    const host = await world.host('mx1', '127.0.0.31')
    expect(await send()).toMatchObject([{ outcome: 'delivered' }])
    expect(asked).toHaveLength(1)
    expect(host.messages).toHaveLength(1)
  })

  test('what announces no policy is not asked for one', async () => {
    world.dns.set(`_mta-sts.${DOMAIN}`, 'TXT', ['v=STSv1; id=1;', 'v=STSv1; id=2;'])
    await world.host('mx1', '127.0.0.31')
    expect(await send()).toMatchObject([{ outcome: 'delivered' }])
    expect(asked).toEqual([])
  })
})

describe('what is fetched', () => {
  const text =
    (body: string, type = 'text/plain') =>
    (_: IncomingMessage, response: ServerResponse) => {
      response.setHeader('content-type', type)
      response.end(body)
    }
  const whole = `version: STSv1\nmode: enforce\nmx: nobody.example.org\nmax_age: 86400\n`

  test.each([
    [
      'a redirect',
      (request: IncomingMessage, response: ServerResponse) =>
        request.url === '/elsewhere'
          ? text(whole)(request, response)
          : void response.writeHead(302, { location: '/elsewhere' }).end(),
    ],
    ['a web page', text(whole, 'text/html')],
    ['nonsense', text('mode: enforce')],
    ['more than 64 KB', text(`${whole}${'x: y\n'.repeat(20_000)}`)],
  ] as const)('%s is no policy', async (_what, made) => {
    answer = made
    await world.host('mx1', '127.0.0.31')
    expect(await send()).toMatchObject([{ outcome: 'delivered' }])
    expect(asked).toHaveLength(1)
  })

  test('a web server that does not prove its name has none', async () => {
    const other = 'other.example.org'
    world.dns.set(`_mta-sts.${other}`, 'TXT', ['v=STSv1; id=1;'])
    world.dns.set(`mta-sts.${other}`, 'A', ['127.0.0.1'])
    world.dns.set(other, 'MX', ['10 mx.example.net'])
    answer = policy('enforce', ['nobody.example.org'])
    await world.send(`bob@${other}`)
    await world.until(areAll('delivered'))
    expect(asked).toEqual([])
  })

  test('it is dialled through the network guard', async () => {
    await world.work({ policyPort: web.port }, { allowLoopbackPeers: false })
    await world.send(`bob@${DOMAIN}`)
    await world.until((rows) => rows.every(({ attempts }) => attempts > 0))
    expect(asked).toEqual([])
  })
})

describe('what is remembered', () => {
  test('the policy serves until its id changes', async () => {
    await goodHost()
    await send()
    await send()
    expect(asked).toHaveLength(1)
    announce('2')
    answer = policy('enforce', ['other.example.org'])
    expect(await send()).toMatchObject([{ outcome: 'deferred' }])
    expect(asked).toHaveLength(2)
  })

  test('it outlives a web server and a record that are gone, until its time is over', async () => {
    await goodHost()
    answer = policy('enforce', ['other.example.org'], 3_600)
    await send()
    answer = (_, response) => response.writeHead(500).end()
    announce('2')
    expect(await send()).toMatchObject([{ outcome: 'deferred' }])
    world.dns.remove(`_mta-sts.${DOMAIN}`)
    expect(await send()).toMatchObject([{ outcome: 'deferred' }])
    world.dns.behave(`_mta-sts.${DOMAIN}`, 'servfail')
    expect(await send()).toMatchObject([{ outcome: 'deferred' }])
    world.dns.behave(`_mta-sts.${DOMAIN}`, null)
    world.app.clock.advance({ hours: 1 })
    await world.send(`bob@${DOMAIN}`)
    await world.until((rows) => rows.some(({ status }) => status === 'delivered'))
  })

  test('a web server that fails is not asked again with every mail', async () => {
    await world.host('mx1', '127.0.0.31')
    answer = (_, response) => response.writeHead(500).end()
    await send()
    await send()
    expect(asked).toHaveLength(1)
    world.app.clock.advance({ minutes: 5 })
    await send()
    expect(asked).toHaveLength(2)
  })

  test('what has been out of use for a month is forgotten', async () => {
    await goodHost()
    await send()
    const { app } = world
    const count = async () => (await app.db.selectFrom('stsPolicies').selectAll().execute()).length
    await purgeOutbox(app)
    expect(await count()).toBe(1)
    app.clock.advance({ days: 32 })
    await purgeOutbox(app)
    expect(await count()).toBe(0)
  })
})
