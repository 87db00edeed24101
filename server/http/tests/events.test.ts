import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Changed } from '#contract/events.ts'
import {
  announceChange,
  announceMembership,
  announceSessionsEnded,
} from '#server/storage/notifications.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, letRead } from '#test-world/builders.ts'
import { cutListeners } from '#test-world/database-state.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let address: string
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  await server.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api/v1`
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const aMember = async () => {
  const user = await aUser(app)
  const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  return { user, workspace, session: await aSession(app, user) }
}

/** Reads the stream piece by piece; null at its end. */
const listenAs = async (headers: Record<string, string>) => {
  const answer = await fetch(`${address}/events`, { headers })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  const next = async (): Promise<Changed | null> => {
    for (;;) {
      const match = /data: (.*)\n\n/.exec(seen)
      if (match) {
        seen = seen.slice(match.index + match[0].length)
        return JSON.parse(match[1] ?? '')
      }
      const piece = await reader?.read()
      if (!piece || piece.done) return null
      seen += piece.value
    }
  }
  return { answer, next, stop: () => reader?.cancel() }
}

test('tells what changed in the caller’s workspaces, and in no other', async () => {
  const ada = await aMember()
  const stranger = await aMember()
  const { answer, next, stop } = await listenAs(ada.session.headers)
  expect(answer.headers.get('content-type')).toMatch('text/event-stream')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  const event = { topic: 'domains' as const, workspaceId: ada.workspace.id }
  await announceChange(app.db, { topic: 'domains', workspaceId: stranger.workspace.id })
  await announceChange(app.db, event)
  expect(await next()).toEqual(event)
  await stop()
})

test('only the Authorization header opens the stream', async () => {
  const { session } = await aMember()
  const { answer } = await listenAs({ cookie: session.refreshCookie })
  expect(answer.status).toBe(401)
})

test('the stream ends when its session ends, wherever that happens', async () => {
  const { session } = await aMember()
  const { next } = await listenAs(session.headers)
  const logout = await fetch(`${address}/auth/logout`, { method: 'POST', headers: session.headers })
  expect(logout.status).toBe(200)
  expect(await next()).toBeNull()
})

test('what is told right behind the end of a session ends nothing but its stream', async () => {
  const { user, workspace, session } = await aMember()
  const { next } = await listenAs(session.headers)
  await app.db.transaction().execute(async (tx) => {
    const endedAt = app.clock.now()
    await tx.updateTable('sessions').set({ endedAt }).where('userId', '=', user.id).execute()
    await announceSessionsEnded(tx)
    await announceChange(tx, { topic: 'domains', workspaceId: workspace.id })
  })
  expect(await next()).toBeNull()
})

test('a User hears of mail in mailboxes that they read, from when they are let in until they are not', async () => {
  const { workspace, session } = await aMember()
  const user = await aUser(app, { currentWorkspaceId: workspace.id })
  const workspaceId = workspace.id
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId: user.id, role: 'User', createdAt: app.clock.now() })
    .execute()
  const domain = await aDomain(app, { workspaceId, active: true })
  const [theirs, others] = [await aMailbox(app, { domain }), await aMailbox(app, { domain })]
  await letRead(app, theirs, user.id)
  const mailIn = ({ id: mailboxId }: { id: string }) => ({
    topic: 'messages' as const,
    workspaceId,
    mailboxId,
  })
  /** Of a mailbox without mail. */
  const toldOf = (mailbox: { id: string }) => ({ ...mailIn(mailbox), modseq: 1 })
  const { next } = await listenAs((await aSession(app, user)).headers)
  const everybody = await listenAs(session.headers)
  await announceChange(app.db, mailIn(others), { topic: 'invoices', workspaceId }, mailIn(theirs))
  expect(await next()).toEqual(toldOf(theirs))
  expect([await everybody.next(), await everybody.next()]).toEqual([
    toldOf(others),
    { topic: 'invoices', workspaceId },
  ])

  const members = { headers: { ...session.headers, 'content-type': 'application/json' } }
  const give = await fetch(`${address}/mailboxes/${others.id}/readers`, {
    ...{ ...members, method: 'POST', body: JSON.stringify({ userId: user.id }) },
  })
  expect(give.status).toBe(201)
  expect([await next(), await next()]).toEqual([
    { topic: 'mailboxes', workspaceId },
    toldOf(others),
  ])

  // In one transaction, so that what happened stands right behind the news that they may not hear it.
  await app.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('mailboxReaders').where('userId', '=', user.id).execute()
    await announceMembership(tx)
    await announceChange(tx, mailIn(theirs), { topic: 'workspaces', workspaceId })
  })
  expect(await next()).toBeNull()
  await everybody.stop()
})

test('a stream ends with the right that it was opened with, and stays when rights are added', async () => {
  const { workspace, session } = await aMember()
  const workspaceId = workspace.id
  const user = await aUser(app, { currentWorkspaceId: workspaceId })
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId: user.id, role: 'Editor', createdAt: app.clock.now() })
    .execute()
  const headers = (await aSession(app, user)).headers
  const ask = async (method: string, path: string, body: object | null) => {
    const answer = await fetch(`${address}${path}`, {
      ...{ method, body: body && JSON.stringify(body) },
      headers: { ...session.headers, ...(body && { 'content-type': 'application/json' }) },
    })
    expect(answer.ok).toBe(true)
  }
  const toEnd = async ({ next }: Awaited<ReturnType<typeof listenAs>>) => {
    while ((await next()) !== null);
  }
  const asEditor = await listenAs(headers)
  await ask('PATCH', `/members/${user.id}`, { role: 'Admin' })
  await announceChange(app.db, { topic: 'invoices', workspaceId })
  while ((await asEditor.next())?.topic !== 'invoices');
  await ask('PATCH', `/members/${user.id}`, { role: 'User' })
  await toEnd(asEditor)
  const asUser = await listenAs(headers)
  await ask('DELETE', `/members/${user.id}`, null)
  await toEnd(asUser)
})

test('who is removed hears of it, and of nothing after it', async () => {
  const { workspace, session } = await aMember()
  const user = await aUser(app)
  const own = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const workspaceId = workspace.id
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId: user.id, role: 'User', createdAt: app.clock.now() })
    .execute()
  const { next, stop } = await listenAs((await aSession(app, user)).headers)
  const removed = await fetch(`${address}/members/${user.id}`, {
    ...{ method: 'DELETE', headers: session.headers },
  })
  expect(removed.status).toBe(200)
  await announceChange(app.db, { topic: 'mailboxes', workspaceId })
  await announceChange(app.db, { topic: 'workspaces', workspaceId: own.id })
  const heard = []
  for (let event = await next(); event?.workspaceId === workspaceId; event = await next())
    heard.push(event.topic)
  expect(heard).toEqual(['workspaces', 'domains'])
  await stop()
})

test('who names a change that nobody here has told of reads every list again', async () => {
  const { session, workspace } = await aMember()
  const headers = { ...session.headers, 'last-event-id': 'of-another-process.7' }
  const { next, stop } = await listenAs(headers)
  const told = [await next(), await next(), await next(), await next(), await next()]
  expect(new Set(told.map((event) => event?.topic)).size).toBe(5)
  expect(told.every((event) => event?.workspaceId === workspace.id)).toBe(true)
  await stop()
})

test('after the connection to the database broke, every list is to be read again', async () => {
  const { session, workspace } = await aMember()
  const { next, stop } = await listenAs(session.headers)
  await cutListeners(app.db)
  expect(await next()).toMatchObject({ workspaceId: workspace.id })
  let event = await next()
  const last = { topic: 'invoices' as const, workspaceId: workspace.id, mailboxId: 'afterwards' }
  await announceChange(app.db, last)
  while (event !== null && event.mailboxId !== 'afterwards') event = await next()
  expect(event).toEqual(last)
  await stop()
})

test('a session listens fifty times at once', async () => {
  const { session } = await aMember()
  const open = await Promise.all(Array.from({ length: 50 }, () => listenAs(session.headers)))
  expect(open.map(({ answer }) => answer.status)).toEqual(open.map(() => 200))
  const { status, headers } = (await listenAs(session.headers)).answer
  expect([status, headers.get('retry-after')]).toEqual([429, '60'])
  const other = await listenAs((await aMember()).session.headers)
  expect(other.answer.status).toBe(200)
  await Promise.all([other, ...open].map(({ stop }) => stop()))
  await expect
    .poll(async () => {
      const { answer, stop } = await listenAs(session.headers)
      await stop()
      return answer.status
    })
    .toBe(200)
})
