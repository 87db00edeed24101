/** All doors that stand behind a balancer of TCP, which says with the PROXY protocol whose connection each is. */
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openSecureDoor, type SecureDoor } from '#server/http/doors/secure-door.ts'
import { openHttpServer } from '#server/http/http-server.ts'
import { type OpenImap, openImap } from '#server/mail/imap/listener.ts'
import { openInbound } from '#server/mail/inbound/listener.ts'
import { anApp, type TestApp } from '../app.ts'
import { ImapClient } from '../imap/imap-client.ts'
import { anSmtpClient } from '../smtp/smtp-client.ts'
import { aSubmissionWorld, plainOf, type SubmissionWorld } from '../smtp/submission-world.ts'

let app: TestApp
let web: FastifyInstance
let secure: SecureDoor
let imap: OpenImap
let inbound: Awaited<ReturnType<typeof openInbound>>
let submission: SubmissionWorld
beforeAll(async () => {
  app = await anApp({ config: { proxyProtocol: ['127.0.0.1'] } })
  web = await openHttpServer(app)
  await web.ready()
  secure = await openSecureDoor(app, web, web.connections)
  await once(secure.server.listen(0, '127.0.0.1'), 'listening')
  imap = await openImap(app)
  inbound = await openInbound(app)
  submission = await aSubmissionWorld(app)
})
afterAll(async () => {
  await submission.close()
  await inbound.close()
  await imap.close()
  await secure.close()
  await web.close()
  await app.close()
})

const CLIENT = '192.0.2.77'
const line = Buffer.from(`PROXY TCP4 ${CLIENT} 198.51.100.1 56324 25\r\n`)
const binary = Buffer.from('0d0a0d0a000d0a515549540a2111000cc000024dc6336401dc040019', 'hex')

const balancers = new Set<Server>()
afterEach(() => {
  for (const balancer of balancers) balancer.close()
  balancers.clear()
})
/** Returns its port. What the client has said already goes in one piece with the header. */
const aBalancer = async (port: number, header: Buffer): Promise<number> => {
  const balancer = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    server.setNoDelay(true)
    for (const socket of [client, server]) socket.on('error', () => {})
    const first: Buffer | null = client.read()
    server.write(first === null ? header : Buffer.concat([header, first]))
    client.pipe(server).pipe(client)
    client.once('close', () => server.destroy())
    server.once('close', () => client.destroy())
  })
  balancers.add(balancer)
  await once(balancer.listen(0, '127.0.0.1'), 'listening')
  return (balancer.address() as AddressInfo).port
}
const addressOf = (server: Server) => (server.address() as AddressInfo).port

const email = 'nobody@harbour.example'
const asked = JSON.stringify({ email, password: 'Night-Train-7!' })
const LOGIN = '/api/v1/auth/login'
const TYPE = { 'content-type': 'application/json' }

/** The last sentence that one of them hears, after a wrong password or a wrong recipient. */
const overSmtp = async (port: number) => {
  const client = await anSmtpClient(port)
  await client.reply()
  await client.say('EHLO other.example')
  await client.say('MAIL FROM:<a@other.example>')
  const answer = await client.say(`RCPT TO:<${email}>`)
  client.close()
  return answer
}
const overSubmission = async (port: number) => {
  const client = await anSmtpClient(port)
  await client.startTls()
  await client.reply()
  await client.say('EHLO program.example')
  const answer = await client.say(plainOf(email, 'Night-Train-7!'))
  client.close()
  return answer
}
const overStartTls = async (port: number) => {
  const client = await anSmtpClient(port)
  await client.reply()
  await client.say('EHLO program.example')
  await client.say('STARTTLS')
  await client.startTls()
  await client.say('EHLO program.example')
  const answer = await client.say(plainOf(email, 'Night-Train-7!'))
  client.close()
  return answer
}
const overImap = async (port: number) => {
  const client = await ImapClient.connect(port)
  const { ending } = await client.run(`LOGIN ${email} Night-Train-7!`)
  client.close()
  return ending
}
const overHttp1 = async (port: number) => {
  const question = request({
    ...{ port, host: '127.0.0.1', agent: false, rejectUnauthorized: false },
    ...{ path: LOGIN, method: 'POST', headers: TYPE },
  })
  question.end(asked)
  const [response] = await once(question, 'response')
  response.resume()
  return `${response.statusCode}`
}
const overHttp2 = async (port: number) => {
  const session = connectHttp2('https://localhost', {
    createConnection: () =>
      connectTls({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false }),
  })
  const stream = session.request({ ':path': LOGIN, ':method': 'POST', ...TYPE })
  stream.end(asked)
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
  session.destroy()
  return `${headers[':status']}`
}

const doors = [
  ['SMTP', () => inbound.port, overSmtp, 'mail-refused', /^5/],
  ['submission', () => submission.door.tls, overSubmission, 'sign-in-failed', /^535/],
  ['STARTTLS', () => submission.door.starttls, overStartTls, 'sign-in-failed', /^535/],
  ['IMAP', () => imap.imaps, overImap, 'sign-in-failed', /^NO/],
  ['HTTP/1.1', () => addressOf(secure.server), overHttp1, 'sign-in-failed', /^401/],
  ['HTTP/2', () => addressOf(secure.server), overHttp2, 'sign-in-failed', /^401/],
] as const

test.each(
  doors.flatMap(([name, ...door]) => [
    [`${name}, told in a line,`, line, ...door] as const,
    [`${name}, told in bytes,`, binary, ...door] as const,
  ]),
)(
  '%s is asked by the client whom the balancer names',
  async (_name, header, port, ask, event, answer) => {
    expect(await ask(await aBalancer(port(), header))).toMatch(answer)
    expect(app.logged(event).at(-1)).toMatchObject({ ip: CLIENT, network: CLIENT })
  },
)

test('a balancer that asks whether the port is there is itself', async () => {
  const local = Buffer.from('0d0a0d0a000d0a515549540a20000000', 'hex')
  expect(await overSmtp(await aBalancer(inbound.port, local))).toMatch(/^5/)
  expect(app.logged('mail-refused').at(-1)).toMatchObject({ ip: '127.0.0.1' })
})

test('a header that comes byte by byte is read', async () => {
  const socket = connect(inbound.port, '127.0.0.1')
  socket.setNoDelay(true)
  for (const byte of binary) {
    socket.write(Buffer.of(byte))
    await new Promise((next) => setImmediate(next))
  }
  const [greeting] = await once(socket, 'data')
  expect(String(greeting)).toMatch(/^220 /)
  socket.destroy()
})

test.each([
  ['SMTP', () => inbound.port],
  ['submission', () => submission.door.starttls],
  ['IMAP', () => imap.imap],
  ['HTTPS', () => addressOf(secure.server)],
])('%s closes what a balancer sends without a header, and says so once', async (_name, port) => {
  const before = app.warnings().length
  for (const _ of ['first', 'again']) {
    const socket = connect(port(), '127.0.0.1').on('error', () => {})
    const pieces: Buffer[] = []
    socket.on('data', (piece) => pieces.push(piece))
    socket.write('EHLO other.example\r\n')
    await once(socket, 'close')
    expect(Buffer.concat(pieces).length).toBe(0)
  }
  expect(app.warnings().slice(before)).toEqual([
    expect.stringMatching(
      /^A connection from 127\.0\.0\.1, which PROXY_PROTOCOL names, did not begin/,
    ),
  ])
})

test('a client that names another one is not believed, unless it is a balancer', async () => {
  const other = await anApp({ config: { proxyProtocol: ['192.0.2.1'] } })
  const door = await openInbound(other)
  const client = await anSmtpClient(await aBalancer(door.port, line))
  expect(await client.reply()).toMatch(/^421 .*You talk too soon/)
  expect(other.logged('mail-refused').at(-1)).toMatchObject({ ip: '127.0.0.1' })
  client.close()
  await door.close()
  await other.close()
})
