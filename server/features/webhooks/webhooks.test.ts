/** Events on their way to receivers over real sockets; signatures are judged by the package of Standard Webhooks. */
import type { ServerResponse } from 'node:http'
import { Webhook as Judge } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { webhookForm } from '#contract/developers/webhooks.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { changeRole } from '#server/features/members/change-members.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { insertMember } from '#server/features/tenants/workspace-queries.ts'
import type { Loop } from '#server/jobs/loop.ts'
import { startWebhooks } from '#server/jobs/webhook-worker.ts'
import { allowedUrl } from '#server/lib/remote/get-remote.ts'
import { selfSigned } from '#server/lib/tls/self-signed.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { linesBySystem } from '#test-world/audit-lines.ts'
import { aMailbox, aUser, type Domain, type Mailbox } from '#test-world/builders.ts'
import { aClock } from '#test-world/clock.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { anHttpsServer } from '#test-world/outgoing/https-server.ts'
import { type Arrived, aReceiver, type Receiver } from '#test-world/outgoing/webhook-receiver.ts'
import { listAttempts, replayAttempt, testWebhook } from './attempts.ts'
import {
  claimEvents,
  type DueEvent,
  deliverEvent,
  purgeEvents,
  RETRY_SECONDS,
} from './deliver-events.ts'
import { mailWebhooksOff } from './switch-off.ts'
import { addWebhook, changeWebhook, deleteWebhook, getWebhook, rotateSecret } from './webhooks.ts'

let app: TestApp
let receiver: Receiver
let who: Who
let domain: Domain
let ada: Mailbox
let worker: Loop | null = null
beforeAll(async () => {
  // Signatures are good for five minutes of the judge's clock.
  app = await anApp({ clock: aClock(new Date()) })
})
afterAll(() => app.close())
beforeEach(async () => {
  receiver = await aReceiver()
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  ada = await aMailbox(app, { domain, localPart: 'ada' })
})
afterEach(async () => {
  await worker?.close()
  worker = null
  await receiver.close()
})

const start = (times: Parameters<typeof startWebhooks>[1] = {}) => {
  worker = startWebhooks(app, times)
}
const receive = (mailbox: Mailbox, subject = 'Engines') =>
  receiveMessage(
    app,
    app.db,
    {
      raw: Buffer.from(letterText({ subject, body: 'Hello.' })),
      ...{ mailFrom: 'eve@example.net', authentication: null },
    },
    [{ mailboxId: mailbox.id, workspaceId: mailbox.workspaceId }],
  )

const hook = (url = receiver.url, as = who) =>
  addWebhook(app, as, { url, topics: ['mail.received'] })
const attempts = async (id: string) => (await listAttempts(app, who, id, { limit: 50 })).items
/** Waits for the attempt with this number, the first one being 1. @returns the newest */
const attempted = async (id: string, count = 1) => {
  await expect.poll(async () => (await attempts(id)).length, SOON).toBeGreaterThanOrEqual(count)
  return (await attempts(id))[0]
}
const SOON = { timeout: 20_000 }
/** Moves the clock to the next try. */
const tryAgain = async (id: string, tries: number) => {
  await attempted(id, tries)
  app.clock.advance({ seconds: RETRY_SECONDS[tries - 1] ?? 0 })
}
const idOf = ({ headers }: Arrived) => String(headers['webhook-id'])
const judged = (secret: string, { body, headers }: Arrived) =>
  new Judge(secret).verify(body, headers as Record<string, string>)
const mailsTo = async (email: string) =>
  (await listHeldMails(app)).filter(({ to }) => to === email).map(({ subject }) => subject)
const emailOf = async (userId: string) =>
  (
    await app.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
  ).email
/** The judge believes signatures of the last five minutes by its own clock. */
const ofToday = () => {
  app.clock.advance({ seconds: (Date.now() - app.clock.now().getTime()) / 1000 })
}

test('an event arrives signed, with what its topic promises', async () => {
  ofToday()
  const { secret, _id } = await hook()
  start()
  await receive(ada)
  const [got] = (await receiver.arrived(1)) as [Arrived]
  expect(judged(secret, got)).toEqual({
    type: 'mail.received',
    timestamp: expect.stringMatching(/^20/),
    data: expect.objectContaining({ mailboxId: ada.id, mailbox: ada.email, folder: 'inbox' }),
  })
  expect(() => judged('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', got)).toThrow(/signature/)
  expect(await attempted(_id)).toMatchObject({
    ...{ status: 200, reason: '', answer: 'ok', state: 'delivered', topic: 'mail.received' },
    eventId: idOf(got),
  })
})

test('after a new secret the former one signs too, for a day', async () => {
  ofToday()
  const { secret: former, _id } = await hook()
  const { secret } = await rotateSecret(app, who, _id)
  start()
  await testWebhook(app, who, _id)
  const [both] = (await receiver.arrived(1)) as [Arrived]
  for (const each of [secret, former])
    expect(judged(each, both)).toMatchObject({ type: 'test', data: { webhookId: _id } })
  await attempted(_id)
  await app.db
    .updateTable('webhooks')
    .set({ formerUntil: app.clock.now() })
    .where('id', '=', _id)
    .execute()
  await testWebhook(app, who, _id)
  const [, alone] = (await receiver.arrived(2)) as [Arrived, Arrived]
  expect(judged(secret, alone)).toMatchObject({ type: 'test' })
  expect(() => judged(former, alone)).toThrow(/signature/)
})

const pour = (response: ServerResponse, counted: (bytes: number) => void) => {
  const chunk = Buffer.alloc(65_536, 'x')
  const go = () => {
    while (!response.destroyed && response.write(chunk)) counted(chunk.length)
  }
  response.writeHead(200).on('drain', go)
  go()
}

test.each<[string, Parameters<Receiver['answers']>[0], object]>([
  ['is down', (response) => response.destroy(), { status: null, reason: /hang up/ }],
  [
    'fails',
    (response) => response.writeHead(500).end('no'),
    { status: 500, reason: /answers 500/ },
  ],
  [
    'redirects inward',
    (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    { status: 302, reason: /answers 302/ },
  ],
  ['is slow', () => {}, { status: null, reason: /too long/ }],
  [
    'stalls in its answer',
    (response) => void response.writeHead(200).write('so far'),
    { status: 200, reason: /too long/, answer: 'so far' },
  ],
  [
    'wants another protocol',
    (response) =>
      void response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end(),
    { status: null, reason: /answers 101/ },
  ],
  [
    'lies: 200, then a reset',
    (response) => {
      response.writeHead(200, { 'content-length': '10' }).write('ok', () => response.destroy())
    },
    { status: 200, reason: /aborted/, answer: 'ok' },
  ],
])('a receiver that %s gets the event again, with the same id', async (_how, answer, seen) => {
  ofToday()
  const { _id, secret } = await hook()
  receiver.answers(answer)
  start({ wholeMs: 300 })
  await receive(ada)
  const first = await attempted(_id)
  expect(first).toMatchObject({
    ...seen,
    reason: expect.stringMatching(first?.reason ?? ''),
    state: 'waiting',
  })
  expect(first?.reason).toMatch((seen as { reason: RegExp }).reason)
  receiver.answers((response) => void response.end('ok'))
  await tryAgain(_id, 1)
  expect(await attempted(_id, 2)).toMatchObject({ status: 200, state: 'delivered' })
  expect(new Set(receiver.seen.map(idOf)).size).toBe(1)
  expect(new Set(receiver.seen.map(({ body }) => body)).size).toBe(1)
  expect(judged(secret, receiver.seen.at(-1) as Arrived)).toMatchObject({ type: 'mail.received' })
  expect(await getWebhook(app, who, _id)).toMatchObject({ isOn: true, failingSince: null })
})

test('of an answer of 300 MB only the beginning is read', async () => {
  const { _id } = await hook()
  let bytes = 0
  receiver.answers((response) => pour(response, (more) => (bytes += more)))
  start()
  await receive(ada)
  const got = await attempted(_id)
  expect(got).toMatchObject({ status: 200, reason: '', state: 'delivered' })
  expect(got?.answer).toBe('x'.repeat(1_024))
  // What the kernel buffers on both sides.
  expect(bytes).toBeLessThan(30_000_000)
})

test('a certificate that does not hold is refused, and so is an address inside', async () => {
  const strange = await anHttpsServer(
    selfSigned('localhost', new Date(), 10),
    (_request, response) => response.end('ok'),
  )
  const { _id } = await hook(`https://127.0.0.1:${strange.port}/`)
  const inside = await hook('http://169.254.169.254/latest/')
  start()
  await receive(ada)
  expect(await attempted(_id)).toMatchObject({
    status: null,
    reason: expect.stringMatching(/certificate|altnames/),
    state: 'waiting',
  })
  expect(await attempted(inside._id)).toMatchObject({
    status: null,
    reason: expect.stringMatching(/public Internet/),
  })
  await strange.close()
})

test('410 switches off at once: nothing new is kept, the Admins are told, and what waited comes later', async () => {
  const { _id } = await hook()
  receiver.answers((response) => response.writeHead(410).end())
  start()
  await receive(ada)
  await expect
    .poll(() => getWebhook(app, who, _id))
    .toMatchObject({ isOn: false, offReason: 'gone' })
  await receive(ada)
  await mailWebhooksOff(app)
  await mailWebhooksOff(app)
  expect(await linesBySystem(app, who)).toEqual([
    ['webhookOff', expect.stringContaining('/events')],
  ])
  const told = 'A webhook of your Mailstead workspace is off'
  expect(await mailsTo(await emailOf(who.userId))).toEqual([told])
  await expect(testWebhook(app, who, _id)).rejects.toMatchObject({ type: 'WEBHOOK_OFF' })
  receiver.answers((response) => void response.end('ok'))
  expect(await changeWebhook(app, who, _id, { isOn: true })).toMatchObject({
    isOn: true,
    offReason: null,
  })
  await attempted(_id, 2)
  await receive(ada)
  await attempted(_id, 3)
  expect(new Set(receiver.seen.map(idOf)).size).toBe(2)
})

test('after three days without a success it is switched off; an event is given up after its last try', async () => {
  const { _id } = await hook()
  const bad = await hook()
  receiver.answers((response) => response.writeHead(503).end())
  start()
  await receive(ada)
  for (const [index] of RETRY_SECONDS.entries()) {
    await tryAgain(_id, index + 1)
    // The pause after ten failures.
    app.clock.advance({ minutes: 10 })
  }
  await expect
    .poll(() => getWebhook(app, who, _id), SOON)
    .toMatchObject({ isOn: false, offReason: 'failing' })
  expect((await attempts(_id)).length).toBeGreaterThanOrEqual(RETRY_SECONDS.length)
  const atItsNextTry = () => {
    app.clock.advance({ hours: 20 })
    return getWebhook(app, who, bad._id)
  }
  await expect.poll(atItsNextTry, SOON).toMatchObject({ isOn: false, offReason: 'failing' })
})

test('events of a mailbox come in order, also when one has to wait; those of others go on', async () => {
  const bob = await aMailbox(app, { domain, localPart: 'bob' })
  const { _id } = await hook()
  const mailboxOf = ({ body }: Arrived) => JSON.parse(body).data.mailbox
  let isBroken = true
  receiver.answers((response, arrived) => {
    const fails = isBroken && mailboxOf(arrived) === ada.email
    response.writeHead(fails ? 500 : 200).end()
  })
  for (let n = 0; n < 20; n++) {
    await receive(ada, `a${n}`)
    await receive(bob, `b${n}`)
  }
  start()
  await expect
    .poll(() => receiver.seen.filter((each) => mailboxOf(each) === bob.email).length, SOON)
    .toBe(20)
  expect(
    new Set(receiver.seen.filter((each) => mailboxOf(each) === ada.email).map(idOf)).size,
  ).toBe(1)
  isBroken = false
  app.clock.advance({ minutes: 5 })
  const order = () => [
    ...new Set(receiver.seen.filter((each) => mailboxOf(each) === ada.email).map(idOf)),
  ]
  await expect.poll(() => order().length, SOON).toBe(20)
  const kept = await app.db
    .selectFrom('webhookEvents')
    .select('id')
    .where('webhookId', '=', _id)
    .where('about', '=', ada.id)
    .orderBy('seq')
    .execute()
  expect(order()).toEqual(kept.map(({ id }) => id))
})

test('an event is sent again when an Admin asks, with its id', async () => {
  const { _id } = await hook()
  start()
  await receive(ada)
  const done = await attempted(_id)
  await replayAttempt(app, who, _id, done?._id ?? '')
  await attempted(_id, 2)
  expect(new Set(receiver.seen.map(idOf))).toEqual(new Set([done?.eventId]))
  const stranger = await aMember(app)
  await expect(replayAttempt(app, stranger, _id, done?._id ?? '')).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
})

test('attempts come page by page, and go after a week with their events', async () => {
  const { _id } = await hook()
  start()
  for (let n = 0; n < 5; n++) {
    await receive(ada)
    await attempted(_id, n + 1)
    app.clock.advance({ seconds: 1 })
  }
  const first = await listAttempts(app, who, _id, { limit: 3 })
  const rest = await listAttempts(app, who, _id, { limit: 3, cursor: first.nextCursor ?? '' })
  expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([3, 2, null])
  expect(new Set([...first.items, ...rest.items].map((each) => each._id)).size).toBe(5)
  app.clock.advance({ days: 8 })
  await purgeEvents(app)
  expect(await attempts(_id)).toEqual([])
})

test('when the Admin who made it goes, it is off, and another one takes it over', async () => {
  const other = await aUser(app)
  const { workspaceId } = who
  const now = app.clock.now()
  await insertMember(app.db, { workspaceId, userId: other.id, role: 'Admin', createdAt: now })
  const { _id } = await hook()
  const another = { ...who, userId: other.id }
  await changeRole(app, another, who.userId, 'Editor')
  expect(await getWebhook(app, another, _id)).toMatchObject({
    isOn: false,
    offReason: 'maker-left',
  })
  await expect(hook()).rejects.toMatchObject({ type: 'FORBIDDEN' })
  await mailWebhooksOff(app)
  expect(await mailsTo(other.email)).toEqual(['A webhook of your Mailstead workspace is off'])
  expect(await mailsTo(await emailOf(who.userId))).toEqual([])
  await changeWebhook(app, another, _id, { isOn: true })
  expect(app.logged('right-changed').map(({ change }) => change)).toContain('switched-on')
})

test.each([
  [
    'another address',
    (as: Who, id: string) => changeWebhook(app, as, id, { url: 'https://new.example/' }),
  ],
  ['a new secret', (as: Who, id: string) => rotateSecret(app, as, id)],
])('it is off when an Admin goes who gave it %s', async (_what, change) => {
  const guest = await aUser(app)
  const { workspaceId } = who
  const now = app.clock.now()
  await insertMember(app.db, { workspaceId, userId: guest.id, role: 'Admin', createdAt: now })
  const { _id } = await hook()
  const as = { ...who, userId: guest.id }
  await changeWebhook(app, as, _id, {
    url: receiver.url,
    topics: ['mail.received', 'mail.bounced'],
  })
  await changeRole(app, who, guest.id, 'Editor')
  expect((await getWebhook(app, who, _id)).isOn).toBe(true)
  await changeRole(app, who, guest.id, 'Admin')
  await change(as, _id)
  await changeRole(app, who, guest.id, 'Editor')
  expect(await getWebhook(app, who, _id)).toMatchObject({ offReason: 'maker-left' })
})

test('a strange webhook is not there, and a workspace has twenty', async () => {
  const stranger = await aMember(app)
  const { _id } = await hook()
  for (const ask of [
    () => getWebhook(app, stranger, _id),
    () => changeWebhook(app, stranger, _id, { isOn: false }),
    () => rotateSecret(app, stranger, _id),
    () => testWebhook(app, stranger, _id),
    () => listAttempts(app, stranger, _id, { limit: 1 }),
    () => deleteWebhook(app, stranger, _id),
  ])
    await expect(ask()).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  for (let n = 1; n < 20; n++) await hook()
  await expect(hook()).rejects.toMatchObject({ type: 'WEBHOOK_LIMIT' })
  await deleteWebhook(app, who, _id)
  await expect(getWebhook(app, who, _id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})

test('what a form says again changes nothing of how the webhook is tried; another address starts afresh', async () => {
  const { _id: id, url } = await hook()
  const since = app.clock.now()
  const slow = { isSlow: true, failures: 12, failingSince: since, pausedUntil: since }
  const state = () =>
    app.db
      .selectFrom('webhooks')
      .select(['isSlow', 'failures', 'failingSince', 'pausedUntil'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  await app.db.updateTable('webhooks').set(slow).where('id', '=', id).execute()
  await changeWebhook(app, who, id, { url, topics: ['mail.bounced'], isOn: true })
  expect(await state()).toEqual(slow)
  await changeWebhook(app, who, id, { url: `${url}/new` })
  const afresh = { isSlow: false, failures: 0, failingSince: null, pausedUntil: null }
  expect(await state()).toEqual(afresh)
})

test('among the public an address has to begin with https and to name no port', async () => {
  const strict = { ...app, config: { ...app.config, allowLoopbackPeers: false } }
  const { _id } = await hook()
  for (const [url, why] of [
    ['http://hooks.example/', /https/],
    ['https://127.0.0.1:8443/', /port/],
  ] as const) {
    const refused = { type: 'VALIDATION', data: { url: expect.stringMatching(why) } }
    const form = { url, topics: ['mail.received' as const] }
    await expect(addWebhook(strict, who, form)).rejects.toMatchObject(refused)
    await expect(changeWebhook(strict, who, _id, { url })).rejects.toMatchObject(refused)
  }
})

test('what the form lets pass is posted to', () => {
  const reason = (url: string) => webhookForm.shape.url.safeParse(url).error?.issues[0]?.message
  for (const url of ['https://hooks.example:8443/', 'https://hooks.example:80', 'http://a.b:443/'])
    expect.soft(reason(url), url).toMatch(/without a port/)
  const network = { dns: app.dns, allowLoopbackPeers: false }
  for (const url of ['https://hooks.example:443/', 'https://hooks.example/a:8443?b=c:1'])
    expect.soft([reason(url), allowedUrl(network, url).port], url).toEqual([undefined, ''])
  // A trial on one machine.
  for (const url of ['http://localhost:3000/', 'http://127.0.0.1:3000/', 'http://[::1]:3000/'])
    expect.soft(reason(url), url).toBeUndefined()
})

test('two processes share the events, and none is sent twice', async () => {
  const boxes = await Promise.all(
    Array.from({ length: 10 }, (_, n) => aMailbox(app, { domain, localPart: `box${n}` })),
  )
  await hook()
  for (let n = 0; n < 5; n++) for (const box of boxes) await receive(box)
  start()
  const second = startWebhooks(app)
  await receiver.arrived(50)
  await second.close()
  expect(new Set(receiver.seen.map(idOf)).size).toBe(50)
  expect(receiver.seen.length).toBe(50)
})

test('no event is left behind by a lane that is closed while mail is filed', async () => {
  const { _id } = await hook()
  start()
  for (let round = 0; round < 20; round++) {
    await Promise.all([receive(ada), receive(ada)])
    await receiver.arrived(round * 2 + 1)
  }
  await receiver.arrived(40)
  await attempted(_id, 40)
  await expect.poll(() => app.db.selectFrom('webhookLanes').selectAll().execute(), SOON).toEqual([])
})

test('a try that outlives its claim does not reopen an event that arrived since', async () => {
  const { _id } = await hook()
  await receive(ada)
  const room = { free: 5, freeForTedious: 5 }
  const times = { wholeMs: 2_000, leaseSeconds: 30 }
  const late = Promise.withResolvers<ServerResponse>()
  receiver.answers((response) => late.resolve(response))
  const [first] = await claimEvents(app, room, times)
  const slow = deliverEvent(app, first as DueEvent, times)
  const unanswered = await late.promise
  app.clock.advance({ seconds: 31 })
  receiver.answers((response) => void response.end('ok'))
  const [second] = await claimEvents(app, room, times)
  await deliverEvent(app, second as DueEvent, times)
  unanswered.writeHead(500).end()
  await slow
  expect((await attempts(_id)).map(({ status, state }) => [status, state]).toSorted()).toEqual([
    [200, 'delivered'],
    [500, 'delivered'],
  ])
})

test('what a killed process had is sent when its claim has ended', async () => {
  const { _id } = await hook()
  await receive(ada)
  const room = { free: 5, freeForTedious: 5 }
  const times = { wholeMs: 100, leaseSeconds: 30 }
  expect(await claimEvents(app, room, times)).toHaveLength(1)
  expect(await claimEvents(app, room, times)).toEqual([])
  app.clock.advance({ seconds: 31 })
  start()
  expect(await attempted(_id)).toMatchObject({ state: 'delivered' })
})
