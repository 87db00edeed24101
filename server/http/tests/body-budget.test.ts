/** Bodies that many requests send at once wait in memory until the last byte is there, and answers until the last is read. */
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
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
  server = await openHttpServer(app, { bodyBytes: { ofOne: 2_500_000, ofAll: 4_500_000 } })
  server.server.on('connection', (socket) => sockets.push(socket))
  address = await server.listen({ port: 0, host: '127.0.0.1' })
  for (let n = 0; n < 3; n++) {
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

/** All but the last byte has come. */
const begin = async (by: number): Promise<ClientRequest> => {
  const { path, headers } = people[by] as (typeof people)[number]
  const asked = request(`${address}${path}/uploads`, { method: 'POST', headers })
  asked.on('error', () => {})
  const before = arrived()
  asked.write(file.slice(0, -1))
  await expect
    .poll(arrived, { interval: 5, timeout: 10_000 })
    .toBeGreaterThanOrEqual(before + file.length - 1)
  return asked
}

const end = async (asked: ClientRequest): Promise<IncomingMessage> => {
  asked.end(file.slice(-1))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return answer
}

const upload = async (by: number) => (await end(await begin(by))).statusCode

test('one person, and all together, have so many bytes on their way; then they come again', async () => {
  const open = [await begin(0), await begin(0)]
  const refused = await end(await begin(0))
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10'])
  open.push(await begin(1), await begin(1))
  expect(await upload(2)).toBe(429)
  for (const asked of open.splice(0, 2)) expect((await end(asked)).statusCode).toBe(201)
  expect(await upload(2)).toBe(201)
  // Whoever leaves in the middle holds nothing.
  for (const asked of open) asked.destroy()
  const two = async () => {
    const both = [await begin(1), await begin(1)]
    return Promise.all(both.map(async (asked) => (await end(asked)).statusCode))
  }
  await expect.poll(two, { timeout: 10_000 }).toEqual([201, 201])
})

test('answers count too, until they are sent', async () => {
  const { path, headers, box } = people[0] as (typeof people)[number]
  const read = async (bytes: number) => {
    const raw = Buffer.from(`Subject: ${bytes}\r\n\r\n${'It weaves. '.repeat(bytes / 11)}\r\n`)
    await receiveMessage(app, app.db, { raw, mailFrom: '', authentication: null }, [box])
    const ask = (below: string) => server.inject({ url: `${path}${below}`, headers })
    const [newest] = (await ask('/messages?folder=inbox')).json().items
    return ask(`/messages/${newest._id}`)
  }
  expect((await read(3_000_000)).statusCode).toBe(429)
  for (let n = 0; n < 4; n++) expect((await read(1_000_000)).statusCode).toBe(200)
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
