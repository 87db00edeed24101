/** Somebody has lost their second factor: who may reset it, what ends, and who is told. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailFactorResets } from '#server/features/accounts/notices/factor-reset-mails.ts'
import { passkeysOfOtherHosts } from '#server/features/factors/read-factors.ts'
import { resetFactor } from '#server/features/operating/accounts.ts'
import { checkPasskeys } from '#server/features/operating/health/check-passkeys.ts'
import { type ApiClient, anApiClient, mailsTo } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, type User } from '#test-world/builders.ts'
import { anAuthenticator } from '#test-world/people/authenticator.ts'
import { setUpPasskey, setUpTotp } from '#test-world/people/factors.ts'
import {
  acceptBody,
  accessTokenFrom,
  aHolder,
  HOLDERS_PASSWORD,
} from '#test-world/people/holders.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const aPerson = () => aUser(app, { passwordHash: quickHash(HOLDERS_PASSWORD) })
const clientOf = async (user: User) => anApiClient(server, (await aSession(app, user)).headers)
const logIn = (client: ApiClient, { email }: User) =>
  client.call('POST', '/auth/login', { email, password: HOLDERS_PASSWORD })

/** Logged in, with an authenticator app. */
const setUp = async (user: User): Promise<ApiClient> => {
  const client = anApiClient(server)
  const { body } = await logIn(client, user)
  await setUpTotp(app, client, { authorization: `Bearer ${body.token}` })
  return client
}

const expectReset = async (user: User, before: ApiClient) => {
  expect((await before.call('POST', '/auth/refresh')).body.type).toBe('REFRESH')
  expect((await logIn(anApiClient(server), user)).status).toBe(200)
  const mails = await mailsTo(app, user.email)
  await mailFactorResets(app)
  await mailFactorResets(app)
  expect(await mailsTo(app, user.email)).toBe(mails + 1)
}

test('an Admin resets the factor of a member, who is signed out and told once', async () => {
  const [admin, member, editor] = [await aPerson(), await aPerson(), await aPerson()]
  await aWorkspace(app, {
    members: [
      { user: admin, role: 'Admin' },
      { user: member, role: 'User' },
      { user: editor, role: 'Editor' },
    ],
  })
  const before = await setUp(member)
  const path = `/members/${member.id}/second-factor`
  expect((await (await clientOf(editor)).call('DELETE', path)).status).toBe(403)
  const call = (await clientOf(admin)).call
  expect((await call('DELETE', path)).status).toBe(200)
  await expectReset(member, before)
  expect((await call('DELETE', path)).body.type).toBe('NO_SECOND_FACTOR')
  expect(app.logged('right-changed').at(-1)).toMatchObject({
    ...{ change: 'second factor reset', whose: member.id, by: admin.id },
  })
})

test('nobody lowers an account that is in other workspaces, operates, or is a stranger', async () => {
  const [admin, elsewhere, operator, stranger] = [
    ...[await aPerson(), await aPerson(), await aPerson(), await aPerson()],
  ] as [User, User, User, User]
  await aWorkspace(app, {
    members: [
      { user: admin, role: 'Admin' },
      { user: elsewhere, role: 'User' },
      { user: operator, role: 'User' },
    ],
  })
  await aWorkspace(app, { members: [{ user: elsewhere, role: 'Admin' }] })
  const made = { userId: operator.id, madeBy: 'terminal', madeAt: app.clock.now() }
  await app.db.insertInto('operators').values(made).execute()
  const { call } = await clientOf(admin)
  for (const [user, type] of [
    [elsewhere, 'FACTOR_OF_OTHERS'],
    [operator, 'FACTOR_OF_OTHERS'],
    [stranger, 'NOT_EXISTS'],
  ] as const) {
    await setUp(user)
    expect((await call('DELETE', `/members/${user.id}/second-factor`)).body.type).toBe(type)
    expect((await logIn(anApiClient(server), user)).body.type).toBe('SECOND_FACTOR_REQUIRED')
  }
  expect((await call('DELETE', '/members/x/second-factor')).body.type).toBe('NOT_EXISTS')
})

test('an Admin resets the factor of a holder, of their own workspace alone', async () => {
  const [admin, other] = [await aPerson(), await aPerson()]
  const workspace = await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
  await aWorkspace(app, { members: [{ user: other, role: 'Admin' }] })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(app, { domain })
  const path = `/mailboxes/${mailbox.id}/access/second-factor`
  const { call } = await clientOf(admin)
  expect((await call('DELETE', path)).body.type).toBe('NOT_EXISTS')
  const holder = await aHolder(app, mailbox)
  const before = await setUp(holder)
  expect((await (await clientOf(other)).call('DELETE', path)).body.type).toBe('NOT_EXISTS')
  expect((await call('DELETE', path)).status).toBe(200)
  await expectReset(holder, before)
})

test('a key sets a new password of a holder, but takes no second factor of anybody', async () => {
  const [admin, member] = [await aPerson(), await aPerson()]
  const members = [admin, member].map((user) => ({ user, role: 'Admin' as const }))
  const workspace = await aWorkspace(app, { members })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(app, { domain })
  const holder = await aHolder(app, mailbox)
  await setUp(holder)
  await setUp(member)
  const { call } = await clientOf(admin)
  const made = { name: 'Leaked', scopes: ['access:write', 'members:write'] }
  const { body } = await call('POST', '/api-keys', made)
  const key = anApiClient(server, { authorization: `Bearer ${body.key}` })
  for (const path of [`/mailboxes/${mailbox.id}/access`, `/members/${member.id}`])
    expect((await key.call('DELETE', `${path}/second-factor`)).status, path).toBe(403)
  const session = await accessTokenFrom(key, mailbox.id)
  const opened = await anApiClient(server).call('POST', '/access/accept', acceptBody(session))
  expect(opened.body.type).toBe('SECOND_FACTOR_REQUIRED')
})

test('operators read of passkeys that another host of PUBLIC_URL has ended', async () => {
  const user = await aPerson()
  const client = anApiClient(server)
  const { body } = await logIn(client, user)
  const headers = { authorization: `Bearer ${body.token}` }
  await setUpPasskey(client, headers, anAuthenticator('http://localhost:8080'))
  expect(await passkeysOfOtherHosts(app)).toBe(null)
  const moved = { ...app.config, publicUrl: 'https://mail.example.org' }
  const [finding] = await checkPasskeys({ ...app, config: moved })
  expect(finding).toMatchObject({
    ...{ state: 'wrong', says: expect.stringContaining('1 passkey was made') },
  })
  expect(await checkPasskeys(app)).toMatchObject([{ state: 'good' }])
})

test('an operator resets anybody’s, at the terminal and in the console, and it is in the record', async () => {
  const [operator, user] = [await aPerson(), await aPerson()]
  const made = { userId: operator.id, madeBy: 'terminal', madeAt: app.clock.now() }
  await app.db.insertInto('operators').values(made).execute()
  const { call } = await clientOf(operator)
  const path = `/operator/accounts/${user.id}/reset-factor`
  expect((await call('POST', path)).body.type).toBe('NO_SECOND_FACTOR')
  const first = await setUp(user)
  expect((await call('POST', path)).status).toBe(200)
  await expectReset(user, first)
  app.clock.advance({ minutes: 1 })
  const second = await setUp(user)
  await resetFactor(app, 'terminal', user.email)
  await expectReset(user, second)
  const { body } = await call('GET', '/operator/actions')
  expect(body.items.slice(0, 2)).toMatchObject([
    { verb: 'user reset-factor', subject: user.email, operator: 'terminal' },
    { verb: 'user reset-factor', subject: user.email, operator: operator.email },
  ])
})
