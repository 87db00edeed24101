/** A person takes what is known of them, and lets their account end. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endDueAccounts } from '#server/features/operating/leaving/leave-account.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { linesBySystem } from '#test-world/audit-lines.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type User,
  type Workspace,
} from '#test-world/builders.ts'
import { setUpTotp } from '#test-world/people/factors.ts'
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

/** From now on PostgreSQL ends the connection that does this, as it does when a process is killed. @returns what ends it */
const cutAt = async (moment: string, table: string): Promise<() => Promise<unknown>> => {
  await sql
    .raw(
      `create function cut() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return old; end $$`,
    )
    .execute(app.db)
  await sql
    .raw(`create trigger cut ${moment} on ${table} for each row execute function cut()`)
    .execute(app.db)
  return () => sql.raw('drop function cut cascade').execute(app.db)
}

test.each([
  ['before delete', 'mailbox_readers'],
  ['before delete', 'members'],
  ['before insert', 'audit_log'],
  ['after delete', 'users'],
  ['after insert', 'outbox_messages'],
])('cut off %s of %s, nothing is half done, and the next run ends it once', async (...place) => {
  const domain = await aDomain(app, { workspaceId: shared.id, active: true })
  await letRead(app, await aMailbox(app, { domain }), user.id)
  await leave()
  app.clock.advance({ days: 14 })
  const held = async () => ({
    exists: await exists(),
    lines: await linesBySystem(app, { workspaceId: shared.id }),
    mails: (await subjectsTo(user.email)).length,
    isMember: (await membersOf(shared)).includes(user.id),
    reads: (await readersOf(shared)).includes(user.id),
  })
  const before = await held()
  expect(before).toMatchObject({ exists: true, lines: [], isMember: true, reads: true })
  const mend = await cutAt(...place)
  await expect(endDueAccounts(app)).rejects.toThrow()
  expect(await held()).toEqual(before)
  await mend()
  for (const _ of [1, 2]) await endDueAccounts(app)
  expect(await held()).toEqual({
    ...{ exists: false, isMember: false, reads: false, mails: before.mails + 1 },
    lines: [['accountEnded', user.email]],
  })
})

const membersOf = async ({ id }: Workspace) => {
  const rows = await app.db
    .selectFrom('members')
    .select('userId')
    .where('workspaceId', '=', id)
    .execute()
  return rows.map(({ userId }) => userId)
}

const readersOf = async ({ id }: Workspace) => {
  const rows = await app.db
    .selectFrom('mailboxReaders')
    .select('userId')
    .where('workspaceId', '=', id)
    .execute()
  return rows.map(({ userId }) => userId)
}

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

test('whoever has a second factor confirms it first: the password alone is not enough', async () => {
  const { body } = await ada.call('POST', '/auth/login', {
    ...{ email: user.email, password: HOLDERS_PASSWORD },
  })
  const headers = { authorization: `Bearer ${body.token}` }
  const { recoveryCodes } = await setUpTotp(app, ada, headers)
  // As a trusted browser starts it by the password.
  await app.db
    .updateTable('sessions')
    .set({ confirmedAt: null })
    .where('userId', '=', user.id)
    .execute()
  const password = HOLDERS_PASSWORD
  const end = () => ada.call('POST', '/account/leaving', { email: user.email, password }, headers)
  const others = [
    await ada.call('POST', '/account/export', { password }, headers),
    await ada.call(
      ...([
        'PUT',
        '/workspace-settings/mail-programs',
        { needsAppPasswords: false },
        headers,
      ] as const),
    ),
  ]
  for (const answer of [await end(), ...others]) expect(answer.body.type).toBe('STEP_UP_REQUIRED')
  const proof = { recoveryCode: recoveryCodes?.[0] }
  expect((await ada.call('POST', '/auth/step-up', proof, headers)).status).toBe(200)
  expect((await end()).status).toBe(200)
})
