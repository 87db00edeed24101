import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Authentication } from '#contract/messages.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
} from '#test-world/builders.ts'
import { aHostileWeb, type HostileWeb, PNG } from '#test-world/outgoing/hostile-web.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let web: HostileWeb
let mailbox: Mailbox
let readerHeaders: Record<string, string>
let reader: ApiClient
let colleague: ApiClient
let stranger: ApiClient
let messageId: string
beforeAll(async () => {
  web = await aHostileWeb()
  app = await anApp()
  server = await openHttpServer(app)
  const [user, boss, other] = [await aUser(app), await aUser(app), await aUser(app)]
  const workspace = await aWorkspace(app, {
    members: [
      { user, role: 'User' },
      { user: boss, role: 'Admin' },
    ],
  })
  await aWorkspace(app, { members: [{ user: other, role: 'Admin' }] })
  mailbox = await aMailbox(app, {
    domain: await aDomain(app, { workspaceId: workspace.id, active: true }),
  })
  await letRead(app, mailbox, user.id)
  readerHeaders = (await aSession(app, user)).headers
  reader = anApiClient(server, readerHeaders)
  colleague = anApiClient(server, (await aSession(app, boss)).headers)
  stranger = anApiClient(server, (await aSession(app, other)).headers)
  messageId = await receive({ spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' })
})
beforeEach(() => {
  web.seen.length = 0
})
afterAll(async () => {
  await server.close()
  await app.close()
  await web.close()
})

const pictures = ['picture', 'named-otherwise', 'page', 'vector', 'empty', 'missing', 'bomb']

const receive = async (authentication: Authentication | null): Promise<string> => {
  const images = pictures.map((name) => `<img src="${web.url}/${name}.png?a=1&amp;b=2">`)
  const raw = `From: News <News@Sender.example>\r\nSubject: News\r\nContent-Type: text/html\r\n\r\n${images.join('\r\n')}<p>${newId()}</p>`
  const { id: mailboxId, workspaceId } = mailbox
  const message = { raw: Buffer.from(raw), mailFrom: 'news@sender.example', authentication }
  await receiveMessage(app, app.db, message, [{ mailboxId, workspaceId }])
  const { body } = await reader.call('GET', `/mailboxes/${mailbox.id}/messages?limit=1`)
  return body.items[0]._id
}

const addressOf = (url: string, id = messageId) =>
  `/mailboxes/${mailbox.id}/messages/${id}/picture?url=${encodeURIComponent(url)}`
const at = (name: string) => `${web.url}/${name}.png?a=1&b=2`

test.each(['picture', 'named-otherwise'])(
  '%s comes as what its bytes are, and as no more',
  async (name) => {
    const answer = await server.inject({
      url: `/api/v1${addressOf(at(name))}`,
      headers: { ...readerHeaders, cookie: 'secret=1', referer: 'https://ours.example/' },
    })
    expect(answer.statusCode).toBe(200)
    expect(PNG.equals(answer.rawPayload)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=600, immutable',
      vary: 'authorization',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(web.seen).toHaveLength(1)
    expect(Object.keys(web.seen[0]?.headers ?? {})).not.toContain('cookie')
    expect(Object.keys(web.seen[0]?.headers ?? {})).not.toContain('referer')
  },
)

test.each(['page', 'vector', 'empty', 'missing', 'bomb'])('%s is no picture', async (name) => {
  const { status, body } = await reader.call('GET', addressOf(at(name)))
  expect([status, body.type]).toEqual([409, 'PICTURE_UNAVAILABLE'])
})

test('nothing is fetched that does not stand in the message, or for who may not read it', async () => {
  const elsewhere = [
    'http://127.0.0.1/',
    `${web.url}/`,
    at('other'),
    at('picture').slice(0, -1),
    '',
  ]
  for (const url of elsewhere)
    expect((await reader.call('GET', addressOf(url))).status, url).toBe(404)
  expect((await reader.call('GET', addressOf(at('picture'), newId()))).status).toBe(404)
  expect((await colleague.call('GET', addressOf(at('picture')))).status).toBe(403)
  expect((await stranger.call('GET', addressOf(at('picture')))).status).toBe(404)
  expect((await anApiClient(server).call('GET', addressOf(at('picture')))).status).toBe(401)
  expect(web.seen).toEqual([])
})

test('so many are fetched in an hour, and no more', async () => {
  const key = `pictures ${mailbox.id}`
  const before = await app.db.selectFrom('throttles').selectAll().where('key', '=', key).execute()
  await app.db.updateTable('throttles').set({ count: 3_000 }).where('key', '=', key).execute()
  const { status, headers } = await reader.call('GET', addressOf(at('picture')))
  expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true])
  expect(web.seen).toEqual([])
  await app.db
    .updateTable('throttles')
    .set({ count: before[0]?.count ?? 0 })
    .where('key', '=', key)
    .execute()
  expect((await reader.call('GET', addressOf(at('picture')))).status).toBe(200)
})

test('a sender is kept whose message was proven, once, until it is taken back', async () => {
  const senders = `/mailboxes/${mailbox.id}/picture-senders`
  const forged = await receive({ spf: 'pass', dkim: 'none', dmarc: 'fail', arc: 'none' })
  const refused = await reader.call('POST', senders, { messageId: forged })
  expect([refused.status, refused.body.type]).toEqual([409, 'SENDER_NOT_PROVEN'])
  const added = await reader.call('POST', senders, { messageId })
  expect([added.status, added.body.address]).toEqual([201, 'news@sender.example'])
  expect((await reader.call('POST', senders, { messageId })).body).toEqual(added.body)
  expect((await reader.call('GET', senders)).body).toEqual([added.body])

  const one = `${senders}/${added.body._id}`
  for (const [who, status] of [
    [colleague, 403],
    [stranger, 404],
  ] as const) {
    expect((await who.call('GET', senders)).status).toBe(status)
    expect((await who.call('POST', senders, { messageId })).status).toBe(status)
    expect((await who.call('DELETE', one)).status).toBe(status)
  }
  expect((await reader.call('DELETE', one)).status).toBe(200)
  expect((await reader.call('DELETE', one)).status).toBe(404)
  expect((await reader.call('GET', senders)).body).toEqual([])
})

test('a workspace with many mailboxes asks for no more at once than one with two', async () => {
  const waiting = new Set<ServerResponse>()
  let most = 0
  let isSlow = true
  const slow = createServer((_request, response) => {
    waiting.add(response)
    most = Math.max(most, waiting.size)
    response.on('close', () => waiting.delete(response))
    if (!isSlow) response.end(PNG)
  }).listen(0, '127.0.0.1')
  await once(slow, 'listening')
  const url = (n: number) => `http://127.0.0.1:${(slow.address() as AddressInfo).port}/${n}.png`
  const user = await aUser(app)
  const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const { headers } = await aSession(app, user)
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  const asked: Promise<{ status: number }>[] = []
  for (let box = 0; box < 4; box++) {
    const { id: mailboxId, workspaceId } = await aMailbox(app, { domain })
    await letRead(app, { id: mailboxId, workspaceId }, user.id)
    const images = [1, 2, 3, 4, 5, 6].map((n) => `<img src="${url(n)}">`).join('')
    const raw = Buffer.from(`From: a@b.example\r\nContent-Type: text/html\r\n\r\n${images}`)
    const message = { raw, mailFrom: 'a@b.example', authentication: null }
    await receiveMessage(app, app.db, message, [{ mailboxId, workspaceId }])
    const client = anApiClient(server, headers)
    const { body } = await client.call('GET', `/mailboxes/${mailboxId}/messages`)
    const path = `/mailboxes/${mailboxId}/messages/${body.items[0]._id}/picture?url=`
    for (const n of [1, 2, 3, 4, 5, 6])
      asked.push(client.call('GET', path + encodeURIComponent(url(n))))
  }
  await expect.poll(() => waiting.size).toBe(12)
  isSlow = false
  for (const response of waiting) response.end(PNG)
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses).toEqual(Array(24).fill(200))
  expect(most).toBe(12)
  slow.close()
})
