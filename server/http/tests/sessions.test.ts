import { createSign, generateKeyPairSync } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, anApiClient, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace } from '#test-world/builders.ts'
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

const PASSWORD = 'Engine-No-1!'
let count = 0
const signedIn = async () => {
  count += 1
  const client = anApiClient(server)
  const email = `member${count}@example.org`
  const { token } = await aVerifiedAccount(app, client, email)
  return { client, email, token: token as string }
}
const me = (token: string) =>
  anApiClient(server).call('GET', '/auth/verify-access', undefined, {
    authorization: `Bearer ${token}`,
  })
const refresh = (client: ApiClient, headers?: Record<string, string>) =>
  client.call('POST', '/auth/refresh', undefined, headers)
const cookieOf = (client: ApiClient) => client.cookies.get('mailstead_refresh')?.value ?? ''
/** Another tab, or a thief: the same cookies at this moment. */
const copyOf = (client: ApiClient): ApiClient => {
  const copy = anApiClient(server)
  for (const [name, cookie] of client.cookies) copy.cookies.set(name, cookie)
  return copy
}
const over = {
  status: 401,
  body: { type: 'REFRESH', message: 'JWT_EXPIRED', tokenType: 'REFRESH' },
}

test('logging in answers a token for ten minutes and an HttpOnly refresh cookie', async () => {
  const { email } = await signedIn()
  const client = anApiClient(server)
  const login = await client.call('POST', '/auth/login', { email, password: PASSWORD })
  expect(login.body).toMatchObject({ tokenExpiresIn: 600, user: { email } })
  const cookie = [login.headers['set-cookie']].flat().find((c) => `${c}`.includes('_refresh='))
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Strict/)
  expect(cookie).toMatch(/Path=\/api\/v1\/auth(;|$)/)
  expect(cookie).not.toMatch(/Secure/)
  expect((await me(login.body.token)).body.email).toBe(email)
  app.clock.advance({ minutes: 10 })
  expect(await me(login.body.token)).toMatchObject({
    status: 401,
    body: { type: 'JWT_EXPIRED', tokenType: 'ACCESS' },
  })
})

test('behind https, cookies are Secure and browsers are told to stay there', async () => {
  const secure = await anApp({ config: { publicUrl: 'https://mail.example.org', isLocal: false } })
  const door = await openHttpServer(secure)
  const client = anApiClient(door)
  await aVerifiedAccount(secure, client, 'ada@example.org')
  const login = await client.call('POST', '/auth/login', {
    email: 'ada@example.org',
    password: PASSWORD,
  })
  const cookies = [login.headers['set-cookie']].flat().map(String)
  expect(cookies.every((cookie) => cookie.includes('Secure'))).toBe(true)
  // No other host of the domain can set, or overwrite, what proves who calls.
  for (const name of ['mailstead_refresh', 'mailstead_device'])
    expect(cookies).toContainEqual(
      expect.stringMatching(new RegExp(`^__Host-${name}=[^;]+;(?!.*Domain=).* Path=/;`)),
    )
  const stolen = anApiClient(door)
  const { value = '' } = client.cookies.get('__Host-mailstead_refresh') ?? {}
  stolen.cookies.set('mailstead_refresh', { value, path: '/' })
  expect((await refresh(stolen)).status).toBe(401)
  expect((await refresh(client)).status).toBe(200)
  expect(login.headers['strict-transport-security']).toContain('max-age=')
  expect((await door.inject('/dev/outbox')).statusCode).toBe(404)
  await door.close()
  await secure.close()
})

test('a refresh answers token and user, and rotates the cookie', async () => {
  const { client, email } = await signedIn()
  const before = cookieOf(client)
  const answer = await refresh(client)
  expect(answer).toMatchObject({ status: 200, body: { tokenExpiresIn: 600, user: { email } } })
  expect(cookieOf(client)).not.toBe(before)
  expect((await me(answer.body.token)).status).toBe(200)
})

test('over a real connection, the cookie goes where it is needed and nowhere else', async () => {
  const { email } = await signedIn()
  const door = await openHttpServer(app)
  const address = `${await door.listen({ port: 0, host: '127.0.0.1' })}/api/v1`
  const login = await fetch(`${address}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://localhost:8080' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const [refreshCookie = ''] = login.headers.getSetCookie()
  const headers = { cookie: refreshCookie.split(';')[0] ?? '' }
  const answer = await fetch(`${address}/auth/refresh`, { method: 'POST', headers })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const [rotated = ''] = answer.headers.getSetCookie()
  expect(rotated).toMatch(/^mailstead_refresh=[^;]+; Path=\/api\/v1\/auth; Expires=/)
  expect((await fetch(`${address}/auth/verify-access`, { headers })).status).toBe(401)
  await door.close()
})

test('two tabs that refresh at once both stay signed in', async () => {
  const { client } = await signedIn()
  const tabs = [client, copyOf(client), copyOf(client)]
  const answers = await Promise.all(tabs.map((tab) => refresh(tab)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(tabs.map(cookieOf)).size).toBe(1)
  app.clock.advance({ minutes: 5 })
  expect((await refresh(client)).status).toBe(200)
})

test('a slow tab gets the newest cookie even after several rotations within the grace', async () => {
  const { client } = await signedIn()
  const slow = copyOf(client)
  for (let i = 0; i < 3; i += 1) await refresh(client)
  app.clock.advance({ seconds: 10 })
  expect((await refresh(slow)).status).toBe(200)
  expect(cookieOf(slow)).toBe(cookieOf(client))
})

test('a stolen token that comes back after the grace ends the whole session', async () => {
  const { client } = await signedIn()
  const thief = copyOf(client)
  const { body } = await refresh(client)
  app.clock.advance({ seconds: 11 })
  expect(await refresh(thief)).toMatchObject(over)
  expect(await me(body.token)).toMatchObject({ status: 401, body: { type: 'JWT_EXPIRED' } })
  expect(await refresh(client)).toMatchObject(over)
})

test('a session ends after thirty days, however often it was refreshed, and its cookie later', async () => {
  const { client } = await signedIn()
  const { headers } = await refresh(client)
  const expires = /Expires=([^;]+)/.exec(`${headers['set-cookie']}`)?.[1] ?? ''
  expect(Date.parse(expires) - app.clock.now().getTime()).toBeGreaterThan(31 * 24 * 3600 * 1000)
  for (const days of [10, 10, 9]) {
    app.clock.advance({ days })
    expect((await refresh(client)).status).toBe(200)
  }
  app.clock.advance({ days: 1 })
  expect(await refresh(client)).toMatchObject(over)
})

test('logging out ends the session on the server, and may be done twice', async () => {
  const { client, token } = await signedIn()
  const kept = copyOf(client)
  expect((await client.call('POST', '/auth/logout')).status).toBe(200)
  expect(cookieOf(client)).toBe('')
  expect(await me(token)).toMatchObject({ status: 401, body: { tokenType: 'ACCESS' } })
  expect(await refresh(kept)).toMatchObject(over)
  expect((await client.call('POST', '/auth/logout')).status).toBe(200)
})

test('without a cookie, or with one that we never made, a refresh is NO_AUTH_TOKEN', async () => {
  const { client } = await signedIn()
  const none = { status: 401, body: { type: 'REFRESH', message: 'NO_AUTH_TOKEN' } }
  expect(await refresh(anApiClient(server))).toMatchObject(none)
  const [id, generation, mac = ''] = cookieOf(client).split('.')
  for (const forged of ['x', `${id}.2.${mac}`, `${id}.0${generation}.${mac}`, `${id}.1.${mac}A`]) {
    const forger = anApiClient(server)
    forger.cookies.set('mailstead_refresh', { value: forged, path: '/' })
    expect(await refresh(forger)).toMatchObject(none)
  }
  expect((await refresh(client)).status).toBe(200)
})

test('refresh and logout come from our own pages only', async () => {
  const { client } = await signedIn()
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'http://evil.localhost:8080', 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign)
    for (const path of ['/auth/refresh', '/auth/logout'])
      expect(await client.call('POST', path, undefined, headers)).toMatchObject({
        status: 403,
        body: { type: 'WRONG_ORIGIN' },
      })
  const own = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }
  expect((await refresh(client, own)).status).toBe(200)
})

test('no cookie authenticates a call of the API', async () => {
  const { client, token } = await signedIn()
  client.cookies.set('_access_token', { value: token, path: '/' })
  expect(await client.call('GET', '/auth/verify-access')).toMatchObject({
    status: 401,
    body: { type: 'NO_AUTH_TOKEN', tokenType: 'ACCESS' },
  })
})

test('only our own access tokens are one', async () => {
  const user = await aUser(app)
  const session = await aSession(app, user)
  const good = session.headers.authorization.slice('Bearer '.length)
  const [head = '', payload = '', signature = ''] = good.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const rs256 = `${part({ alg: 'RS256', typ: 'at+jwt' })}.${payload}`
  const key = app.secrets.keyFor('access-token')
  const signed = (changes: object, header: object = {}, by = key) =>
    new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header })
      .sign(by)
  const refused = [
    `${part({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
    `${part({ alg: 'none', typ: 'at+jwt' })}.${payload}.${signature}`,
    `${rs256}.${createSign('sha256').update(rs256).sign(privateKey, 'base64url')}`,
    await signed({}, {}, app.secrets.keyFor('refresh-token')),
    await signed({}, { alg: 'HS512' }, Buffer.alloc(64, 1)),
    await signed({}, { typ: 'JWT' }),
    await signed({ aud: 'another-service' }),
    await signed({ iss: 'https://elsewhere.example' }),
    await signed({ sid: undefined }),
    `${head}.${part({ ...claims, sub: user.id, exp: claims.exp + 1e6 })}.${signature}`,
    good.slice(0, -4),
    session.refreshCookie.replace('mailstead_refresh=', ''),
    'x',
    'a.b.c',
  ]
  expect((await me(good)).status).toBe(200)
  for (const token of refused)
    expect([token, await me(token)]).toMatchObject([
      token,
      { status: 401, body: { type: 'INVALID_SIGNATURE', statusCode: 401, tokenType: 'ACCESS' } },
    ])
  expect(await me(await signed({ exp: claims.iat - 1 }))).toMatchObject({
    status: 401,
    body: { type: 'JWT_EXPIRED', tokenType: 'ACCESS' },
  })
})

test('a request speaks about the workspace of its header, which must be the caller’s own', async () => {
  const user = await aUser(app)
  const members = [{ user, role: 'User' as const }]
  const first = await aWorkspace(app, { members })
  const second = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const foreign = await aWorkspace(app)
  const { headers } = await aSession(app, user)
  const call = (workspace?: string) =>
    anApiClient(server).call('GET', '/workspaces', undefined, {
      ...headers,
      ...(workspace === undefined ? {} : { 'x-workspace-id': workspace }),
    })
  expect((await call()).body).toMatchObject([
    { _id: first.id, role: 'User', isCurrent: true },
    { _id: second.id, role: 'Admin', isCurrent: false },
  ])
  expect((await call(second.id)).status).toBe(200)
  const refusals = await Promise.all([foreign.id, user.id, 'x', "' or 1=1"].map(call))
  for (const refusal of refusals) {
    expect(refusal.status).toBe(404)
    expect(refusal.body).toEqual(refusals[0]?.body)
  }
})
