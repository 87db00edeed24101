/** Large bodies and answers are in memory until the last byte has gone: there is so much room, in fair shares. */
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, letRead } from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

type Box = { mailboxId: string; workspaceId: string }

let app: TestApp
let server: FastifyInstance
let address: string
const people: { path: string; headers: Record<string, string>; box: Box; domain: string }[] = []

beforeAll(async () => {
  app = await anApp()
  const large = { ofAll: 4_500_000, ofNetwork: 4_500_000, ofParty: 2_500_000 }
  const small = { ofAll: 1_000_000, ofNetwork: 1_000_000, ofParty: 600_000 }
  const pace = { waitMs: 60_000, graceMs: 1_000, bytesPerSecond: 1e9 }
  server = await openHttpServer(app, { bodyRoom: { large, small, pace } })
  server.server.on('connection', (socket) => sockets.push(socket))
  address = await server.listen({ port: 0, host: '127.0.0.1' })
  for (let n = 0; n < 6; n++) {
    const user = await aUser(app)
    const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
    const mailbox = await aMailbox(app, { domain })
    await letRead(app, mailbox, user.id)
    const headers = { ...(await aSession(app, user)).headers, 'content-type': 'application/json' }
    const box = { mailboxId: mailbox.id, workspaceId: workspace.id }
    people.push({ path: `/api/v1/mailboxes/${mailbox.id}`, headers, box, domain: domain.name })
  }
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const file = JSON.stringify({
  ...{ filename: 'a', contentType: 'a/b' },
  content: Buffer.alloc(750_000).toString('base64'),
})

const sockets: Socket[] = []
const arrived = () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)

type Body = string | Buffer

const ask = (by: number, below: string, body: Body, localAddress = '127.0.0.1'): ClientRequest => {
  const { path, headers } = people[by] as (typeof people)[number]
  const asked = request(`${address}${path}${below}`, {
    ...{ method: 'POST', localAddress },
    headers: { ...headers, 'content-length': body.length },
  })
  asked.on('error', () => {})
  return asked
}

/** All but the last byte has come. */
const begin = async (by: number): Promise<ClientRequest> => {
  const asked = ask(by, '/uploads', file)
  const before = arrived()
  asked.write(file.slice(0, -1))
  await expect.poll(arrived, { interval: 5 }).toBeGreaterThanOrEqual(before + file.length - 1)
  return asked
}

const answerTo = async (asked: ClientRequest): Promise<IncomingMessage> => {
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return answer
}

const end = (asked: ClientRequest): Promise<IncomingMessage> => {
  asked.end(file.slice(-1))
  return answerTo(asked)
}

const upload = async (by: number) => {
  const asked = ask(by, '/uploads', file)
  asked.end(file)
  return (await answerTo(asked)).statusCode
}

test('beyond its share one waits for itself, unread; another goes on', async () => {
  const open = [await begin(0), await begin(0)]
  const third = upload(0)
  expect(await upload(1)).toBe(201)
  expect(await Promise.race([third, upload(1)])).toBe(201)
  for (const asked of open) expect((await end(asked)).statusCode).toBe(201)
  expect(await third).toBe(201)
})

test('who stops sending while others wait is answered, and its place is free', async () => {
  const stopped = [await begin(0), await begin(0), await begin(1), await begin(1)]
  const answers = stopped.map(answerTo)
  for (const answer of answers) answer.catch(() => {})
  expect(await upload(2)).toBe(201)
  const refused = await Promise.race(answers)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10'])
  // Whoever leaves in the middle holds nothing.
  for (const asked of stopped) asked.destroy()
  await Promise.allSettled(answers)
  expect(await Promise.all([upload(1), upload(1), upload(0), upload(2)])).toEqual([
    ...[201, 201, 201, 201],
  ])
})

test('a file that is uploaded is never in memory as text, and gone from it once it is kept', async () => {
  const parse = vi.spyOn(JSON, 'parse')
  const put = vi.spyOn(app.blobs, 'put')
  expect(await upload(3)).toBe(201)
  const lengths = parse.mock.calls.map(([text]) => text.length)
  const [kept] = put.mock.calls.flat()
  parse.mockRestore()
  put.mockRestore()
  expect(lengths.length).toBeGreaterThan(0)
  expect(Math.max(...lengths)).toBeLessThan(10_000)
  expect(kept?.byteLength).toBe(0)
})

test('small bodies have a room of their own', async () => {
  const open = [await begin(0), await begin(0), await begin(1), await begin(1)]
  const asked = ask(2, '/folders', '{"name":"Invoices"}')
  asked.end('{"name":"Invoices"}')
  expect((await answerTo(asked)).statusCode).toBe(201)
  for (const each of open) expect((await end(each)).statusCode).toBe(201)
})

test('five accounts of five networks hold all the room: my draft, my letter and my files go on', async () => {
  const [, , , , , me = 0] = people.keys()
  const before = arrived()
  const held = Array.from({ length: 10 }, (_, n) => {
    const asked = ask(n % 5, '/uploads', file, `127.0.8.${(n % 5) + 1}`)
    asked.write(file.slice(0, 1_000))
    return asked
  })
  // The headers of all, and what was begun of those that have a place.
  await expect.poll(arrived, { interval: 5 }).toBeGreaterThan(before + 10 * 1_000)
  const answers = held.map((asked) => answerTo(asked).catch(() => null))
  const post = async (below: string, body: object) => {
    const text = JSON.stringify(body)
    const asked = ask(me, below, text, '127.0.9.1')
    asked.end(text)
    return (await answerTo(asked)).statusCode
  }
  const letter = { to: ['grace@example.net'], subject: 'Tea' }
  const draft = { ...letter, html: '<p>At four?</p>', draft: newId(), writer: newId(), save: 1 }
  expect(await post('/drafts', draft)).toBe(200)
  const text = 'At four?'
  expect(await post('/messages', { ...letter, text })).toBe(201)
  expect(await post('/uploads', JSON.parse(file))).toBe(201)
  expect(await post('/messages', { ...letter, text, attachments: [JSON.parse(file)] })).toBe(201)
  for (const asked of held) asked.destroy()
  await Promise.all(answers)
})

test('answers count too, until they are sent', async () => {
  const { path, headers, box } = people[0] as (typeof people)[number]
  const read = async (bytes: number) => {
    const raw = Buffer.from(`Subject: ${bytes}\r\n\r\n${'It weaves. '.repeat(bytes / 11)}\r\n`)
    await receiveMessage(app, app.db, { raw, mailFrom: '', authentication: null }, [box])
    const get = (below: string) => server.inject({ url: `${path}${below}`, headers })
    const [newest] = (await get('/messages?folder=inbox')).json().items
    return get(`/messages/${newest._id}`)
  }
  expect((await read(3_000_000)).statusCode).toBe(429)
  for (let n = 0; n < 4; n++) expect((await read(1_000_000)).statusCode).toBe(200)
})

test('a large kept message that is asked for and not read costs a piece, not all of it', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = () => {
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const { path, headers, box } = people[3] as (typeof people)[number]
  const raw = Buffer.from(`Subject: large\r\n\r\n${'It weaves. '.repeat(1_000_000)}\r\n`)
  await receiveMessage(app, app.db, { raw, mailFrom: '', authentication: null }, [box])
  const list = await server.inject({ url: `${path}/messages?folder=inbox`, headers })
  const [{ _id }] = list.json().items
  const before = held()
  const asked = Array.from({ length: 4 }, () => {
    const each = request(`${address}${path}/messages/${_id}/raw`, { headers })
    each.on('error', () => {}).end()
    return each
  })
  const answers = await Promise.all(
    asked.map(async (each) => ((await once(each, 'response')) as [IncomingMessage])[0]),
  )
  await expect.poll(() => held() - before).toBeLessThan(raw.length / 2)
  const [read, ...unread] = answers as [IncomingMessage, ...IncomingMessage[]]
  expect(raw.equals(await buffer(read))).toBe(true)
  for (const each of unread) each.destroy()
})

test('what was changed is told, however long the answer is', async () => {
  const { headers, domain } = people[1] as (typeof people)[number]
  const names = ['Johanna', 'Matilda', 'Ottilie', 'Rosalind'].map((firstName) => ({
    ...{ firstName, lastName: 'Ellery' },
  }))
  const signature = `<p>${'Kind regards. '.repeat(45_000)}</p>`
  const payload = { domains: [domain], count: names.length, names, signature }
  const url = '/api/v1/mailboxes/generate'
  const answer = await server.inject({ method: 'POST', url, headers, payload })
  expect([answer.statusCode, answer.payload.length > 2_500_000]).toEqual([201, true])
})
