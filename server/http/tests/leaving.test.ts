/** A person takes what is known of them, and lets their account end. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endDueAccounts } from '#server/features/operating/leaving/leave-account.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { linesBySystem } from '#test-world/audit-lines.ts'
import { aMailbox, aUser, aWorkspace, type User, type Workspace } from '#test-world/builders.ts'
import { aHolder, HOLDERS_PASSWORD } from '#test-world/people/holders.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let user: User
let mary: User
let shared: Workspace
let ada: ApiClient
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})
beforeEach(async () => {
  user = await aUser(app, { passwordHash: quickHash(HOLDERS_PASSWORD) })
  mary = await aUser(app)
  shared = await aWorkspace(app, {
    name: 'Engines',
    members: [
      { user, role: 'Admin' },
      { user: mary, role: 'Admin' },
    ],
  })
  ada = await clientOf(user)
})

const clientOf = async (of: User): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, of)).headers)

const leave = (given: Record<string, string> = {}) =>
  ada.call('POST', '/account/leaving', { email: user.email, password: HOLDERS_PASSWORD, ...given })

const subjectsTo = async (email: string): Promise<string[]> =>
  (await listHeldMails(app)).filter(({ to }) => to === email).map(({ subject }) => subject)

const exists = async (): Promise<boolean> =>
  (await app.db.selectFrom('users').select('id').where('id', '=', user.id).executeTakeFirst()) !==
  undefined

test('the address is typed and the password known; then there are fourteen days to stay', async () => {
  expect((await leave({ email: 'x@example.org' })).body.data).toHaveProperty('email')
  expect((await leave({ password: 'Wrong-Train-1!' })).body.data).toHaveProperty('password')
  const asked = await leave({ email: ` ${user.email.toUpperCase()} ` })
  expect(asked.status, JSON.stringify(asked.body)).toBe(200)
  const ends = new Date(asked.body.endsAt).getTime() - app.clock.now().getTime()
  expect(ends).toBe(14 * 86_400_000)
  expect(await subjectsTo(user.email)).toEqual(['Your Mailstead account will be deleted'])
  expect((await ada.call('GET', '/profile')).status).toBe(200)
  expect((await ada.call('DELETE', '/account/leaving')).body.endsAt).toBeNull()
  expect(await subjectsTo(user.email)).toContain('Your Mailstead account stays')
  app.clock.advance({ days: 15 })
  await endDueAccounts(app)
  expect(await exists()).toBe(true)
})

test('the account ends, with every right, and its workspace has a line of it', async () => {
  await leave()
  app.clock.advance({ days: 13 })
  await endDueAccounts(app)
  expect(await exists()).toBe(true)
  app.clock.advance({ days: 1 })
  await Promise.all([endDueAccounts(app), endDueAccounts(app)])
  expect(await exists()).toBe(false)
  expect((await ada.call('GET', '/profile')).status).toBe(401)
  expect(await subjectsTo(user.email)).toContain('Your Mailstead account was deleted')
  const { body } = await (await clientOf(mary)).call('GET', '/audit-log')
  expect(body.items).toMatchObject([
    { action: 'accountEnded', topic: 'members', object: user.email, by: 'The system' },
  ])
  expect(await linesBySystem(app, { workspaceId: shared.id })).toEqual([
    ['accountEnded', user.email],
  ])
})

test('the last Admin of a workspace hands it over, or deletes it, first', async () => {
  await app.db.updateTable('members').set({ role: 'User' }).where('userId', '=', mary.id).execute()
  expect((await ada.call('GET', '/account/leaving')).body.lastAdminOf).toEqual([
    { _id: shared.id, name: 'Engines' },
  ])
  expect((await leave()).body.type).toBe('LAST_ADMIN')
  expect((await ada.call('PATCH', `/members/${mary.id}`, { role: 'Admin' })).status).toBe(200)
  expect((await leave()).status).toBe(200)
})

test('who became the last Admin in the wait stays, and is told', async () => {
  await leave()
  await app.db.deleteFrom('members').where('userId', '=', mary.id).execute()
  app.clock.advance({ days: 14 })
  await endDueAccounts(app)
  expect(await exists()).toBe(true)
  expect(await subjectsTo(user.email)).toContain('Your Mailstead account could not be deleted')
  await endDueAccounts(app)
  expect(await subjectsTo(user.email)).toHaveLength(2)
})

test('an account that cannot end keeps no other one', async () => {
  await leave()
  // As a holder it is not a person's to end.
  const [mailbox, before] = [await aMailbox(app), new Date(app.clock.now().getTime() - 1)]
  const stuck = await aHolder(app, mailbox)
  await app.db.updateTable('users').set({ endsAt: before }).where('id', '=', stuck.id).execute()
  app.clock.advance({ days: 14 })
  await expect(endDueAccounts(app)).rejects.toMatchObject({ type: 'STATUS_NOT_ALLOWED' })
  expect(await exists()).toBe(false)
  await app.db.deleteFrom('users').where('id', '=', stuck.id).execute()
})

test('the last operator is told so', async () => {
  const isLast = async () => (await ada.call('GET', '/account/leaving')).body.isLastOperator
  expect(await isLast()).toBe(false)
  const made = { madeBy: 'terminal', madeAt: app.clock.now() }
  await app.db
    .insertInto('operators')
    .values({ userId: user.id, ...made })
    .execute()
  expect(await isLast()).toBe(true)
  await app.db
    .insertInto('operators')
    .values({ userId: mary.id, ...made })
    .execute()
  expect(await isLast()).toBe(false)
})

test('a person exports what is known of them, a holder too, and nothing of others', async () => {
  const mailbox = await aMailbox(app)
  for (const of of [user, await aHolder(app, mailbox)]) {
    const { headers } = await aSession(app, of)
    const ask = (password: string) =>
      server.inject({
        method: 'POST',
        url: '/api/v1/account/export',
        headers,
        payload: { password },
      })
    expect((await ask('Wrong-Train-1!')).statusCode).toBe(422)
    const file = await ask(HOLDERS_PASSWORD)
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'application/zip'])
    const text = file.rawPayload.toString('latin1')
    expect(text).toMatch(/^PK/)
    expect(text).toContain('account.json')
    expect(text).toContain('sessions.json')
  }
  expect((await (await clientOf(mary)).call('POST', '/account/leaving', {})).status).toBe(422)
})
