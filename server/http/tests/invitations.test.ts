import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Role } from '#contract/rights.ts'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { purgeInvitations } from '#server/features/workspaces/invitations.ts'
import { newId } from '#server/lib/ids.ts'
import {
  type ApiClient,
  anApiClient,
  aSignUp,
  mailedToken,
  mailsTo,
} from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace, type User, type Workspace } from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let admin: User
let workspace: Workspace
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
  app.clock.advance({ seconds: 31 })
  admin = await aUser(app)
  workspace = await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
  ada = await signedInAs(admin)
})

const signedInAs = async (user: User): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)
const visitor = () => anApiClient(server)
const anAddress = () => `grace-${newId().slice(-12)}@example.org`

const invite = (email: string, role: Role = 'Editor') =>
  ada.call('POST', '/invitations', { email, role })
/** Invited, and the token of the mail. */
const anInvitation = async (email = anAddress(), role: Role = 'Editor') => {
  const { status, body } = await invite(email, role)
  expect(status).toBe(201)
  return { email, id: body._id as string, token: await mailedToken(app, email, 'invitation') }
}
const open = async (token: string) =>
  (await visitor().call('POST', '/invitations/open', { session: token })).body
const signUpForm = (token: string, changes = {}) => {
  const { email: _, ...form } = aSignUp('')
  return { ...form, firstName: 'Grace', session: token, ...changes }
}
const signUp = (token: string, client = visitor()) =>
  client.call('POST', '/invitations/sign-up', signUpForm(token))
const join = (client: ApiClient, token: string) =>
  client.call('POST', '/invitations/join', { session: token })
const membersOf = async ({ id }: Workspace) =>
  app.db.selectFrom('members').select(['userId', 'role']).where('workspaceId', '=', id).execute()
const invited = async () => (await ada.call('GET', '/invitations')).body

test('an invitation is mailed with a link alone on its line; its token is random and stored hashed', async () => {
  const email = anAddress()
  const { status, body } = await invite(` ${email.toUpperCase()} `)
  expect(status).toBe(201)
  const now = app.clock.now()
  expect(body).toEqual({
    ...{ _id: expect.any(String), email, role: 'Editor', isRenewed: false },
    sentAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 7 * 24 * 3600_000).toISOString(),
  })
  const { isRenewed: _, ...shown } = body
  expect(await invited()).toEqual([shown])
  const mail = (await listHeldMails(app)).find(({ to }) => to === email)
  expect(mail?.subject).toBe('You are invited to a workspace on Mailstead')
  expect(mail?.text).toContain(
    `Ada Lovelace (${admin.email}) invites you to join the workspace “Analytical Engines” as Editor.`,
  )
  expect(mail?.text).toMatch(/^http:\/\/localhost:8080\/invitation\?token=[\w-]{43}$/m)
  const token = await mailedToken(app, email, 'invitation')
  const links = await app.db.selectFrom('invitationLinks').selectAll().execute()
  expect(JSON.stringify(links)).not.toContain(token)
})

test('somebody without an account signs up by the link, with its address, and is in the workspace', async () => {
  const { email, token } = await anInvitation()
  expect(await open(token)).toEqual({
    ...{ type: 'OPEN', email, role: 'Editor', hasAccount: false },
    ...{ workspaceName: 'Analytical Engines', invitedBy: `Ada Lovelace (${admin.email})` },
  })
  const client = visitor()
  const { status, body } = await signUp(token, client)
  expect(status).toBe(201)
  expect(body).toMatchObject({ token: expect.any(String), user: { email, firstName: 'Grace' } })
  expect(client.cookies.has('mailstead_refresh')).toBe(true)
  const grace = anApiClient(server, { authorization: `Bearer ${body.token}` })
  expect((await grace.call('GET', '/workspaces')).body).toEqual([
    {
      ...{ _id: workspace.id, name: 'Analytical Engines', role: 'Editor', isCurrent: true },
      ...{ endsAt: null, suspendedFor: null, factorDueAt: null },
    },
  ])
  // The link has proven the address: no second mail, and the password works at once.
  expect(await mailsTo(app, email)).toBe(1)
  const login = { email, password: 'Engine-No-1!' }
  expect((await visitor().call('POST', '/auth/login', login)).status).toBe(200)
  expect(await invited()).toEqual([])
  expect(await open(token)).toEqual({ type: 'USED' })
  expect(await signUp(token)).toMatchObject({ status: 400, body: { type: 'INVALID_SIGNATURE' } })
})

test('a sign-up that nobody has verified gives way to whoever holds the link', async () => {
  const email = anAddress()
  const mine = { password: 'Mallory-No-1!', confirmPassword: 'Mallory-No-1!' }
  await visitor().call('POST', '/auth/register', aSignUp(email, mine))
  const verification = await mailedToken(app, email, 'verify-email')
  const { token } = await anInvitation(email)
  expect(await open(token)).toMatchObject({ hasAccount: false })
  expect((await signUp(token)).status).toBe(201)
  const login = (password: string) => visitor().call('POST', '/auth/login', { email, password })
  expect((await login('Mallory-No-1!')).status).toBe(401)
  expect((await login('Engine-No-1!')).status).toBe(200)
  const late = await visitor().call('POST', '/auth/verify-email', { session: verification })
  expect(late.body.type).toBe('ALREADY_VERIFIED')
})

test('somebody with an account joins, and it is their current workspace; nobody else can', async () => {
  const user = await aUser(app, { email: anAddress(), passwordHash: await hashPassword('x') })
  const own = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const { token } = await anInvitation(user.email)
  expect(await open(token)).toMatchObject({ type: 'OPEN', hasAccount: true })
  expect(await signUp(token)).toMatchObject({ status: 409, body: { type: 'USER_ALREADY_EXISTS' } })
  const stranger = await signedInAs(await aUser(app))
  expect(await join(stranger, token)).toMatchObject({
    status: 403,
    body: { message: `This invitation is for ${user.email}` },
  })
  expect((await join(visitor(), token)).status).toBe(401)
  const grace = await signedInAs(user)
  app.clock.advance({ seconds: 1 })
  expect(await join(grace, token)).toMatchObject({
    status: 200,
    body: { _id: workspace.id, role: 'Editor', isCurrent: true },
  })
  expect((await grace.call('GET', '/workspaces')).body).toMatchObject([
    { _id: own.id, isCurrent: false },
    { _id: workspace.id, isCurrent: true },
  ])
  expect(await join(grace, token)).toMatchObject({
    status: 400,
    body: { type: 'INVALID_SIGNATURE' },
  })
})

test('inviting says the same whether or not the address has an account, and refuses members', async () => {
  const { email: known } = await aUser(app, { email: anAddress() })
  const answers = [await invite(known), await invite(anAddress())]
  const [first, second] = answers.map(({ status, body }) => ({
    status,
    ...{ ...body, _id: '', email: '' },
  }))
  expect(first).toEqual(second)
  expect(await invite(admin.email.toUpperCase())).toMatchObject({
    status: 422,
    body: { data: { email: 'This person is already in the workspace' } },
  })
  for (const [form, data] of [
    [{ email: '', role: 'User' }, { email: 'Please enter your email' }],
    [{ email: 'ada@', role: 'User' }, { email: 'Invalid email address' }],
    [
      { email: `${'x'.repeat(10_000)}@example.org`, role: 'User' },
      { email: 'Invalid email address' },
    ],
    [{ email: anAddress(), role: 'Owner' }, { role: 'Invalid input' }],
  ] as const)
    expect(await ada.call('POST', '/invitations', form)).toMatchObject({
      status: 422,
      body: { data },
    })
})

test('inviting again renews: one in the list, the new role counts, and both links work until one is used', async () => {
  const { email, id, token } = await anInvitation(anAddress(), 'User')
  expect((await invite(email)).status).toBe(429)
  app.clock.advance({ days: 6 })
  ada = await signedInAs(admin)
  const again = await invite(email, 'Admin')
  expect(again.body).toMatchObject({ _id: id, role: 'Admin', isRenewed: true })
  expect(await invited()).toHaveLength(1)
  const second = await mailedToken(app, email, 'invitation')
  expect(second).not.toBe(token)
  expect(await open(token)).toMatchObject({ type: 'OPEN', role: 'Admin' })
  app.clock.advance({ days: 1 })
  expect(await open(token)).toEqual({ type: 'EXPIRED' })
  expect(await signUp(token)).toMatchObject({ status: 410, body: { type: 'LINK_EXPIRED' } })
  expect((await signUp(second)).status).toBe(201)
  expect(await open(token)).toEqual({ type: 'USED' })
})

test('an expired invitation stays in the list, is sent again after 30 seconds, and is gone after a month', async () => {
  const { email, id, token } = await anInvitation()
  const resend = () => ada.call('POST', `/invitations/${id}/resend`)
  const early = await resend()
  expect(early).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
  app.clock.advance({ seconds: 30 })
  expect((await resend()).status).toBe(200)
  app.clock.advance({ days: 8 })
  expect(await open(token)).toEqual({ type: 'EXPIRED' })
  ada = await signedInAs(admin)
  expect(await invited()).toMatchObject([{ _id: id }])
  expect(await resend()).toMatchObject({
    status: 200,
    body: { _id: id, sentAt: app.clock.now().toISOString() },
  })
  expect(await mailsTo(app, email)).toBe(3)
  await purgeInvitations(app)
  expect(await invited()).toHaveLength(1)
  app.clock.advance({ days: 38 })
  ada = await signedInAs(admin)
  await purgeInvitations(app)
  expect(await invited()).toEqual([])
  expect(await visitor().call('POST', '/invitations/open', { session: token })).toMatchObject({
    status: 400,
    body: { type: 'INVALID_SIGNATURE' },
  })
})

test('a revoked or declined invitation ends with all its links, and the person can be invited anew', async () => {
  const { email, id, token } = await anInvitation()
  expect((await ada.call('DELETE', `/invitations/${id}`)).status).toBe(200)
  expect(await open(token)).toEqual({ type: 'REVOKED' })
  expect((await signUp(token)).body.type).toBe('INVALID_SIGNATURE')
  expect((await ada.call('DELETE', `/invitations/${id}`)).status).toBe(404)
  expect((await ada.call('POST', `/invitations/${id}/resend`)).status).toBe(404)
  app.clock.advance({ seconds: 30 })
  const { token: next } = await anInvitation(email)
  const decline = () => visitor().call('POST', '/invitations/decline', { session: next })
  expect((await decline()).status).toBe(200)
  expect(await open(next)).toEqual({ type: 'DECLINED' })
  expect((await decline()).body.type).toBe('INVALID_SIGNATURE')
  expect(await invited()).toEqual([])
  expect(await membersOf(workspace)).toHaveLength(1)
})

test('of two who use one link at once, one joins', async () => {
  for (const times of [1, 2, 3]) {
    const { token } = await anInvitation()
    const statuses = (await Promise.all([signUp(token), signUp(token)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 400])
    expect(await membersOf(workspace)).toHaveLength(1 + times)
  }
  const user = await aUser(app, { email: anAddress() })
  const { token, id } = await anInvitation(user.email)
  const grace = await signedInAs(user)
  const [first, second, revoked] = await Promise.all([
    join(grace, token),
    join(grace, token),
    ada.call('DELETE', `/invitations/${id}`),
  ])
  const won = [first, second, revoked].filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  const isMember = (await membersOf(workspace)).some(({ userId }) => userId === user.id)
  expect(isMember).toBe(revoked.status !== 200)
})

test('of two Admins who invite one person at once, one sends the mail', async () => {
  const email = anAddress()
  const answers = await Promise.all([invite(email), invite(email, 'User')])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 429])
  expect(await invited()).toHaveLength(1)
  expect(await mailsTo(app, email)).toBe(1)
})

test('only Admins see and send invitations, and those of another workspace are not there', async () => {
  const { id } = await anInvitation()
  for (const role of ['Editor', 'User'] as const) {
    const user = await aUser(app)
    await aWorkspace(app, { members: [{ user, role }] })
    const client = await signedInAs(user)
    for (const [method, path, body] of [
      ['GET', '/invitations'],
      ['POST', '/invitations', { email: anAddress(), role: 'Admin' }],
      ['POST', `/invitations/${id}/resend`],
      ['DELETE', `/invitations/${id}`],
    ] as const)
      expect([role, method, (await client.call(method, path, body)).status]).toEqual([
        role,
        method,
        403,
      ])
  }
  const other = await aUser(app)
  await aWorkspace(app, { members: [{ user: other, role: 'Admin' }] })
  const stranger = await signedInAs(other)
  expect((await stranger.call('GET', '/invitations')).body).toEqual([])
  for (const [method, path] of [
    ['POST', `/invitations/${id}/resend`],
    ['DELETE', `/invitations/${id}`],
  ] as const)
    expect((await stranger.call(method, path)).status).toBe(404)
  expect(await invited()).toHaveLength(1)
})

test('an address gets five invitations an hour from all workspaces; somebody sends a hundred a day', async () => {
  const email = anAddress()
  const statuses: number[] = []
  for (let n = 0; n < 6; n += 1) {
    const user = await aUser(app)
    await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    const client = await signedInAs(user)
    statuses.push((await client.call('POST', '/invitations', { email, role: 'User' })).status)
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
  await app.db
    .insertInto('throttles')
    .values({
      key: `invitations-by:${admin.id}`,
      count: 99,
      windowEndsAt: new Date(app.clock.now().getTime() + 3600_000),
    })
    .execute()
  expect((await invite(anAddress())).status).toBe(201)
  expect((await invite(anAddress())).status).toBe(429)
})

test('a workspace named like a link is not named in the mail', async () => {
  for (const name of ['Win at https://evil.example', 'evil.example', 'a@evil']) {
    await app.db.updateTable('workspaces').set({ name }).where('id', '=', workspace.id).execute()
    const { email } = await anInvitation()
    const mail = (await listHeldMails(app)).find(({ to }) => to === email)
    expect(mail?.text).toContain('invites you to join their workspace as Editor.')
    expect(`${mail?.text}${mail?.html}`).not.toContain('evil')
  }
})

test('with SIGNUP=invite an invitation is the way in, with SIGNUP=closed only accounts join', async () => {
  for (const mode of ['invite', 'closed'] as const) {
    const other = await anApp({
      config: { signUp: mode },
      database: app.database,
      clock: app.clock,
    })
    const door = await openHttpServer(other)
    const { email, token } = await anInvitation()
    const at = anApiClient(door)
    expect(await at.call('POST', '/auth/register', aSignUp(email))).toMatchObject({
      status: 403,
      body: { type: 'SIGN_UP_CLOSED' },
    })
    expect((await at.call('POST', '/invitations/sign-up', signUpForm(token))).status).toBe(
      mode === 'invite' ? 201 : 403,
    )
    const user = await aUser(app, { email: anAddress() })
    const { token: theirs } = await anInvitation(user.email)
    const client = anApiClient(door, (await aSession(app, user)).headers)
    expect((await join(client, theirs)).status).toBe(200)
    await door.close()
    await other.close()
  }
})

test('what is wrong with the sign-up stands at its field, and the invitation stays good', async () => {
  const { token } = await anInvitation()
  for (const [changes, data] of [
    [{ firstName: '' }, { firstName: 'First name is required' }],
    [{ password: 'short' }, { password: 'Password must be at least 8 characters long' }],
    [{ confirmPassword: 'Engine-No-2!' }, { confirmPassword: "Passwords don't match." }],
    [{ password: 'P@ssw0rd', confirmPassword: 'P@ssw0rd' }, { password: expect.any(String) }],
  ] as const)
    expect(
      await visitor().call('POST', '/invitations/sign-up', signUpForm(token, changes)),
    ).toMatchObject({ status: 422, body: { data } })
  expect((await signUp(token)).status).toBe(201)
})

test('a workspace without its inviter still takes who was invited', async () => {
  const { token } = await anInvitation()
  await app.db.deleteFrom('members').where('userId', '=', admin.id).execute()
  await app.db.deleteFrom('sessions').where('userId', '=', admin.id).execute()
  await app.db.deleteFrom('users').where('id', '=', admin.id).execute()
  expect(await open(token)).toMatchObject({ type: 'OPEN', invitedBy: null })
  expect((await signUp(token)).status).toBe(201)
})
