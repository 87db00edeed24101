/** Sessions as their owner sees and ends them, signed in or by the link of a mail. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Session } from '#contract/account/sessions.ts'
import { mailKeyMade } from '#server/features/accounts/notices/security-mails.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { type ApiClient, anApiClient, mailedToken } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, aUser, aWorkspace, type User } from '#test-world/builders.ts'
import { setUpTotp } from '#test-world/people/factors.ts'
import { aHolder, HOLDERS_PASSWORD } from '#test-world/people/holders.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { openHttpServer } from '../http-server.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36'

let app: TestApp
let server: FastifyInstance
let user: User
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
  await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
})

/** A browser of its own, with its cookies. */
const signIn = async (userAgent: string, email = user.email): Promise<ApiClient> => {
  const browser = anApiClient(server, { 'user-agent': userAgent })
  const { status, body } = await browser.call('POST', '/auth/login', {
    ...{ email, password: HOLDERS_PASSWORD },
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return {
    cookies: browser.cookies,
    call: (method, path, form, headers = {}) =>
      browser.call(method, path, form, { authorization: `Bearer ${body.token}`, ...headers }),
  }
}

const sessionsOf = async (browser: ApiClient): Promise<Session[]> =>
  (await browser.call('GET', '/sessions')).body

const mailTo = async (email: string, subject: RegExp) => {
  const mails = await listHeldMails(app)
  const mail = mails.find((held) => held.to === email && subject.test(held.subject))
  if (mail === undefined) throw new Error(`no such mail to ${email}`)
  return mail
}

const tokenIn = (text: string): string => {
  const [, token] = /\/end-session\?token=([\w.-]+)/.exec(text) ?? []
  if (token === undefined) throw new Error(`no ending link in ${text}`)
  return token
}

const aVisitor = (): ApiClient => anApiClient(server)

test('a person sees where they are signed in, and when it was last used, to the minute', async () => {
  const here = await signIn(FIREFOX)
  app.clock.advance({ minutes: 2 })
  const there = await signIn(CHROME)
  app.clock.advance({ seconds: 30 })
  const used = app.clock.now().toISOString()
  expect(await sessionsOf(here)).toMatchObject([
    { browser: 'Firefox on Linux', isThis: true, lastUsedAt: used },
    { browser: 'Chrome on Windows', isThis: false, ip: '127.0.0.1' },
  ])
  app.clock.advance({ seconds: 50 })
  expect((await sessionsOf(here))[0]?.lastUsedAt).toBe(used)
  app.clock.advance({ seconds: 10 })
  await there.call('GET', '/sessions')
  expect((await sessionsOf(here)).map(({ lastUsedAt }) => lastUsedAt > used)).toEqual([true, true])
})

test('one is ended, and is out at its next request; nobody ends that of another person', async () => {
  const here = await signIn(FIREFOX)
  const there = await signIn(CHROME)
  const [other] = (await sessionsOf(here)).filter(({ isThis }) => !isThis)
  const id = other?._id ?? ''
  const stranger = await aUser(app, { passwordHash: quickHash(HOLDERS_PASSWORD) })
  const theirs = await signIn(FIREFOX, stranger.email)
  expect((await theirs.call('DELETE', `/sessions/${id}`)).status).toBe(404)
  expect((await there.call('GET', '/sessions')).status).toBe(200)
  expect((await here.call('DELETE', `/sessions/${id}`)).status).toBe(200)
  expect((await there.call('GET', '/sessions')).body.type).toBe('JWT_EXPIRED')
  expect((await there.call('POST', '/auth/refresh')).status).toBe(401)
  expect((await here.call('DELETE', `/sessions/${id}`)).status).toBe(404)
  expect(await sessionsOf(here)).toHaveLength(1)
})

test('all others are ended at once', async () => {
  const here = await signIn(FIREFOX)
  const others = [await signIn(CHROME), await signIn(CHROME)]
  expect((await here.call('POST', '/sessions/end-others')).body).toEqual({ ended: 2 })
  for (const other of others) expect((await other.call('GET', '/sessions')).status).toBe(401)
  expect(await sessionsOf(here)).toMatchObject([{ isThis: true }])
})

test('a session that nobody uses for fourteen days ends, one that is used goes on', async () => {
  const used = await signIn(FIREFOX)
  const unused = await signIn(CHROME)
  app.clock.advance({ days: 10 })
  const refreshed = await used.call('POST', '/auth/refresh', undefined, { authorization: '' })
  expect(refreshed.status).toBe(200)
  app.clock.advance({ days: 5 })
  expect(
    (await unused.call('POST', '/auth/refresh', undefined, { authorization: '' })).status,
  ).toBe(401)
  const again = await used.call('POST', '/auth/refresh', undefined, { authorization: '' })
  expect(again.status).toBe(200)
  const now = { authorization: `Bearer ${again.body.token}` }
  expect((await used.call('GET', '/sessions', undefined, now)).body).toHaveLength(1)
})

test('the link in the mail of a new browser ends its session, once, and a look changes nothing', async () => {
  await signIn(FIREFOX)
  const stranger = await signIn(CHROME)
  const token = tokenIn((await mailTo(user.email, /New sign-in/)).text)
  const anybody = aVisitor()
  expect(
    (await anybody.call('POST', '/auth/open-ending-link', { session: token })).body,
  ).toMatchObject({
    ...{ type: 'OPEN', email: user.email, browser: 'Chrome on Windows' },
  })
  expect((await stranger.call('GET', '/sessions')).status).toBe(200)
  const end = () => anybody.call('POST', '/auth/end-session-by-link', { session: token })
  expect(await end()).toMatchObject({ status: 200, body: { email: user.email, isHolder: false } })
  expect((await stranger.call('GET', '/sessions')).status).toBe(401)
  expect(await end()).toMatchObject({ status: 410, body: { type: 'LINK_EXPIRED' } })
  expect((await anybody.call('POST', '/auth/open-ending-link', { session: token })).body).toEqual({
    type: 'ENDED',
  })
  for (const forged of [
    `${token.slice(0, -2)}xx`,
    'x',
    `${crypto.randomUUID()}.${token.slice(37)}`,
  ])
    for (const path of ['/auth/open-ending-link', '/auth/end-session-by-link'])
      expect((await anybody.call('POST', path, { session: forged })).body.type).toBe(
        'INVALID_SIGNATURE',
      )
})

test('who changes the password of another can be thrown out by the mail of it', async () => {
  const thief = await signIn(CHROME)
  const change = { oldPassword: HOLDERS_PASSWORD, newPassword: 'Night-Train-8!' }
  const body = { ...change, confirmPassword: change.newPassword }
  expect((await thief.call('POST', '/profile/password', body)).status).toBe(200)
  const session = tokenIn((await mailTo(user.email, /password was changed/)).text)
  expect((await aVisitor().call('POST', '/auth/end-session-by-link', { session })).status).toBe(200)
  expect((await thief.call('GET', '/sessions')).status).toBe(401)
})

test('who changes the address of another is thrown out by the mail to the former address, in both of their sessions', async () => {
  const owner = await signIn(FIREFOX)
  const thief = await signIn(CHROME)
  const email = `new.${user.email}`
  const form = { email, password: HOLDERS_PASSWORD }
  expect((await thief.call('PATCH', '/profile', form)).status).toBe(200)
  const opened = await thief.call(
    'POST',
    '/auth/verify-email',
    { session: await mailedToken(app, email, 'verify-email') },
    { authorization: '' },
  )
  expect(opened.body).toMatchObject({ type: 'VERIFIED', user: { email } })
  const second = { authorization: `Bearer ${opened.body.token}` }
  const session = tokenIn((await mailTo(user.email, /address .* was changed/)).text)
  const anybody = aVisitor()
  expect((await anybody.call('POST', '/auth/open-ending-link', { session })).body).toMatchObject({
    ...{ type: 'OPEN', email, browser: 'Chrome on Windows' },
  })
  expect((await anybody.call('POST', '/auth/end-session-by-link', { session })).status).toBe(200)
  expect((await thief.call('GET', '/sessions')).status).toBe(401)
  expect((await thief.call('GET', '/sessions', undefined, second)).status).toBe(401)
  expect((await anybody.call('POST', '/auth/open-ending-link', { session })).body).toEqual({
    type: 'ENDED',
  })
  expect((await owner.call('GET', '/sessions')).status).toBe(200)
  const [one = '', two = '', mac = ''] = session.split('.')
  for (const forged of [`${one}.${mac}`, `${two}.${one}.${mac}`, `${session}.${mac}`, `.${mac}`])
    expect(
      (await anybody.call('POST', '/auth/open-ending-link', { session: forged })).body.type,
    ).toBe('INVALID_SIGNATURE')
})

test('an address that is changed in a browser nobody knows still names who asked', async () => {
  const thief = await signIn(CHROME)
  const email = `new.${user.email}`
  await thief.call('PATCH', '/profile', { email, password: HOLDERS_PASSWORD })
  await aVisitor().call('POST', '/auth/resend-verify-email', { email })
  const token = await mailedToken(app, email, 'verify-email')
  const opened = await aVisitor().call('POST', '/auth/verify-email', { session: token })
  expect(opened.body).toMatchObject({ type: 'ALREADY_VERIFIED', email })
  const session = tokenIn((await mailTo(user.email, /address .* was changed/)).text)
  expect((await aVisitor().call('POST', '/auth/end-session-by-link', { session })).status).toBe(200)
  expect((await thief.call('GET', '/sessions')).status).toBe(401)
})

test('a changed factor and a new key are told with the same link', async () => {
  const browser = await signIn(FIREFOX)
  const [session] = await sessionsOf(browser)
  await setUpTotp(app, browser, {})
  await mailKeyMade(app, app.db, user, 'Onboarding', session?._id ?? '')
  const changed = tokenIn((await mailTo(user.email, /authenticator app was set up/)).text)
  expect(tokenIn((await mailTo(user.email, /API key/)).text)).toBe(changed)
  await aVisitor().call('POST', '/auth/end-session-by-link', { session: changed })
  expect((await browser.call('GET', '/sessions')).status).toBe(401)
})

test('who gets in with a stolen recovery code is thrown out by the mail of it', async () => {
  const { recoveryCodes } = await setUpTotp(app, await signIn(FIREFOX), {})
  const thief = anApiClient(server, { 'user-agent': CHROME })
  const login = { email: user.email, password: HOLDERS_PASSWORD }
  const { challenge } = (await thief.call('POST', '/auth/login', login)).body.data
  const proof = { challenge, recoveryCode: recoveryCodes?.[0] }
  const { body } = await thief.call('POST', '/auth/second-factor', proof)
  const headers = { authorization: `Bearer ${body.token}` }
  expect((await thief.call('GET', '/sessions', undefined, headers)).status).toBe(200)
  const session = tokenIn((await mailTo(user.email, /recovery code .* was used/)).text)
  expect((await aVisitor().call('POST', '/auth/end-session-by-link', { session })).status).toBe(200)
  expect((await thief.call('GET', '/sessions', undefined, headers)).status).toBe(401)
})

test('a holder sees and ends theirs, too', async () => {
  const mailbox = await aMailbox(app)
  await aHolder(app, mailbox)
  const here = await signIn(FIREFOX, mailbox.email)
  await signIn(CHROME, mailbox.email)
  expect(await sessionsOf(here)).toHaveLength(2)
  expect((await here.call('GET', '/sessions/programs')).body).toEqual([])
  const session = tokenIn((await mailTo(mailbox.email, /New sign-in/)).text)
  expect(
    (await aVisitor().call('POST', '/auth/end-session-by-link', { session })).body,
  ).toMatchObject({
    isHolder: true,
  })
  expect(await sessionsOf(here)).toHaveLength(1)
})
