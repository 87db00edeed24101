/** Mail as mbox through the front door: bytes in pieces, and a file that a browser saves by itself. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runImports } from '#server/features/transfer/run-imports.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
} from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let headers: Record<string, string>
let ada: Mailbox
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  const user = await aUser(app)
  const { id: workspaceId } = await aWorkspace(app, { members: [{ user, role: 'User' }] })
  ada = await aMailbox(app, { domain: await aDomain(app, { workspaceId, active: true }) })
  await letRead(app, ada, user.id)
  headers = (await aSession(app, user)).headers
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const file = 'From a@b.example Thu Nov 19 09:00:00 2026\nSubject: Tea\n\n>From me\n\n'
const form = { filename: 'a.mbox', fingerprint: '1', size: file.length }

const send = (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object | Buffer) =>
  server.inject({
    ...{ method, url: `/api/v1${path}` },
    headers: {
      ...headers,
      ...(payload instanceof Buffer && { 'content-type': 'application/octet-stream' }),
    },
    ...(payload && { payload }),
  })

test('a file goes in by pieces and comes out by a link that is good once', async () => {
  const path = `/mailboxes/${ada.id}/imports`
  const begun = (await send('POST', path, form)).json()
  const pieces = `${path}/${begun._id}/pieces`
  const another = await send('POST', path, { ...form, fingerprint: '2' })
  expect(another.json()).toMatchObject({ type: 'IMPORT_OPEN', statusCode: 409 })
  expect((await send('PUT', `${pieces}/0`, { not: 'bytes' })).statusCode).toBe(415)
  expect((await send('PUT', `${pieces}/0`, Buffer.alloc(4_000_001))).statusCode).toBe(413)
  expect((await send('PUT', `${pieces}/-1`, Buffer.from('x'))).statusCode).toBe(404)
  await send('PUT', `${pieces}/0`, Buffer.from(file.slice(0, 50)))
  const whole = await send('PUT', `${pieces}/50`, Buffer.from(file.slice(50)))
  expect(whole.json()).toMatchObject({ state: 'running', received: file.length })
  await runImports(app)
  expect((await send('GET', path)).json()[0]).toMatchObject({ state: 'done', filed: 1 })

  const { token, ...made } = (await send('POST', `/mailboxes/${ada.id}/exports`, {})).json()
  const url = `/api/v1/mail-exports/${token}`
  const open = () => server.inject({ method: 'GET', url })
  // A program that looks before it loads.
  expect((await server.inject({ method: 'HEAD', url })).statusCode).toBe(405)
  const saved = await open()
  expect(saved.headers).toMatchObject({
    'content-type': 'application/mbox',
    'content-disposition': expect.stringMatching(/^attachment; filename="?x.*\.mbox/),
    'cache-control': 'private, no-store',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  expect(saved.body).toMatch(
    /^From a@b\.example Thu Nov 19 09:00:00 2026\nX-Mailstead-Folder: archive\nStatus: RO\nX-Status: \nSubject: Tea\n\n>From me\n\n$/,
  )
  expect((await open()).json()).toMatchObject({ type: 'NOT_EXISTS' })
  const told = await send('GET', `/mailboxes/${ada.id}/exports/${made._id}`)
  expect(told.json()).toEqual({ _id: made._id, state: 'done', total: 1, written: 1 })
})
