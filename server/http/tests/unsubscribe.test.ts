import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { openInbound } from '#server/mail/inbound/listener.ts'
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
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import {
  anHttpsServer,
  aTrustedCertificate,
  type HttpsServer,
} from '#test-world/outgoing/https-server.ts'
import { aSession } from '#test-world/session.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let dns: TestDns
let web: HttpsServer
let server: FastifyInstance
let inbound: Awaited<ReturnType<typeof openInbound>>
let mailbox: Mailbox
let reader: ApiClient
let colleague: ApiClient
let stranger: ApiClient
const posts: { url: string; method: string; body: string; headers: IncomingMessage['headers'] }[] =
  []
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const answers: Record<string, (response: ServerResponse) => void> = {
  '/moved': (response) => void response.writeHead(302, { location: '/done' }).end(),
  '/broken': (response) => void response.writeHead(500).end(),
  '/giant': (response) => {
    const chunk = Buffer.alloc(65_536, 7)
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.writeHead(200).on('drain', pour)
    pour()
  },
}

const answer = async (request: IncomingMessage, response: ServerResponse) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { url = '', method = '', headers } = request
  posts.push({ url, method, body, headers })
  const path = url.split('?')[0] ?? ''
  const usual = () => response.end('ok')
  ;(answers[path] ?? usual)(response)
}

beforeAll(async () => {
  dns = await aDnsServer()
  const servers = [dns.address]
  app = await anApp({
    dns: openDns({ servers, port: dns.port, allowLoopbackPeers: true, timeoutMs: 300 }),
  })
  inbound = await openInbound(app)
  server = await openHttpServer(app)
  dns.zone('list.example')
  const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  dns.set('s1._domainkey.list.example', 'TXT', [`v=DKIM1; k=rsa; p=${p}`])
  dns.set('list.example', 'A', ['127.0.0.1'])
  web = await anHttpsServer(aTrustedCertificate('list.example'), answer)
  const [user, boss, other] = [await aUser(app), await aUser(app), await aUser(app)]
  const workspace = await aWorkspace(app, {
    members: [
      { user, role: 'User' },
      { user: boss, role: 'Admin' },
    ],
  })
  await aWorkspace(app, { members: [{ user: other, role: 'Admin' }] })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, user.id)
  reader = anApiClient(server, (await aSession(app, user)).headers)
  colleague = anApiClient(server, (await aSession(app, boss)).headers)
  stranger = anApiClient(server, (await aSession(app, other)).headers)
})
beforeEach(() => {
  posts.length = 0
})
afterAll(async () => {
  await inbound.close()
  await server.close()
  await app.close()
  await web.close()
  await dns.close()
})

const at = (path: string) => `https://list.example:${web.port}${path}`
const ONE_CLICK = 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'
const BOTH = 'from:subject:list-unsubscribe:list-unsubscribe-post'

/** A message with these fields, signed over `covered`; '' leaves it unsigned. Returns the address of its offer. */
const receive = async (fields: string[], covered = BOTH): Promise<string> => {
  const head = ['From: News <news@list.example>', `Subject: ${newId()}`, ...fields]
  const raw = `${head.join('\r\n')}\r\n\r\nHello\r\n`
  const signed = covered === '' ? '' : await signatureOf(raw, covered)
  const letter = { from: 'news@list.example', to: mailbox.email, raw: signed + raw }
  expect(await sendMail(inbound.port, letter)).toMatch(/^250/)
  const { body } = await reader.call('GET', `/mailboxes/${mailbox.id}/search?q=news&limit=1`)
  return `/mailboxes/${mailbox.id}/messages/${body.items[0]._id}/unsubscribe`
}

const signatureOf = async (raw: string, headerList: string): Promise<string> => {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const key = { signingDomain: 'list.example', selector: 's1', privateKey: pem }
  const options = { ...key, headerList: headerList.split(':'), signatureData: [key] }
  const { signatures } = await dkimSign(raw, options)
  return `${signatures.trimEnd()}\r\n`
}

test('one click posts once as RFC 8058 has it, and the date is kept for the list', async () => {
  const id = `List-ID: News <${newId()}.list.example>`
  const target = `List-Unsubscribe: <mailto:off@list.example>, <${at('/done?u=7')}>`
  const offer = await receive([id, target, ONE_CLICK])
  expect((await reader.call('GET', offer)).body).toEqual({
    ...{ way: 'one-click', target: `list.example:${web.port}`, unsubscribedAt: null },
    letter: null,
  })
  expect(posts).toEqual([])
  const { status, body } = await reader.call('POST', offer)
  expect([status, Number.isNaN(Date.parse(body.unsubscribedAt))]).toEqual([200, false])
  expect(posts).toHaveLength(1)
  expect(posts[0]).toMatchObject({
    ...{ url: '/done?u=7', method: 'POST', body: 'List-Unsubscribe=One-Click' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(posts[0]?.headers).not.toHaveProperty('cookie')
  expect(posts[0]?.headers).not.toHaveProperty('referer')
  const next = await receive([id, target, ONE_CLICK])
  expect((await reader.call('GET', next)).body.unsubscribedAt).toBe(body.unsubscribedAt)
})

test.each([
  ['not signed', [ONE_CLICK], ''],
  ['signed over one of the two fields', [ONE_CLICK], 'from:subject:list-unsubscribe'],
  ['without List-Unsubscribe-Post', [], BOTH],
  ['with another word in it', ['List-Unsubscribe-Post: List-Unsubscribe=Yes'], BOTH],
])('a message %s only offers its page, and nothing is asked', async (_name, fields, covered) => {
  const page = at('/done')
  const offer = await receive([`List-Unsubscribe: <${page}>`, ...fields], covered)
  expect((await reader.call('GET', offer)).body).toMatchObject({ way: 'page', target: page })
  const { status, body } = await reader.call('POST', offer)
  expect([status, body.type]).toEqual([409, 'NO_ONE_CLICK'])
  expect(posts).toEqual([])
})

test('results and signatures that the sender forged do not count', async () => {
  const { mailHost } = app.config
  const forged = [
    `Authentication-Results: ${mailHost}; dkim=pass header.d=list.example header.b="AAAAAAAA"`,
    `DKIM-Signature: v=1; a=rsa-sha256; d=list.example; s=s1; h=${BOTH}; bh=AA; b=AAAAAAAA`,
    `List-Unsubscribe: <${at('/done')}>`,
    ONE_CLICK,
  ]
  const offer = await receive(forged, 'from:subject')
  expect((await reader.call('GET', offer)).body.way).toBe('page')
})

test.each(['/moved', '/broken'])('%s is a failure in words, and nothing is kept', async (path) => {
  const id = `List-ID: <${newId()}>`
  const offer = await receive([id, `List-Unsubscribe: <${at(path)}>`, ONE_CLICK])
  const { status, body } = await reader.call('POST', offer)
  expect([status, body.type]).toEqual([409, 'UNSUBSCRIBE_FAILED'])
  expect(body.message).toContain('list.example did not accept it: it answers')
  expect(posts.map(({ url }) => url)).toEqual([path])
  expect((await reader.call('GET', offer)).body.unsubscribedAt).toBeNull()
})

test('an endless answer is not read', async () => {
  const offer = await receive([
    ...[`List-ID: <${newId()}>`, `List-Unsubscribe: <${at('/giant')}>`, ONE_CLICK],
  ])
  expect((await reader.call('POST', offer)).status).toBe(200)
})

const longTarget = `https://x/${'y'.repeat(3000)}`
test.each(['http://169.254.169.254/x', 'javascript:alert(1)', 'nonsense', longTarget])(
  '%.40s is no way at all',
  async (url) => {
    const offer = await receive([`List-Unsubscribe: <${url}>`, ONE_CLICK])
    expect((await reader.call('GET', offer)).body).toMatchObject({ way: null, target: '' })
  },
)

test('a private address is not dialled', async () => {
  const offer = await receive(['List-Unsubscribe: <https://169.254.169.254/x>', ONE_CLICK])
  const { status, body } = await reader.call('POST', offer)
  expect([status, body.type]).toEqual([409, 'UNSUBSCRIBE_FAILED'])
  expect(body.message).toContain('is not an address of another host on the public Internet')
})

test('without https a message is sent to the mailto: address, as it asks, and the date is kept', async () => {
  const target =
    'mailto:off@list.example,others@list.example?subject=off%207&body=Please&bcc=eve@x.example'
  const id = `List-ID: <${newId()}>`
  const to = `To: ${mailbox.email}`
  const offer = await receive([to, id, `List-Unsubscribe: <http://x.example/>, <${target}>`])
  expect((await reader.call('GET', offer)).body).toEqual({
    ...{ way: 'mail', target: 'off@list.example', unsubscribedAt: null },
    letter: { subject: 'off 7', text: 'Please' },
  })
  const { status, body } = await reader.call('POST', offer)
  expect([status, Number.isNaN(Date.parse(body.unsubscribedAt))]).toEqual([200, false])
  const { body: sent } = await reader.call('GET', `/mailboxes/${mailbox.id}/messages?folder=sent`)
  expect(sent.items).toHaveLength(1)
  expect(sent.items[0]).toMatchObject({
    ...{ subject: 'off 7', preview: 'Please', from: { address: mailbox.email } },
    to: [{ address: 'off@list.example' }],
  })
  const { rows } = await sql<{ recipient: string }>`select recipient from deliveries`.execute(
    app.db,
  )
  expect(rows).toEqual([{ recipient: 'off@list.example' }])
})

test('a stranger does not put a long letter into the reader’s mouth, and what is sent is shown before', async () => {
  const target = `mailto:off@list.example?subject=${'s'.repeat(400)}&body=${'t'.repeat(700)}`
  const offer = await receive([`List-Unsubscribe: <${target}>`])
  const { letter } = (await reader.call('GET', offer)).body
  expect(letter).toEqual({ subject: 's'.repeat(200), text: 't'.repeat(500) })
  expect((await reader.call('POST', offer)).status).toBe(200)
  const folder = `/mailboxes/${mailbox.id}/messages`
  const { items } = (await reader.call('GET', `${folder}?folder=sent`)).body
  const sent = (await reader.call('GET', `${folder}/${items[0]._id}`)).body
  expect([sent.subject, sent.text.trim()]).toEqual([letter.subject, letter.text])
})

test('only a reader of the mailbox may ask, and at most 60 times an hour', async () => {
  const offer = await receive([`List-Unsubscribe: <${at('/done')}>`, ONE_CLICK])
  for (const method of ['GET', 'POST'] as const) {
    expect((await colleague.call(method, offer)).status).toBe(403)
    expect((await stranger.call(method, offer)).status).toBe(404)
  }
  await app.db
    .updateTable('throttles')
    .set({ count: 60 })
    .where('key', '=', `unsubscribe ${mailbox.id}`)
    .execute()
  expect((await reader.call('POST', offer)).status).toBe(429)
  expect(posts).toEqual([])
})
