import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
import { startOutbound } from '#server/mail/outbound/worker.ts'
import { linesBySystem } from '#test-world/audit-lines.ts'
import { aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { aMember } from '#test-world/members.ts'
import { anOutgoingWorld, areAll, type OutgoingWorld } from '#test-world/outgoing/outgoing-world.ts'
import { getSending, getSendingStops } from '../get-sending.ts'
import { getJourney } from '../journey.ts'
import { sendMessage } from '../send-message.ts'
import { HELD, resumeSending } from './stop-sending.ts'

const REFUSED = '550 5.1.1 No such user, see https://evil.example/x'

let world: OutgoingWorld
let who: Who
let mailbox: Mailbox
beforeAll(async () => {
  world = await anOutgoingWorld()
  ;({ who, mailbox } = world)
  const { workspaceId, domainId } = mailbox
  const { app } = world
  await storeKey(app.db, { id: domainId, workspaceId }, await makeKey(app))
  await letRead(app, mailbox, who.userId)
  app.clock.advance({ days: 4 })
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.clear()
  const { db } = world.app
  for (const table of ['bounces', 'sendingStops', 'sendings'] as const)
    await db.deleteFrom(table).execute()
  world.peer.behave = (stage, address) => {
    if (stage !== 'rcpt') return undefined
    if (address.startsWith('bad')) return REFUSED
    return address.startsWith('later') ? '451 4.7.1 Come back later' : undefined
  }
})

let sent = 0
const queue = async (kind: 'bad' | 'good' | 'later', count: number) => {
  for (let n = 0; n < count; n++) await world.send(`${kind}${++sent}@example.net`)
}

/** Queued, tried and ended. */
const run = async (kind: 'bad' | 'good', count: number) => {
  await queue(kind, count)
  await world.work()
  await world.until(areAll('delivered', 'failed'))
  await world.rest()
}

const stopped = async () => (await getSending(world.app, who, mailbox.id)).stopped

const adminMails = async () => {
  const rows = await world.app.db
    .selectFrom('outboxMessages')
    .select('blob')
    .where('workspaceId', 'is', null)
    .execute()
  return Promise.all(
    rows.map(async ({ blob }) => (await world.app.blobs.get(blob)).toString('utf8')),
  )
}

const write = (to: string[]) =>
  sendMessage(world.app, who, mailbox.id, {
    ...{ to, cc: [], bcc: [], subject: 'Hi', text: 'Hello', attachments: [], draft: false },
  })

test('the tenth refusal within an hour stops a mailbox, once, and what waits is held until an Admin resumes', async () => {
  await run('bad', 9)
  expect(await stopped()).toBeNull()
  await run('bad', 1)
  const at = world.app.clock.now().toISOString()
  expect(await stopped()).toEqual({
    ...{ at, failed: 10, ended: 10, example: REFUSED, operatorReason: null },
  })
  expect(await getSendingStops(world.app, who)).toEqual([
    { mailboxId: mailbox.id, ...(await stopped()) },
  ])
  const [mail = '', ...more] = await adminMails()
  expect(more).toEqual([])
  expect(mail).toContain(`Subject: Sending from ${mailbox.email} has stopped`)
  expect(mail.replace(/=\r\n/g, '')).toMatch(/refused 10 of the last 10 deliveries/)
  expect(mail).not.toContain('evil.example')
  expect(await linesBySystem(world.app, who)).toEqual([['sendingStopped', mailbox.email]])

  // New messages are refused with the reason; those to this installation are not.
  const outside = ['good@example.net']
  await expect(write(outside)).rejects.toMatchObject({
    type: 'MAILBOX_SENDING_STOPPED',
    message: expect.stringContaining('10 of 10 deliveries were refused for good. An Admin'),
    data: { failed: 10, ended: 10, example: REFUSED },
  })
  const inside = await write([mailbox.email])

  // What was queued before waits, over many tries.
  await world.app.db.deleteFrom('outboxMessages').where('workspaceId', 'is', null).execute()
  const before = (await world.deliveries()).length
  await queue('good', 2)
  await world.work()
  const areHeld = (rows: { lastReply: string; attempts: number }[], attempts: number) =>
    rows.filter((row) => row.lastReply === HELD && row.attempts === attempts).length === 2
  await world.until((rows) => areHeld(rows, 1))
  world.app.clock.advance({ hours: 5 })
  await world.work()
  await world.until((rows) => areHeld(rows, 2))
  expect(world.peer.messages).toEqual([])
  const journey = await getJourney(world.app, who, mailbox.id, inside._id)
  expect(journey.deliveries[0]?.status).toBe('delivered')

  const resumed = await resumeSending(world.app, who, mailbox.id)
  expect(resumed.stopped).toBeNull()
  await world.peer.arrived(2)
  const rows = await world.until(areAll('delivered', 'failed'))
  expect(rows).toHaveLength(before + 2)
  await world.rest()

  // The old refusals count no more: nine new ones do nothing, the tenth stops it again.
  world.app.clock.advance({ seconds: 1 })
  await run('bad', 9)
  expect(await stopped()).toBeNull()
  await run('bad', 1)
  expect(await stopped()).toMatchObject({ failed: 10, ended: 10 })
  expect(await adminMails()).toHaveLength(1)
})

test('refusals among mail that arrives stop nothing until they are a fifth of it', async () => {
  await run('good', 45)
  await run('bad', 11)
  expect(await stopped()).toBeNull()
  await run('bad', 1)
  expect(await stopped()).toMatchObject({ failed: 12, ended: 57 })
})

test('nine an hour, deferrals, what is refused here, and mail of the installation stop nothing', async () => {
  for (let hour = 0; hour < 3; hour++) {
    await run('bad', 9)
    world.app.clock.advance({ hours: 1, seconds: 1 })
  }
  expect(await stopped()).toBeNull()
  for (let n = 0; n < 15; n++) await world.send(`nobody${n}@${mailbox.email.split('@')[1]}`)
  await world.work()
  await world.until(areAll('failed'))
  await queue('later', 15)
  await world.work()
  await world.until((rows) => rows.filter(({ attempts }) => attempts === 1).length === 27 + 15 + 15)
  expect(await stopped()).toBeNull()

  const { app } = world
  await app.db.updateTable('outboxMessages').set({ mailboxId: null, workspaceId: null }).execute()
  await app.db
    .updateTable('deliveries')
    .set({ status: 'queued', nextAttemptAt: new Date(0) })
    .execute()
  world.peer.behave = (stage) => (stage === 'rcpt' ? REFUSED : undefined)
  await world.work()
  await world.until(areAll('failed'))
  expect(await app.db.selectFrom('sendingStops').selectAll().execute()).toEqual([])
})

test('two workers in the middle of a burst stop the mailbox once and mail each Admin once', async () => {
  await queue('bad', 30)
  const workers = [startOutbound({ ...world.app }), startOutbound({ ...world.app })]
  await world.until((rows) =>
    rows
      .filter(({ recipient }) => recipient.startsWith('bad'))
      .every(({ status, lastReply }) => status === 'failed' || lastReply === HELD),
  )
  await Promise.all(workers.map((worker) => worker.close()))
  const stops = await world.app.db.selectFrom('sendingStops').selectAll().execute()
  expect(stops).toHaveLength(1)
  expect(stops[0]?.failed).toBeGreaterThanOrEqual(10)
  expect(await adminMails()).toHaveLength(1)
})

test('what nobody resumes for five days comes back to its sender, and is no new refusal', async () => {
  await run('bad', 10)
  await queue('good', 1)
  await world.work()
  await world.until((rows) => rows.some(({ lastReply }) => lastReply === HELD))
  await world.rest()
  await world.app.db.deleteFrom('messages').execute()
  world.app.clock.advance({ days: 5, seconds: 1 })
  await world.work()
  await world.until((rows) =>
    rows.some(({ status, lastReply }) => status === 'failed' && lastReply === HELD),
  )
  const bounces = await world.app.db
    .selectFrom('messages')
    .select('searchText')
    .where('mailboxId', '=', mailbox.id)
    .execute()
  expect(bounces).toHaveLength(1)
  expect(bounces[0]?.searchText).toContain('Sending from this mailbox is stopped until an Admin')
  expect(world.peer.messages).toEqual([])
  expect(await world.app.db.selectFrom('bounces').selectAll().execute()).toHaveLength(10)
})

test('another workspace sees no stop and ends none', async () => {
  await run('bad', 10)
  const stranger = await aMember(world.app)
  await aMailbox(world.app)
  expect(await getSendingStops(world.app, stranger)).toEqual([])
  await expect(resumeSending(world.app, stranger, mailbox.id)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
  expect(await stopped()).not.toBeNull()
})
