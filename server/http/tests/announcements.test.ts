/** What operators announce: who reads it, until when, and that open pages hear of it. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { announcementLink } from '#contract/fields.ts'
import { mayReceiveEvent } from '#server/features/accounts/live-sessions.ts'
import { purgeAnnouncements } from '#server/features/operating/announcements/announcements.ts'
import { CHANGED_CHANNEL } from '#server/storage/notifications.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, aUser, aWorkspace, type User } from '#test-world/builders.ts'
import { aHolder } from '#test-world/people/holders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let operator: ApiClient
let admin: ApiClient
let editor: ApiClient
let holder: ApiClient
beforeAll(async () => {
  app = await anApp({ config: { operators: ['ops@mailstead.example'] } })
  server = await openHttpServer(app)
  const [ada, eve] = [await aUser(app), await aUser(app)]
  await aWorkspace(app, {
    members: [
      { user: ada, role: 'Admin' },
      { user: eve, role: 'Editor' },
    ],
  })
  operator = await clientOf(await aUser(app, { email: 'ops@mailstead.example' }))
  admin = await clientOf(ada)
  editor = await clientOf(eve)
  holder = await clientOf(await aHolder(app, await aMailbox(app)))
})
afterAll(async () => {
  await server.close()
  await app.close()
})
beforeEach(async () => {
  await app.db.deleteFrom('announcements').execute()
})

const clientOf = async (user: Pick<User, 'id'>): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)

const said = { text: 'We move tonight', link: '', audience: 'everybody', endsAt: null }
const announce = (change: object = {}) =>
  operator.call('POST', '/operator/announcements', { ...said, ...change })
const readBy = async (client: ApiClient): Promise<string[]> =>
  (await client.call('GET', '/announcements')).body.map(({ text }: { text: string }) => text)

test('everybody who is signed in reads it until an operator ends it, and nobody else', async () => {
  const { body } = await announce()
  expect(body).toMatchObject({ ...said, madeBy: 'ops@mailstead.example', dismissed: 0 })
  for (const client of [admin, editor, holder]) expect(await readBy(client)).toEqual([said.text])
  expect((await anApiClient(server).call('GET', '/announcements')).status).toBe(401)
  const path = `/operator/announcements/${body._id}`
  expect((await operator.call('DELETE', path)).body.message).toContain(said.text)
  expect((await operator.call('DELETE', path)).status).toBe(404)
  expect(await readBy(admin)).toEqual([])
  const actions = (await operator.call('GET', '/operator/actions')).body.items
  expect(
    actions
      .slice(0, 2)
      .map(({ verb }: { verb: string }) => verb)
      .toSorted(),
  ).toEqual([...['announce', 'announce end']])
})

test('one for Admins is read by Admins alone', async () => {
  const { body } = await announce({ audience: 'admins' })
  expect(await readBy(admin)).toEqual([said.text])
  for (const client of [editor, holder]) {
    expect(await readBy(client)).toEqual([])
    const dismissed = await client.call('POST', `/announcements/${body._id}/dismiss`)
    expect(dismissed.status).toBe(404)
  }
})

test('it ends by itself, and is forgotten', async () => {
  const endsAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
  await announce({ endsAt })
  expect(await readBy(holder)).toEqual([said.text])
  app.clock.advance({ seconds: 61 })
  expect(await readBy(holder)).toEqual([])
  await purgeAnnouncements(app)
  expect(await app.db.selectFrom('announcements').selectAll().execute()).toEqual([])
})

test('who dismisses it reads it no more, and others still do', async () => {
  const { body } = await announce()
  const dismiss = () => admin.call('POST', `/announcements/${body._id}/dismiss`)
  expect((await dismiss()).body).toEqual([])
  expect((await dismiss()).status).toBe(404)
  expect(await readBy(admin)).toEqual([])
  expect(await readBy(editor)).toEqual([said.text])
  expect((await operator.call('GET', '/operator/announcements')).body).toMatchObject([
    { text: said.text, dismissed: 1 },
  ])
})

test('open pages of everybody hear that there is something to read, also of holders', async () => {
  const heard: unknown[] = []
  const stop = await app.listener.subscribe(CHANGED_CHANNEL, (payload) =>
    heard.push(JSON.parse(payload ?? 'null')),
  )
  await announce()
  await expect.poll(() => heard).toEqual([{ topic: 'announcements', workspaceId: '' }])
  stop()
  expect(mayReceiveEvent(new Map(), { topic: 'announcements', workspaceId: '' })).toBe(true)
})

describe('what is refused', () => {
  test.each([
    ['nothing', { text: ' ' }, 'text', /write a sentence/],
    ['more than 300 characters', { text: 'x'.repeat(301) }, 'text', /At most 300/],
    ['two lines', { text: 'a\nb' }, 'text', /Line breaks/],
    ['a link without TLS', { link: 'http://example.org' }, 'link', /https/],
    ['a time that is over', { endsAt: '2020-01-01T00:00:00Z' }, 'endsAt', /over/],
  ])('%s', async (_, change, field, message) => {
    const { status, body } = await announce(change)
    expect(status).toBe(422)
    expect(body.data[field]).toMatch(message)
  })

  test('a fourth one', async () => {
    for (const text of ['one', 'two', 'three']) await announce({ text })
    expect((await announce({ text: 'four' })).body).toMatchObject({ type: 'STATUS_NOT_ALLOWED' })
    expect(await readBy(admin)).toHaveLength(3)
  })

  test.each([
    'javascript:alert(1)',
    'https://',
    'https://good.example@evil.example',
    'https://a b',
  ])('the link %s', (link) => {
    expect(announcementLink.safeParse(link).success).toBe(false)
  })
})
