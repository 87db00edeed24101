import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as askPlainly, type Server as HttpServer } from 'node:http'
import {
  type ClientHttp2Session,
  connect as connectHttp2,
  constants,
  type Settings,
} from 'node:http2'
import { request } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertAnswer } from '#server/features/certificates/acme-store.ts'
import { tendCertificates } from '#server/features/certificates/tend-certificates.ts'
import { outboxUrl } from '#server/features/outbox/held-mails.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { type AcmeDirectory, anAcmeDirectory, HOST } from '#test-world/acme/acme-directory.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aUser, aWorkspace } from '#test-world/builders.ts'
import { aClock } from '#test-world/clock.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'
import { plainDoor } from './plain-door.ts'
import { openSecureDoor, type SecureDoor } from './secure-door.ts'

const OWN = 'mail.host.example'
const clock = aClock()
let folder: string
let dns: TestDns
let directory: AcmeDirectory
let app: TestApp
let web: FastifyInstance
let secure: SecureDoor
let plain: HttpServer

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailstead-test-doors-'))
  dns = await aDnsServer()
  for (const [name, ip] of [
    [HOST, '127.0.0.1'],
    [OWN, '192.0.2.1'],
  ] as const) {
    dns.zone(name)
    dns.set(name, 'A', [ip])
  }
  directory = await anAcmeDirectory(clock.now)
  await writeFile(join(folder, 'root.pem'), directory.root)
  app = await anApp({
    clock,
    dns: openDns({ servers: [dns.address], port: dns.port, allowLoopbackPeers: true }),
    config: {
      ...{
        publicUrl: `https://${OWN}`,
        isLocal: false,
        mailHost: OWN,
        mailIps: [],
        httpsPort: 443,
      },
      acme: { directoryUrl: directory.url, email: null, caFile: join(folder, 'root.pem') },
    },
  })
  web = await openHttpServer(app, { connections: { ofAll: 60, ofNetwork: 30 } })
  await web.ready()
  secure = await openSecureDoor(app, web, web.connections)
  plain = plainDoor(app, web, web.connections)
  for (const server of [secure.server, plain])
    await once(server.listen(0, '127.0.0.1'), 'listening')
  directory.ports.tls = portOf(secure.server)
  directory.ports.http = portOf(plain)
})
afterAll(async () => {
  plain.close()
  await secure.close()
  await web.close()
  await directory.close()
  await app.close()
  await dns.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  directory.offers = ['http-01', 'tls-alpn-01']
})

type Answer = { status: number; version: string; headers: Record<string, unknown>; body: string }
type Asked = { path: string; method?: string; headers?: Record<string, string>; body?: string }

const aSessionOfHttp2 = (): ClientHttp2Session => {
  const createConnection = () =>
    connectTls({
      ...{ port: portOf(secure.server), host: '127.0.0.1', servername: OWN },
      ...{ ALPNProtocols: ['h2'], rejectUnauthorized: false },
    })
  return connectHttp2(`https://${OWN}`, { createConnection })
}

const overHttp2 = async (asked: Asked): Promise<Answer> => {
  const session = aSessionOfHttp2()
  try {
    return await askSession(session, asked)
  } finally {
    session.destroy()
  }
}

const askSession = async (
  session: ClientHttp2Session,
  { path, method = 'GET', headers = {}, body }: Asked,
): Promise<Answer> => {
  const stream = session.request({ ':path': path, ':method': method, ...headers })
  stream.end(body)
  const [answered] = (await once(stream, 'response')) as [Record<string, unknown>]
  const chunks = await stream.toArray()
  return {
    ...{ status: Number(answered[':status']), version: '2.0', headers: answered },
    body: Buffer.concat(chunks).toString(),
  }
}

const overHttp1 = async ({ path, method = 'GET', headers = {}, body }: Asked): Promise<Answer> => {
  const asked = request({
    ...{ port: portOf(secure.server), host: '127.0.0.1', servername: OWN, agent: false },
    ...{ path, method, headers: { host: OWN, ...headers }, rejectUnauthorized: false },
  })
  asked.end(body)
  const [response] = await once(asked, 'response')
  return {
    ...{ status: response.statusCode, version: response.httpVersion, headers: response.headers },
    body: Buffer.concat(await response.toArray()).toString(),
  }
}

const withoutTls = async (path: string, host: string = OWN, method = 'GET'): Promise<Answer> => {
  const asked = askPlainly({
    ...{ port: portOf(plain), host: '127.0.0.1', path, method, headers: { host }, agent: false },
  })
  asked.end()
  const [response] = await once(asked, 'response')
  return {
    ...{ status: response.statusCode, version: response.httpVersion, headers: response.headers },
    body: Buffer.concat(await response.toArray()).toString(),
  }
}

/** Hands on what is written one byte at a time. */
const drip = (raw: Socket): Duplex => {
  const slow = new Duplex({
    read: () => {},
    write: async (bytes: Buffer, _encoding, done) => {
      for (const byte of bytes) {
        raw.write(Buffer.of(byte))
        await new Promise((next) => setImmediate(next))
      }
      done()
    },
    final: (done) => void raw.end(done),
  })
  raw.on('data', (bytes) => slow.push(bytes)).on('end', () => slow.push(null))
  return slow
}

test.each([
  ['HTTP/2', overHttp2],
  ['HTTP/1.1', overHttp1],
])('the API over %s: reads, refusals, bodies, large answers', async (_name, ask) => {
  const user = await aUser(app)
  const { headers } = await aSession(app, user)
  const me = await ask({ path: '/api/v1/profile', headers })
  expect(me).toMatchObject({ status: 200 })
  expect(JSON.parse(me.body)).toMatchObject({ email: user.email })
  expect(me.headers['strict-transport-security']).toContain('max-age')
  const wrong = { email: 'nobody@example.com', password: 'wrong wrong' }
  const refused = await ask({
    ...{ path: '/api/v1/auth/login', method: 'POST', body: JSON.stringify(wrong) },
    headers: { 'content-type': 'application/json' },
  })
  expect(refused.status).toBe(401)
  const { status } = await ask({ path: '/api/v1/nothing', method: 'PUT', body: 'x'.repeat(70_000) })
  expect(status).toBe(404)
  const document = await ask({ path: '/api/v1/openapi.json' })
  expect(JSON.parse(document.body)).toHaveProperty('paths')
  expect(document.body.length).toBeGreaterThan(100_000)
})

test('events come over HTTP/2, beside other requests of the same connection', async () => {
  const user = await aUser(app)
  const { id: workspaceId } = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const { headers } = await aSession(app, user)
  const session = aSessionOfHttp2()
  const events = session.request({ ':path': '/api/v1/events', ...headers })
  await once(events, 'response')
  await once(events, 'data')
  expect((await askSession(session, { path: '/api/v1/profile', headers })).status).toBe(200)
  const told = once(events, 'data')
  await announceChange(app.db, { topic: 'domains', workspaceId })
  expect(String(await told)).toContain(workspaceId)
  session.destroy()
})

test('a certificate proven by the port itself, beside people who use it', async () => {
  directory.offers = ['tls-alpn-01']
  expect(await overHttp2({ path: '/healthz' })).toMatchObject({ status: 200 })
  await tendCertificates(app, () => false)
  expect(directory.issued).toBe(1)
  const shown = async () => {
    const socket = connectTls({
      ...{ port: portOf(secure.server), host: '127.0.0.1', servername: OWN, ca: directory.root },
    })
    await once(socket, 'secureConnect')
    const isTrusted = socket.authorized
    socket.destroy()
    return isTrusted
  }
  await expect.poll(() => shown().catch(() => false)).toBe(true)
})

test('a hello that comes byte by byte is served; one that does not come is not waited for in others', async () => {
  const silent = connect(portOf(secure.server), '127.0.0.1')
  const raw = connect({ port: portOf(secure.server), host: '127.0.0.1', noDelay: true })
  await once(raw, 'connect')
  const socket = connectTls({ socket: drip(raw), servername: OWN, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.write(`GET /healthz HTTP/1.1\r\nhost: ${OWN}\r\nconnection: close\r\n\r\n`)
  expect(Buffer.concat(await socket.toArray()).toString()).toMatch(/^HTTP\/1\.1 200 /)
  silent.destroy()
})

test('what is no TLS, and a proof that nobody asked for, end at once', async () => {
  const socket = connect(portOf(secure.server), '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\n\r\n')
  await once(socket.resume(), 'close')
  const proof = connectTls({
    ...{ port: portOf(secure.server), host: '127.0.0.1', servername: 'a.stranger.example' },
    ...{ ALPNProtocols: ['acme-tls/1'], rejectUnauthorized: false },
  })
  const [error] = await once(proof, 'error')
  expect(error).toBeInstanceOf(Error)
  expect((await overHttp2({ path: '/healthz' })).status).toBe(200)
})

test('without TLS: the answer for a directory, the file for mail programs, and the way to https', async () => {
  const answer = { name: OWN, token: 'a-token-of-this-test', keyAuthorization: 'what it says' }
  await insertAnswer(app.db, { ...answer, expiresAt: new Date(clock.now().getTime() + 60_000) })
  const at = `/.well-known/acme-challenge/${answer.token}`
  expect(await withoutTls(at)).toMatchObject({ status: 200, body: 'what it says' })
  expect((await withoutTls(`${at}x`)).status).toBe(404)
  const { name } = await aDomain(app, { active: true })
  const file = '/mail/config-v1.1.xml?emailaddress=x@'
  const autoconfig = await withoutTls(file + name, `autoconfig.${name}`)
  expect(autoconfig).toMatchObject({ status: 200 })
  expect(autoconfig.body).toContain('<emailProvider')
  const to = async (path: string, host: string) => (await withoutTls(path, host)).headers.location
  expect(await to('/login?a=1', `${OWN}:80`)).toBe(`https://${OWN}/login?a=1`)
  expect(await to('/login', 'evil.example')).toBe(`https://${OWN}/login`)
  expect(await to('//evil.example/x', OWN)).toBe(`https://${OWN}//evil.example/x`)
  expect((await withoutTls('/api/v1/auth/login', OWN, 'POST')).status).toBe(308)
})

test('a stranger with many connections takes no place of others, over TLS neither', async () => {
  const many = Array.from({ length: 50 }, () =>
    connect({ port: portOf(secure.server), host: '127.0.0.1' }).on('error', () => {}),
  )
  await Promise.all(many.map((socket) => once(socket, 'connect')))
  await expect.poll(() => many.filter((socket) => socket.destroyed).length).toBeGreaterThan(15)
  expect((await overHttp2({ path: '/healthz' })).status).toBe(200)
  for (const socket of many) socket.destroy()
})

test('the page of held mails is there over HTTP/2 too, for a browser of this machine', async () => {
  const local = await anApp({ config: { publicUrl: 'https://localhost', isLocal: true } })
  const pages = await openHttpServer(local)
  await pages.ready()
  const door = await openSecureDoor(local, pages, pages.connections)
  await once(door.server.listen(0, '127.0.0.1'), 'listening')
  const path = new URL(outboxUrl(local)).pathname + new URL(outboxUrl(local)).search
  const statusAt = async (host: string) => {
    const session = connectHttp2(`https://${host}`, {
      createConnection: () =>
        connectTls({
          ...{ port: portOf(door.server), host: '127.0.0.1', servername: 'localhost' },
          ...{ ALPNProtocols: ['h2'], rejectUnauthorized: false },
        }),
    })
    const { status } = await askSession(session, { path })
    session.destroy()
    return status
  }
  expect(await statusAt('localhost')).toBe(200)
  expect(await statusAt('evil.example')).toBe(404)
  await door.close()
  await pages.close()
  await local.close()
})

describe('who is slow over TLS', () => {
  let strict: SecureDoor
  beforeAll(async () => {
    const times = { headersMs: 300, bodyMs: 900, silentMs: 400, checkMs: 100 }
    strict = await openSecureDoor(app, web, web.connections, times)
    await once(strict.server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => strict.close())

  const over = async (protocol: string) => {
    const socket = connectTls({
      ...{ port: portOf(strict.server), host: '127.0.0.1', servername: OWN },
      ...{ ALPNProtocols: [protocol], rejectUnauthorized: false },
    })
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    return socket
  }
  const sessionOf = async (settings: Settings = {}) => {
    const socket = await over('h2')
    const session = connectHttp2(`https://${OWN}`, { createConnection: () => socket, settings })
    session.on('error', () => {})
    return session
  }

  test('with the headers of a request is sent away, in whatever pieces they come', async () => {
    const socket = await over('http/1.1')
    socket.write('GET /healthz HTTP/1.1\r\n')
    const dripping = setInterval(() => socket.write('x: y\r\n'), 50)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 .*"type":"REQUEST_TIMEOUT"/s)
    await once(socket, 'close')
    clearInterval(dripping)
  })

  test('to read an answer loses it, also while other frames come', async () => {
    const session = await sessionOf({ initialWindowSize: 0 })
    const pinging = setInterval(() => session.ping(() => {}), 50)
    const stream = session.request({ ':path': '/api/v1/openapi.json' })
    stream.on('error', () => {})
    await once(stream, 'close')
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL)
    clearInterval(pinging)
    session.destroy()
  })

  test('with a body loses the request, however small the pieces', async () => {
    const session = await sessionOf()
    const stream = session.request({
      ...{ ':path': '/api/v1/auth/login', ':method': 'POST', 'content-type': 'application/json' },
    })
    stream.on('error', () => {})
    const dripping = setInterval(() => stream.write(' '), 100)
    await once(stream, 'close')
    clearInterval(dripping)
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL)
    session.destroy()
  })
})

test('headers above 16 kB are refused over TLS as without it', async () => {
  const headers = { 'x-long': 'x'.repeat(17_000) }
  const told = ({ status }: Answer) => status
  // The connection may end while they are still sent.
  const refused = () => 431
  expect(await overHttp1({ path: '/healthz', headers }).then(told, refused)).toBe(431)
  const session = aSessionOfHttp2()
  // The limit holds once the client has heard it.
  expect(told(await askSession(session, { path: '/healthz' }))).toBe(200)
  const stream = session.request({ ':path': '/healthz', ...headers })
  await expect(once(stream, 'response')).rejects.toThrow('NGHTTP2_ENHANCE_YOUR_CALM')
  session.destroy()
})

test('as many large answers at once as a browser asks for come whole', async () => {
  const session = aSessionOfHttp2()
  const asked = { path: '/api/v1/openapi.json' }
  const answers = await Promise.all(Array.from({ length: 90 }, () => askSession(session, asked)))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.length}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  session.destroy()
})

test('who takes back requests by the hundred is sent away; a few are nothing', async () => {
  const session = aSessionOfHttp2()
  session.on('error', () => {})
  const takeBack = (count: number) => {
    for (let n = 0; n < count; n++) {
      const stream = session.request({ ':path': '/healthz' })
      stream.on('error', () => {})
      stream.close(constants.NGHTTP2_CANCEL)
    }
  }
  takeBack(20)
  expect((await askSession(session, { path: '/healthz' })).status).toBe(200)
  const ended = once(session, 'goaway')
  takeBack(90)
  const [code] = await ended
  expect(code).not.toBe(constants.NGHTTP2_NO_ERROR)
  session.destroy()
  expect((await overHttp2({ path: '/healthz' })).status).toBe(200)
})
