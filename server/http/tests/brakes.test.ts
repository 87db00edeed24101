/** The brakes on sending, as the web app and programs meet them. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Role } from '#contract/rights.ts'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
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
  type User,
} from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let mailbox: Mailbox
let admin: ApiClient
beforeAll(async () => {
  app = await anApp({ config: { sendLimit: 10, newRecipientLimit: 5 } })
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})
beforeEach(async () => {
  const user = await aUser(app)
  const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  await storeKey(app.db, domain, await makeKey(app))
  mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, user.id)
  app.clock.advance({ days: 4 })
  admin = await clientOf(user)
})

const clientOf = async (user: User): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)

const colleague = async (role: Role, reads: boolean): Promise<ApiClient> => {
  const user = await aUser(app, { currentWorkspaceId: mailbox.workspaceId })
  const { workspaceId } = mailbox
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId: user.id, role, createdAt: app.clock.now() })
    .execute()
  if (reads) await letRead(app, mailbox, user.id)
  return clientOf(user)
}

const at = (path: string) => `/mailboxes/${mailbox.id}${path}`
const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@else.example`)

const stop = () =>
  app.db
    .insertInto('sendingStops')
    .values({
      ...{ id: newId(), mailboxId: mailbox.id, workspaceId: mailbox.workspaceId },
      ...{ stoppedAt: app.clock.now(), failed: 12, ended: 30, example: '550 No such user' },
      resumedAt: null,
    })
    .execute()

test('a message beyond the limit answers 409 with what would fit and when, and the draft of it is kept', async () => {
  const sent = await admin.call('POST', at('/messages'), { to: people(4) })
  expect(sent.status).toBe(201)
  const refused = await admin.call('POST', at('/messages'), { to: people(6) })
  const roomAt = new Date(app.clock.now().getTime() + 24 * 3600_000).toISOString()
  const when = `${roomAt.slice(0, 10)} ${roomAt.slice(11, 16)} UTC`
  expect(refused).toMatchObject({
    status: 409,
    body: {
      type: 'SENDING_LIMIT',
      message: `In 24 hours this mailbox may write to 5 new recipients, to whom it has never written before; 4 are used. This message has 2 of them: 1 would fit now. There will be room for the whole message at ${when}.`,
      data: { kind: 'new-recipients', of: 'mailbox', limit: 5, used: 4, asked: 2, fits: 1, roomAt },
    },
  })
  const draft = await admin.call('POST', at('/messages'), { to: people(6), draft: true })
  expect(draft.status).toBe(201)
  expect((await admin.call('GET', at('/sending'))).body).toEqual({
    ...{ dailyLimit: 10, usedToday: 4, newRecipientLimit: 5, newToday: 4 },
    ...{ isRamping: false, fullAt: null, together: null, stopped: null },
  })
})

test('a stopped mailbox says why, to its reader and to those who look after it; an Admin alone resumes it', async () => {
  await stop()
  const stopped = {
    ...{ at: app.clock.now().toISOString(), failed: 12, ended: 30, example: '550 No such user' },
    operatorReason: null,
  }
  const reader = await colleague('User', true)
  const editor = await colleague('Editor', false)
  const other = await colleague('User', false)
  expect((await reader.call('GET', at('/sending'))).body).toMatchObject({ stopped })
  expect(await reader.call('POST', at('/messages'), { to: people(1) })).toMatchObject({
    status: 409,
    body: {
      type: 'MAILBOX_SENDING_STOPPED',
      message:
        'Sending from this mailbox to other servers has stopped: 12 of 30 deliveries were refused for good. An Admin of this workspace can resume it.',
      data: stopped,
    },
  })
  expect((await editor.call('GET', '/mailboxes/sending-stops')).body).toEqual([
    { mailboxId: mailbox.id, ...stopped },
  ])
  expect((await other.call('GET', at('/sending'))).status).toBe(403)
  expect((await other.call('GET', '/mailboxes/sending-stops')).status).toBe(403)

  for (const client of [reader, editor, other])
    expect(await client.call('POST', at('/sending/resume'))).toMatchObject({
      status: 403,
      body: { type: 'FORBIDDEN' },
    })
  const resumed = await admin.call('POST', at('/sending/resume'))
  expect(resumed).toMatchObject({ status: 200, body: { stopped: null } })
  expect((await editor.call('GET', '/mailboxes/sending-stops')).body).toEqual([])
  expect((await reader.call('POST', at('/messages'), { to: people(1) })).status).toBe(201)
  // Twice is as good as once.
  expect((await admin.call('POST', at('/sending/resume'))).status).toBe(200)
})
