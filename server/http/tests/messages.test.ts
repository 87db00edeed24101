import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
import { computingMsOf } from '#test-world/processor-time.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let reader: ApiClient
let colleague: ApiClient
let mailbox: Mailbox
let messageId: string

const raw = [
  'From: Eve <eve@example.net>',
  'Subject: Report',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'See the attachment',
  '--b',
  'Content-Type: text/html',
  "Content-Disposition: attachment; filename*=utf-8''%E2%82%AC%22%0d%0a.html",
  '',
  '<script>alert(1)</script>',
  '--b--',
  '',
].join('\r\n')

beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  const user = await aUser(app)
  const boss = await aUser(app)
  const workspace = await aWorkspace(app, {
    members: [
      { user, role: 'User' },
      { user: boss, role: 'Admin' },
    ],
  })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  mailbox = await aMailbox(app, { domain })
  const [workspaceId, mailboxId] = [workspace.id, mailbox.id]
  await letRead(app, mailbox, user.id)
  const message = { raw: Buffer.from(raw), mailFrom: '', authentication: null }
  await receiveMessage(app, app.db, message, [{ mailboxId, workspaceId }])
  reader = anApiClient(server, (await aSession(app, user)).headers)
  colleague = anApiClient(server, (await aSession(app, boss)).headers)
  const { body } = await reader.call('GET', `/mailboxes/${mailbox.id}/messages`)
  messageId = body.items[0]._id
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const at = (rest = '') => `/mailboxes/${mailbox.id}/messages/${messageId}${rest}`

test('a reader lists, opens, marks, and deletes', async () => {
  const folders = await reader.call('GET', `/mailboxes/${mailbox.id}/folders`)
  expect(folders.body[0]).toMatchObject({ role: 'inbox', name: 'Inbox', messages: 1, unread: 1 })
  const opened = await reader.call('GET', at())
  expect(opened.status).toBe(200)
  expect(opened.body).toMatchObject({ subject: 'Report', folder: 'inbox', isRead: false })
  expect(opened.body.text).toContain('See the attachment')
  const read = await reader.call('PATCH', at(), { isRead: true })
  expect(read.body).toMatchObject({ _id: messageId, isRead: true })
  const saved = await reader.call('POST', `/mailboxes/${mailbox.id}/messages`, { draft: true })
  expect(saved.status).toBe(201)
  const gone = `/mailboxes/${mailbox.id}/messages/${saved.body._id}`
  expect((await reader.call('DELETE', gone)).body).toEqual({ message: 'Deleted' })
  expect((await reader.call('GET', gone)).status).toBe(404)
})

test('an attachment that is no base64 is refused at once, however it is made', async () => {
  const refuse = async (content: string) => {
    const attachments = [{ filename: 'a', contentType: 'text/plain', content }]
    const refused = await reader.call('POST', `/mailboxes/${mailbox.id}/messages`, { attachments })
    expect(refused.body).toMatchObject({ data: { 'attachments.0.content': 'Not base64' } })
  }
  const ms = await computingMsOf(async () => {
    for (const start of ['', 'QQ==']) await refuse(`${start}${'\n'.repeat(1_000_000)}!`)
    await refuse('QQ==QQ==')
  })
  // With a pattern that tries every way to read it: a quarter of an hour.
  expect(ms).toBeLessThan(10_000)
})

test('half a character is kept as the mark for it, wherever it stands', async () => {
  const half = { bcc: ['Eve\ud800 <eve@example.net>'], subject: 'Tea\udfff', draft: true }
  const saved = await reader.call('POST', `/mailboxes/${mailbox.id}/messages`, half)
  expect(saved.body).toMatchObject({ subject: 'Tea\ufffd' })
  const { body } = await reader.call('GET', `/mailboxes/${mailbox.id}/messages/${saved.body._id}`)
  expect(body.bcc).toEqual([{ name: 'Eve\ufffd', address: 'eve@example.net' }])
  const [draft, writer] = [newId(), newId()]
  const typing = { to: ['a\ud83d'], uploads: [], draft, writer, save: 1 }
  const typed = await reader.call('POST', `/mailboxes/${mailbox.id}/drafts`, typing)
  expect(typed.status).toBe(200)
})

test('downloads are saved under a harmless name and never shown', async () => {
  const file = await reader.call('GET', at('/attachments/0'))
  expect(file.status).toBe(200)
  expect(file.body).toContain('<script>')
  expect(file.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  })
  const disposition = String(file.headers['content-disposition'])
  expect(disposition).toMatch(/^attachment; filename="[^"\r\n]+"; filename\*=UTF-8''[\w.%-]+$/)
  const source = await reader.call('GET', at('/raw'))
  expect(source.body).toBe(raw)
  expect(source.headers['content-disposition']).toContain('attachment')
})

test('no other role reads somebody’s mail, and nobody without a session', async () => {
  const stranger = anApiClient(server)
  for (const path of [at(), at('/raw'), at('/attachments/0'), `/mailboxes/${mailbox.id}/folders`]) {
    expect((await colleague.call('GET', path)).status, path).toBe(403)
    expect((await stranger.call('GET', path)).status, path).toBe(401)
    const random = path.replace(mailbox.id, newId())
    expect((await reader.call('GET', random)).status, path).toBe(404)
  }
  for (const n of ['1', '-1', 'x', '00000', '1e1'])
    expect((await reader.call('GET', at(`/attachments/${n}`))).status, n).toBe(404)
})
