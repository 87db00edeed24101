import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient, aSignUp, mailedToken } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, letRead } from '#test-world/builders.ts'
import { anOpenidProvider, type OpenidProvider } from '#test-world/openid-provider.ts'
import { aHolder } from '#test-world/people/holders.ts'
import { openHttpServer } from '../http-server.ts'

const redirectUri = 'http://localhost:8080/google-login'
let google: OpenidProvider
let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  google = await anOpenidProvider({ redirectUri })
  app = await anApp({ config: { google: google.settings } })
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
  await google.close()
})

let count = 0
beforeEach(() => {
  count += 1
  google.person = {
    sub: `subject-${count}`,
    email: `Person${count}@example.org`,
    email_verified: true,
    given_name: 'Grace',
    family_name: 'Hopper',
  }
})

const start = async (client: ApiClient) => {
  const { status, body } = await client.call('GET', '/oauth/google')
  expect(status).toBe(200)
  return body.url as string
}
const finish = (client: ApiClient, back: URL) =>
  client.call('GET', `/oauth/google/callback${back.search}`)
const signIn = async (client: ApiClient = anApiClient(server)) =>
  finish(client, await google.signIn(await start(client)))
const failed = { status: 400, body: { type: 'OAUTH_FAILED', data: {} } }

test('the browser is sent off with PKCE, state and nonce, and an HttpOnly cookie [3.21]', async () => {
  const { body, headers } = await anApiClient(server).call('GET', '/oauth/google')
  expect(body).toEqual({ url: expect.any(String) })
  const url = new URL(body.url)
  expect(url.origin).toBe(google.settings.issuer)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'mailstead',
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(`${headers['set-cookie']}`).toMatch(/mailstead_oauth=.*HttpOnly/)
})

test('a stranger gets an account with a workspace, and the same one the next time [3.2]', async () => {
  const client = anApiClient(server)
  const first = await signIn(client)
  expect(first).toMatchObject({
    status: 200,
    body: {
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenExpiresIn: 600,
      user: { name: 'Grace Hopper', email: `person${count}@example.org` },
    },
  })
  expect((await client.call('POST', '/auth/refresh')).status).toBe(200)
  const workspaces = await client.call('GET', '/workspaces', undefined, {
    authorization: `Bearer ${first.body.token}`,
  })
  expect(workspaces.body).toMatchObject([{ name: 'Grace’s workspace', role: 'Admin' }])
  google.person = { ...google.person, email: 'renamed@example.org' }
  const second = await signIn()
  expect(second.body.user._id).toBe(first.body.user._id)
})

test('a return in another browser, twice, or later than ten minutes changes nothing', async () => {
  const client = anApiClient(server)
  const back = await google.signIn(await start(client))
  expect(await finish(anApiClient(server), back)).toMatchObject(failed)
  const stranger = anApiClient(server)
  await start(stranger)
  expect(await finish(stranger, back)).toMatchObject(failed)
  expect((await finish(client, back)).status).toBe(200)
  expect(await finish(client, back)).toMatchObject(failed)

  const slow = await google.signIn(await start(client))
  app.clock.advance({ minutes: 10 })
  expect(await finish(client, slow)).toMatchObject(failed)
})

test('a wrong state, code, nonce, or a refusal is OAUTH_FAILED', async () => {
  const client = anApiClient(server)
  const back = await google.signIn(await start(client))
  back.searchParams.set('state', 'x'.repeat(43))
  expect(await finish(client, back)).toMatchObject(failed)

  const wrongCode = await google.signIn(await start(client))
  wrongCode.searchParams.set('code', 'x'.repeat(43))
  expect(await finish(client, wrongCode)).toMatchObject(failed)

  const otherNonce = new URL(await start(client))
  otherNonce.searchParams.set('nonce', 'of-another-sign-in')
  expect(await finish(client, await google.signIn(otherNonce.href))).toMatchObject(failed)

  const otherVerifier = new URL(await start(client))
  otherVerifier.searchParams.set('code_challenge', 'x'.repeat(43))
  expect(await finish(client, await google.signIn(otherVerifier.href))).toMatchObject(failed)

  const { searchParams } = new URL(await start(client))
  const refusal = new URL(`${redirectUri}?error=access_denied`)
  refusal.searchParams.set('state', searchParams.get('state') ?? '')
  expect(await finish(client, refusal)).toMatchObject(failed)
  expect(await finish(client, new URL(redirectUri))).toMatchObject(failed)

  const otherIssuer = await google.signIn(await start(client))
  otherIssuer.searchParams.set('iss', 'https://evil.example')
  expect(await finish(client, otherIssuer)).toMatchObject(failed)
})

test('an ID token that the keys of the issuer did not sign signs nobody in', async () => {
  google.isForging = true
  const answer = await signIn()
  google.isForging = false
  expect(answer).toMatchObject(failed)
  expect((await signIn()).status).toBe(200)
})

test('an address that Google has not verified opens and joins nothing', async () => {
  google.person = { ...google.person, email_verified: false }
  expect(await signIn()).toMatchObject(failed)
  google.person = { sub: google.person.sub }
  expect(await signIn()).toMatchObject(failed)
})

const aLocalAccount = async (email: string, isVerified: boolean) => {
  const client = anApiClient(server)
  await client.call('POST', '/auth/register', aSignUp(email))
  const session = await mailedToken(app, email, 'verify-email')
  if (isVerified) await client.call('POST', '/auth/verify-email', { session })
  return { client, session }
}
const logIn = (email: string) =>
  anApiClient(server).call('POST', '/auth/login', { email, password: 'Engine-No-1!' })

test('a verified account of the same verified address is joined and keeps its password', async () => {
  const email = `person${count}@example.org`
  const { client } = await aLocalAccount(email, true)
  const joined = await signIn()
  expect(joined.body.user.firstName).toBe('Ada')
  expect((await logIn(email)).body.user._id).toBe(joined.body.user._id)
  expect((await client.call('POST', '/auth/refresh')).status).toBe(200)
  const told = async () =>
    (await listHeldMails(app)).filter(
      (mail) =>
        mail.to === email &&
        mail.subject.startsWith('Google sign-in was added to your Mailstead account'),
    ).length
  expect(await told()).toBe(1)
  expect((await signIn()).status).toBe(200)
  expect(await told()).toBe(1)
  // The address moves to another Google account: that one does not get in.
  google.person = { ...google.person, sub: 'the next owner of the address' }
  expect(await signIn()).toMatchObject(failed)
  const { _id: id } = joined.body.user
  expect(app.logged('right-changed').filter(({ whose }) => whose === id)).toMatchObject([
    { workspaceId: null, what: 'account', objectId: id, change: 'google-joined', by: id },
  ])
  const refused = app.logged('sign-in-failed').filter(({ why }) => why === 'google')
  expect(refused.at(-1)).toMatchObject({ email: `Person${count}@example.org`, ip: '127.0.0.1' })
})

test('an account that somebody made for the address and never verified is emptied first', async () => {
  const email = `person${count}@example.org`
  const { client, session } = await aLocalAccount(email, false)
  const mine = await signIn()
  expect(mine.body.user).toMatchObject({ firstName: 'Grace', email })
  expect((await logIn(email)).body.type).toBe('INVALID_PASSWORD')
  const late = await client.call('POST', '/auth/verify-email', { session })
  expect(late.body).toMatchObject({ type: 'ALREADY_VERIFIED' })
  expect((await logIn(email)).body.type).toBe('INVALID_PASSWORD')
})

test('an issuer that tells the address only at userinfo works too', async () => {
  const strict = await anOpenidProvider({ redirectUri, claimsAtUserinfoOnly: true })
  const other = await anApp({ config: { google: strict.settings } })
  const door = await openHttpServer(other)
  strict.person = google.person
  const client = anApiClient(door)
  const answer = await finish(client, await strict.signIn(await start(client)))
  expect(answer.body.user?.email).toBe(`person${count}@example.org`)
  await door.close()
  await other.close()
  await strict.close()
})

test('without a client id, with closed sign-up, or with an issuer that is away', async () => {
  const doors = [
    [{ google: null }, 409, 'GOOGLE_NOT_SET_UP'],
    [{ google: { ...google.settings, issuer: 'http://127.0.0.1:9' } }, 400, 'OAUTH_FAILED'],
  ] as const
  for (const [config, status, type] of doors) {
    const other = await anApp({ config })
    const door = await openHttpServer(other)
    for (const path of ['/oauth/google', '/oauth/google/callback?code=x&state=y'])
      expect(await anApiClient(door).call('GET', path)).toMatchObject({ status, body: { type } })
    await door.close()
    await other.close()
  }
  const closed = await anApp({ config: { google: google.settings, signUp: 'closed' } })
  const door = await openHttpServer(closed)
  expect(await signIn(anApiClient(door))).toMatchObject({
    status: 403,
    body: { type: 'SIGN_UP_CLOSED' },
  })
  await door.close()
  await closed.close()
})

test('with SIGNUP=invite only the first account and invited addresses come in by Google', async () => {
  const config = { google: google.settings, signUp: 'invite' as const }
  const byInvitation = await anApp({ config })
  const door = await openHttpServer(byInvitation)
  const { id: workspaceId } = await aWorkspace(byInvitation)
  await aUser(byInvitation)
  expect(await signIn(anApiClient(door))).toMatchObject({ body: { type: 'SIGN_UP_CLOSED' } })
  const sentAt = byInvitation.clock.now()
  await byInvitation.db
    .insertInto('invitations')
    .values({
      ...{ id: newId(), workspaceId, email: `person${count}@example.org`, role: 'User' },
      ...{ invitedBy: null, sentAt, expiresAt: new Date(sentAt.getTime() + 60_000) },
      ...{ outcome: null, endedAt: null },
    })
    .execute()
  expect((await signIn(anApiClient(door))).status).toBe(200)
  await door.close()
  await byInvitation.close()
})

test('an address whose mail somebody else reads here joins no account by Google', async () => {
  const domain = await aDomain(app, { active: true })
  const email = `admin@${domain.name}`
  const { client } = await aLocalAccount(email, true)
  const mailbox = await aMailbox(app, { domain, email })
  await letRead(app, mailbox, (await aUser(app)).id)
  google.person = { ...google.person, email }
  expect(await signIn()).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('Other people may read mail to this address') },
  })
  expect((await client.call('POST', '/auth/refresh')).status).toBe(200)
})

test('who takes an account back by mail ends the Google sign-in that somebody tied to it', async () => {
  const email = `person${count}@example.org`
  await aLocalAccount(email, true)
  await signIn()
  const anyone = anApiClient(server)
  await anyone.call('POST', '/auth/forgot-password', { email })
  const session = await mailedToken(app, email, 'create-new-password')
  const password = 'analytical engine'
  await anyone.call('POST', '/auth/set-new-password', {
    ...{ password, confirmPassword: password, session },
  })
  google.person = { ...google.person, email: 'elsewhere@example.net' }
  const other = await signIn()
  expect(other.body.user.email).toBe('elsewhere@example.net')
})

test('the address of a mailbox with a holder signs nobody in by Google: others may read what is sent to it', async () => {
  const mailbox = await aMailbox(app, { email: `holder${count}@example.org` })
  const holder = await aHolder(app, mailbox)
  google.person = { ...google.person, email: mailbox.email }
  expect(await signIn()).toMatchObject({
    status: 400,
    body: {
      message: 'This is the address of a mailbox here, which signs in with its own password',
    },
  })
  const rows = await app.db.selectFrom('sessions').selectAll().execute()
  expect(rows.filter(({ userId }) => userId === holder.id)).toEqual([])
})
