import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Changed } from '#contract/events.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace } from '#test-world/builders.ts'
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
