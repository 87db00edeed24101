import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  anApiClient,
  aSignUp,
  aVerifiedAccount,
  mailedToken,
  mailsTo,
} from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
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

let count = 0
/** Each test from an address of its own: sign-ups are limited per address. */
const stranger = () => {
  count += 1
  return { email: `stranger${count}@example.org`, client: anApiClient(server) }
}

test('signing up mails a link that opens the account with a workspace and a session', async () => {
  const { email, client } = stranger()
  const signUp = await client.call('POST', '/auth/register', aSignUp(email))
  expect(signUp.status).toBe(201)
  const session = await mailedToken(app, email, 'verify-email')
  const opened = await client.call('POST', '/auth/verify-email', { session })
  expect(opened.status).toBe(200)
  expect(opened.body).toMatchObject({
    type: 'VERIFIED',
    email,
    tokenExpiresIn: 600,
    user: { firstName: 'Ada', lastName: 'Lovelace', email, name: 'Ada Lovelace', avatar: null },
  })
  const authorization = `Bearer ${opened.body.token}`
  const me = await client.call('GET', '/auth/verify-access', undefined, { authorization })
  expect(me.body).toEqual(opened.body.user)
  const workspaces = await client.call('GET', '/workspaces', undefined, { authorization })
  expect(workspaces.body).toMatchObject([
    { name: 'Ada’s workspace', role: 'Admin', isCurrent: true },
  ])

  const again = await client.call('POST', '/auth/verify-email', { session })
  expect(again.body).toMatchObject({ type: 'ALREADY_VERIFIED', email })
  expect(again.body.token).toBeUndefined()
})

test('an expired link says so with its address, and a broken one is INVALID_SIGNATURE', async () => {
  const { email, client } = stranger()
  await client.call('POST', '/auth/register', aSignUp(email))
  const session = await mailedToken(app, email, 'verify-email')
  app.clock.advance({ hours: 24 })
  const late = await client.call('POST', '/auth/verify-email', { session })
  expect(late.body).toMatchObject({ type: 'LINK_EXPIRED', email })
  const resent = await client.call('POST', '/auth/resend-verify-email', {
    email,
    type: 'email-verification',
  })
  expect(resent.status).toBe(200)
  const fresh = await mailedToken(app, email, 'verify-email')
  const opened = await client.call('POST', '/auth/verify-email', { session: fresh })
  expect(opened.body.type).toBe('VERIFIED')

  for (const broken of [`${fresh}x`, 'x'.repeat(43), 'x'])
    expect(await client.call('POST', '/auth/verify-email', { session: broken })).toMatchObject({
      status: 400,
      body: { type: 'INVALID_SIGNATURE', statusCode: 400, path: '/api/v1/auth/verify-email' },
    })
})

test('a verified address is taken; an unverified one is mailed again', async () => {
  const { email, client } = stranger()
  await client.call('POST', '/auth/register', aSignUp(email))
  const again = await client.call('POST', '/auth/register', aSignUp(email.toUpperCase()))
  expect(again).toMatchObject({ status: 403, body: { type: 'NOT_VERIFIED' } })
  expect(await mailsTo(app, email)).toBe(2)
  const session = await mailedToken(app, email, 'verify-email')
  await client.call('POST', '/auth/verify-email', { session })
  const taken = await client.call('POST', '/auth/register', aSignUp(email))
  expect(taken).toMatchObject({ status: 409, body: { type: 'USER_ALREADY_EXISTS' } })
})

test('who signed up first for a stranger’s address does not get their account', async () => {
  const { email, client } = stranger()
  const mine = 'My-0wn-Choice!'
  await client.call('POST', '/auth/register', aSignUp(email, { firstName: 'Mallory' }))
  app.clock.advance({ minutes: 1 })
  await client.call(
    'POST',
    '/auth/register',
    aSignUp(email, { password: mine, confirmPassword: mine }),
  )
  const session = await mailedToken(app, email, 'verify-email')
  // Mallory tries once more before the owner opens the mail.
  app.clock.advance({ minutes: 1 })
  await client.call('POST', '/auth/register', aSignUp(email, { firstName: 'Mallory' }))
  const opened = await client.call('POST', '/auth/verify-email', { session })
  expect(opened.body.user.firstName).toBe('Ada')
  const login = (password: string) => client.call('POST', '/auth/login', { email, password })
  expect((await login(mine)).status).toBe(200)
  expect((await login('Engine-No-1!')).body.type).toBe('INVALID_PASSWORD')
})

test('an account that is not verified learns so only with the right password', async () => {
  const { email, client } = stranger()
  await client.call('POST', '/auth/register', aSignUp(email))
  const right = await client.call('POST', '/auth/login', { email, password: 'Engine-No-1!' })
  expect(right).toMatchObject({ status: 403, body: { type: 'NOT_VERIFIED' } })
  const wrong = await client.call('POST', '/auth/login', { email, password: 'Engine-No-2!' })
  expect(wrong.body.type).toBe('INVALID_PASSWORD')
})

test('an unknown address and a wrong password look the same', async () => {
  const { email, client } = stranger()
  await aVerifiedAccount(app, client, email)
  const wrong = await client.call('POST', '/auth/login', { email, password: 'Engine-No-2!' })
  const unknown = await client.call('POST', '/auth/login', {
    email: 'nobody@example.org',
    password: 'Engine-No-2!',
  })
  expect(unknown.body).toEqual(wrong.body)
  expect(wrong).toMatchObject({
    status: 401,
    body: {
      type: 'INVALID_PASSWORD',
      message: 'Invalid email or password',
      tokenType: 'REFRESH',
      data: {},
    },
  })
})

test('forgot and resend answer the same for any address, and mail only where there is an account', async () => {
  const { email, client } = stranger()
  await aVerifiedAccount(app, client, email)
  const calls = (to: string) =>
    Promise.all([
      client.call('POST', '/auth/forgot-password', { email: to }),
      client.call('POST', '/auth/resend-verify-email', { email: to, type: 'reset-password' }),
    ])
  const mailsBefore = await mailsTo(app, email)
  const known = await calls(email)
  const unknown = await calls('nobody2@example.org')
  expect(unknown.map(({ status, body }) => ({ status, body }))).toEqual(
    known.map(({ status, body }) => ({ status, body })),
  )
  expect(known[0].status).toBe(200)
  expect(await mailsTo(app, email)).toBe(mailsBefore + 2)
  expect(await mailsTo(app, 'nobody2@example.org')).toBe(0)
})

test('a reset sets the password once, ends every session and tells the owner', async () => {
  const { email, client } = stranger()
  const account = await aVerifiedAccount(app, client, email)
  const other = anApiClient(server)
  await other.call('POST', '/auth/login', { email, password: 'Engine-No-1!' })
  await client.call('POST', '/auth/forgot-password', { email })
  const session = await mailedToken(app, email, 'create-new-password')
  const reset = (password: string) =>
    anApiClient(server).call('POST', '/auth/set-new-password', {
      password,
      confirmPassword: password,
      session,
    })
  expect(await reset('PASSWORD123')).toMatchObject({
    status: 422,
    body: { type: 'VALIDATION', data: { password: expect.stringContaining('most common') } },
  })
  const mailsBefore = await mailsTo(app, email)
  const opened = async (token = session) =>
    (await anApiClient(server).call('POST', '/auth/open-reset-link', { session: token })).body.type
  expect([await opened(), await opened('x'.repeat(43))]).toEqual(['OPEN', 'INVALID_SIGNATURE'])
  expect((await reset('analytical engine')).status).toBe(200)
  expect(await opened()).toBe('INVALID_SIGNATURE')
  expect(await mailsTo(app, email)).toBe(mailsBefore + 1)
  expect(await reset('difference engine')).toMatchObject({
    status: 400,
    body: { type: 'INVALID_SIGNATURE' },
  })

  const authorization = `Bearer ${account.token}`
  expect(
    await client.call('GET', '/auth/verify-access', undefined, { authorization }),
  ).toMatchObject({ status: 401, body: { type: 'JWT_EXPIRED', tokenType: 'ACCESS' } })
  for (const browser of [client, other])
    expect(await browser.call('POST', '/auth/refresh')).toMatchObject({
      status: 401,
      body: { type: 'REFRESH', message: 'JWT_EXPIRED', tokenType: 'REFRESH' },
    })
  const login = (password: string) => other.call('POST', '/auth/login', { email, password })
  expect((await login('Engine-No-1!')).status).toBe(401)
  expect((await login('analytical engine')).status).toBe(200)
})

test('a reset link runs out after an hour, and is no verification link', async () => {
  const { email, client } = stranger()
  await aVerifiedAccount(app, client, email)
  await client.call('POST', '/auth/forgot-password', { email })
  const session = await mailedToken(app, email, 'create-new-password')
  expect((await client.call('POST', '/auth/verify-email', { session })).body.type).toBe(
    'INVALID_SIGNATURE',
  )
  app.clock.advance({ hours: 1 })
  const opened = await client.call('POST', '/auth/open-reset-link', { session })
  expect(opened).toMatchObject({ status: 200, body: { type: 'EXPIRED' } })
  const late = await client.call('POST', '/auth/set-new-password', {
    password: 'analytical engine',
    confirmPassword: 'analytical engine',
    session,
  })
  expect(late).toMatchObject({ status: 410, body: { type: 'LINK_EXPIRED' } })
})

test('a link opened twice at the same time works once', async () => {
  const { email, client } = stranger()
  await aVerifiedAccount(app, client, email)
  await client.call('POST', '/auth/forgot-password', { email })
  const session = await mailedToken(app, email, 'create-new-password')
  const answers = await Promise.all(
    ['analytical engine', 'difference engine', 'jacquard loom'].map((password) =>
      client.call('POST', '/auth/set-new-password', {
        password,
        confirmPassword: password,
        session,
      }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
})

test('two sign-ups of one address at the same time make one account', async () => {
  const { email } = stranger()
  const answers = await Promise.all(
    [1, 2, 3].map(() => anApiClient(server).call('POST', '/auth/register', aSignUp(email))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403])
})

test('sign-up can be closed, or open to the operator alone', async () => {
  const doors = ['closed', 'invite'] as const
  for (const signUp of doors) {
    const alone = await anApp({ config: { signUp } })
    const door = await openHttpServer(alone)
    const register = (email: string) =>
      anApiClient(door).call('POST', '/auth/register', aSignUp(email))
    const first = await register('operator@example.org')
    expect(first.status).toBe(signUp === 'closed' ? 403 : 201)
    expect(await register('second@example.org')).toMatchObject({
      status: 403,
      body: { type: 'SIGN_UP_CLOSED' },
    })
    await door.close()
    await alone.close()
  }
})
