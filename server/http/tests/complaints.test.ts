/** Complaints that other servers pass on, what operators see of senders, and how they stop one. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OperatedSender } from '#contract/operator/senders.ts'
import { mailOperatorStops } from '#server/features/sending/stops/operator-stop.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
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
  type User,
} from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aSession } from '#test-world/session.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let dns: TestDns
let server: FastifyInstance
let inbound: Awaited<ReturnType<typeof openInbound>>
let operator: ApiClient
beforeAll(async () => {
  dns = await aDnsServer()
  for (const name of ['provider.example', 'forger.example']) {
    dns.zone(name)
    dns.set(`_dmarc.${name}`, 'TXT', ['v=DMARC1; p=none'])
    dns.set(name, 'TXT', [name === 'forger.example' ? 'v=spf1 -all' : 'v=spf1 ip4:127.0.0.0/8'])
  }
  app = await anApp({
    config: { operators: ['ops@mailstead.example'] },
    dns: openDns({
      ...{ servers: [dns.address], port: dns.port, allowLoopbackPeers: true, timeoutMs: 300 },
    }),
  })
  server = await openHttpServer(app)
  inbound = await openInbound(app)
  operator = await clientOf(await aUser(app, { email: 'ops@mailstead.example' }))
})
afterAll(async () => {
  await inbound.close()
  await server.close()
  await app.close()
  await dns.close()
})

const clientOf = async (user: User): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)

/** A customer whose mailbox has sent one message. */
let ada: User
let admin: ApiClient
let mailbox: Mailbox
let messageId: string
const send = () =>
  admin.call('POST', `/mailboxes/${mailbox.id}/messages`, {
    ...{ to: ['bob@example.net'], cc: [], bcc: [], subject: 'Hi', text: 'Hi', draft: false },
  })
beforeEach(async () => {
  // Role addresses take ten mails of a network in an hour.
  app.clock.advance({ hours: 1 })
  ada = await aUser(app)
  const members = [{ user: ada, role: 'Admin' as const }]
  const workspace = await aWorkspace(app, { members })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, ada.id)
  admin = await clientOf(ada)
  operator = await clientOf(await userOf('ops@mailstead.example'))
  expect((await send()).status).toBe(201)
  const sent = await app.db
    .selectFrom('messages')
    .select('messageId')
    .where('mailboxId', '=', mailbox.id)
    .executeTakeFirstOrThrow()
  messageId = sent.messageId
})

const userOf = (email: string) =>
  app.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

type Report = {
  kind?: string
  about?: string
  from?: string
  by?: string
  signer?: string
  reporter?: string
}

const report = async (given: Report = {}, to = 'abuse@mail.mailstead.test') => {
  const { kind = 'abuse', about = messageId, from = mailbox.email, by = 'carl', signer } = given
  const { reporter = 'provider.example' } = given
  const raw = [
    `From: Feedback <fbl@${reporter}>`,
    `Message-ID: <${crypto.randomUUID()}@provider.example>`,
    `Date: ${app.clock.now().toUTCString()}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
    '',
    ...['--b', 'Content-Type: text/plain', '', 'A complaint', ''],
    ...['--b', 'Content-Type: message/feedback-report', '', `Feedback-Type: ${kind}`],
    ...['Version: 1', `Original-Rcpt-To: <${by}@provider.example>`, ''],
    ...['--b', 'Content-Type: message/rfc822', '', `From: <${from}>`],
    ...(signer === undefined ? [] : [`DKIM-Signature: v=1; d=${signer}; b=x`]),
    ...[`Message-ID: <${about}>`, 'Subject: Hi', '', 'Hi', ''],
    ...['--b--', ''],
  ].join('\r\n')
  expect(await sendMail(inbound.port, { from: `fbl@${reporter}`, to, raw })).toMatch(/^250 /)
}

const row = async (): Promise<OperatedSender | undefined> => {
  const { body } = await operator.call('GET', `/operator/senders?q=${mailbox.email}`)
  return body.items[0]
}

test('a complaint counts against the mailbox that sent the mail, once for each person', async () => {
  expect(await row()).toMatchObject({ email: mailbox.email, sent: 1, bounced: 0, complaints: 0 })
  await report()
  expect(await row()).toMatchObject({ complaints: 1, reporters: ['provider.example'] })
  await report()
  await report({ by: 'dora' })
  await report({ kind: 'not-spam', by: 'emil' })
  expect(await row()).toMatchObject({ complaints: 2 })
  expect(app.logged('complaint-received').at(-1)).toMatchObject({
    ...{ mailboxId: mailbox.id, kind: 'abuse', reporter: 'provider.example' },
  })
  app.clock.advance({ days: 7, seconds: 1 })
  operator = await clientOf(await userOf('ops@mailstead.example'))
  expect(await row()).toBe(undefined)
})

test('it also counts at the address of the sender, and at abuse@ of its domain', async () => {
  await report({ by: 'carl' }, mailbox.email)
  await report({ by: 'dora' }, `abuse@${mailbox.email.split('@')[1]}`)
  expect(await row()).toMatchObject({ complaints: 2 })
})

test('of a mail that nobody here sent, it counts only where the domain of the sender signed it', async () => {
  const domain = mailbox.email.split('@')[1] ?? ''
  await report({ about: 'invented@elsewhere.example' })
  await report({ about: 'invented@elsewhere.example', signer: 'elsewhere.example' })
  expect(await row()).toMatchObject({ complaints: 0 })
  await report({ about: 'program@elsewhere.example', signer: domain })
  expect(await row()).toMatchObject({ complaints: 1 })
  // What is quoted may be invented: a reporter counts once a day.
  await report({ about: 'another@elsewhere.example', signer: domain, by: 'dora' })
  expect(await row()).toMatchObject({ complaints: 1 })
})

test('who is not the reporter that it says counts nothing', async () => {
  await report({ reporter: 'forger.example' })
  await report({ reporter: 'nobody-knows.example' })
  expect(await row()).toMatchObject({ complaints: 0 })
})

const stop = (body: { sender?: string; reason: string; queued: 'hold' | 'drop' }) =>
  operator.call('POST', '/operator/senders/stop', { sender: mailbox.id, ...body })
const resume = (sender = mailbox.id) =>
  operator.call('POST', '/operator/senders/resume', { sender })

const adminMails = async () => {
  const rows = await app.db
    .selectFrom('deliveries')
    .innerJoin('outboxMessages', 'outboxMessages.id', 'deliveries.outboxMessageId')
    .select('blob')
    .where('recipient', '=', ada.email)
    .execute()
  const mails = await Promise.all(rows.map(({ blob }) => app.blobs.get(blob)))
  return mails.map(String).filter((mail) => mail.includes('has stopped sending from'))
}

const waiting = () =>
  app.db
    .selectFrom('deliveries')
    .innerJoin('outboxMessages', 'outboxMessages.id', 'deliveries.outboxMessageId')
    .select(['status', 'deliveries.lastReply'])
    .where('mailboxId', '=', mailbox.id)
    .execute()

test('an operator stops a sender, its Admins are told once, and only an operator lets it go on', async () => {
  const reason = 'Forty people complained'
  const stopped = await stop({ reason, queued: 'hold' })
  expect(stopped.body).toMatchObject({ stoppedFor: reason, stoppedAt: expect.any(String) })
  expect(await waiting()).toMatchObject([{ status: 'queued' }])
  expect((await send()).body).toMatchObject({
    type: 'MAILBOX_SENDING_STOPPED',
    message: expect.stringContaining(`Only the operator can resume it. The reason: ${reason}`),
  })
  await mailOperatorStops(app)
  await mailOperatorStops(app)
  expect(await adminMails()).toHaveLength(1)
  expect((await adminMails())[0]).toContain(reason)
  const { body } = await admin.call('GET', `/mailboxes/${mailbox.id}/sending`)
  expect(body.stopped).toMatchObject({ operatorReason: reason })
  const own = await admin.call('POST', `/mailboxes/${mailbox.id}/sending/resume`)
  expect(own.body).toMatchObject({ type: 'MAILBOX_SENDING_STOPPED' })
  const actions = (await operator.call('GET', '/operator/actions')).body.items
  expect(actions[0]).toMatchObject({
    ...{ verb: 'sender stop', subject: mailbox.email, detail: reason },
    workspaceId: mailbox.workspaceId,
  })
  expect((await resume()).body).toMatchObject({ stoppedAt: null })
  expect((await send()).status).toBe(201)
})

test('what a stopped sender has queued is dropped when it is asked for', async () => {
  await stop({ reason: 'Stolen', queued: 'drop' })
  expect(await waiting()).toEqual([
    { status: 'failed', lastReply: 'Dropped by the operator of this installation' },
  ])
  const actions = (await operator.call('GET', '/operator/actions')).body.items
  expect(actions[0]).toMatchObject({ verb: 'sender stop', detail: 'Stolen (1 dropped)' })
})

test('an operator resumes what bounces stopped, and a stop by bounces becomes one of an operator', async () => {
  const { workspaceId, id: mailboxId } = mailbox
  const burst = { workspaceId, mailboxId, stoppedAt: app.clock.now(), resumedAt: null }
  await app.db
    .insertInto('sendingStops')
    .values({ id: crypto.randomUUID(), ...burst, failed: 10, ended: 12, example: '550 no' })
    .execute()
  expect(await row()).toMatchObject({ stoppedFor: null, stoppedAt: expect.any(String) })
  await stop({ reason: 'Enough', queued: 'hold' })
  expect(await row()).toMatchObject({ stoppedFor: 'Enough' })
  await resume()
  expect(await row()).toMatchObject({ stoppedAt: null, stoppedFor: null })
  expect((await send()).status).toBe(201)
})

test('nobody stops what is not there', async () => {
  const sender = mailbox.workspaceId
  expect((await stop({ sender, reason: 'x', queued: 'hold' })).status).toBe(404)
  expect((await resume(sender)).status).toBe(404)
})
