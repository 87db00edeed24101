import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import {
  type ApiClient,
  anApiClient,
  aSignUp,
  aVerifiedAccount,
  mailedToken,
  mailsTo,
} from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser } from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

const PASSWORD = 'Engine-No-1!'

let app: TestApp
let server: FastifyInstance
let count = 0
let email: string
let fresh: string
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
  count += 1
  // Twenty sign-ups an hour from one address.
  app.clock.advance({ minutes: 4 })
  email = `ada${count}@example.org`
  fresh = `countess${count}@example.net`
  ada = await signedIn(email)
})

const signedIn = async (address: string): Promise<ApiClient> => {
  const browser = anApiClient(server)
  const { token } = await aVerifiedAccount(app, browser, address)
  const client = anApiClient(server, { authorization: `Bearer ${token}` })
  for (const [name, cookie] of browser.cookies) client.cookies.set(name, cookie)
  return client
}
const logIn = async (address: string, password: string) =>
  anApiClient(server).call('POST', '/auth/login', { email: address, password })
const openLink = async (to: string, client = ada) =>
  client.call('POST', '/auth/verify-email', {
    session: await mailedToken(app, to, 'verify-email'),
  })
const subjectsTo = async (to: string) =>
  (await listHeldMails(app)).filter((mail) => mail.to === to).map((mail) => mail.subject)

test('names change at once, for every session', async () => {
  expect((await ada.call('GET', '/profile')).body).toMatchObject({
    firstName: 'Ada',
    email,
    hasPassword: true,
    pendingEmail: null,
  })
  const changed = await ada.call('PATCH', '/profile', { firstName: ' Augusta ' })
  expect(changed).toMatchObject({ status: 200, body: { name: 'Augusta Lovelace', email } })
  expect((await ada.call('GET', '/auth/verify-access')).body.firstName).toBe('Augusta')
})

test.each([
  [{ firstName: '' }, { firstName: 'First name is required' }],
  [{ lastName: ' ' }, { lastName: 'Last name is required' }],
  [{ email: 'ada' }, { email: 'Enter a valid email address' }],
  [{ avatar: 'x' }, { avatar: 'Unknown field' }],
  [
    { firstName: 'Eve', email: 'eve@example.net' },
    { password: 'Please enter your current password to change the email' },
  ],
  [
    { email: 'eve@example.net', password: 'wrong-1' },
    { password: 'This is not your current password' },
  ],
])('%j is refused at its field, and changes nothing', async (body, data) => {
  const before = (await ada.call('GET', '/profile')).body
  expect(await ada.call('PATCH', '/profile', body)).toMatchObject({ status: 422, body: { data } })
  expect((await ada.call('GET', '/profile')).body).toEqual(before)
})

test('a new e-mail takes effect when its mailed link is opened, and the old address is told', async () => {
  const change = { email: fresh.toUpperCase(), password: PASSWORD, firstName: 'Augusta' }
  const asked = await ada.call('PATCH', '/profile', change)
  expect(asked).toMatchObject({
    status: 200,
    body: { firstName: 'Augusta', email, pendingEmail: fresh },
  })
  expect((await subjectsTo(email))[0]).toBe(
    'The address of your Mailstead account is about to change',
  )
  expect((await logIn(fresh, PASSWORD)).status).toBe(401)
  expect((await logIn(email, PASSWORD)).status).toBe(200)

  const opened = await openLink(fresh)
  expect(opened).toMatchObject({
    status: 200,
    body: { type: 'VERIFIED', email: fresh, isChange: true, user: { email: fresh } },
  })
  expect(await subjectsTo(email)).toContain('The address of your Mailstead account was changed')
  expect((await logIn(fresh, PASSWORD)).status).toBe(200)
  expect((await logIn(email, PASSWORD)).status).toBe(401)
  expect((await ada.call('GET', '/profile')).body).toMatchObject({
    email: fresh,
    pendingEmail: null,
  })
  expect((await openLink(fresh)).body).toMatchObject({ type: 'ALREADY_VERIFIED', email: fresh })
})

test('opened where the account was never open, the link of a new e-mail signs nobody in', async () => {
  await ada.call('PATCH', '/profile', { email: fresh, password: PASSWORD })
  const elsewhere = anApiClient(server)
  const opened = await openLink(fresh, elsewhere)
  expect(opened.body).toEqual({
    ...{ type: 'ALREADY_VERIFIED', email: fresh },
    message: 'Your new email is in use from now on. Please log in with it',
  })
  expect((await elsewhere.call('POST', '/auth/refresh')).status).toBe(401)
  expect((await logIn(fresh, PASSWORD)).status).toBe(200)
})

test('only the newest link counts, and the present e-mail withdraws it', async () => {
  await ada.call('PATCH', '/profile', { email: `other-${fresh}`, password: PASSWORD })
  await ada.call('PATCH', '/profile', { email: fresh, password: PASSWORD })
  expect((await openLink(`other-${fresh}`)).body.type).toBe('INVALID_SIGNATURE')
  const withdrawn = await ada.call('PATCH', '/profile', { email })
  expect(withdrawn.body.pendingEmail).toBeNull()
  expect((await openLink(fresh)).body.type).toBe('INVALID_SIGNATURE')
  expect((await ada.call('GET', '/profile')).body.email).toBe(email)
})

test('a link that ran out can be mailed again', async () => {
  await ada.call('PATCH', '/profile', { email: fresh, password: PASSWORD })
  app.clock.advance({ hours: 25 })
  expect((await openLink(fresh)).body).toMatchObject({ type: 'LINK_EXPIRED', email: fresh })
  const again = { email: fresh, type: 'email-verification' }
  expect((await ada.call('POST', '/auth/resend-verify-email', again)).status).toBe(200)
  expect(await mailsTo(app, fresh)).toBe(2)
  expect((await openLink(fresh)).body).toMatchObject({ type: 'VERIFIED', isChange: true })
})

test('an address of another account is refused; one that nobody proved is taken over', async () => {
  await signedIn(fresh)
  expect(await ada.call('PATCH', '/profile', { email: fresh, password: PASSWORD })).toMatchObject({
    status: 409,
    body: { type: 'USER_ALREADY_EXISTS' },
  })
  const unproven = `unproven-${fresh}`
  await anApiClient(server).call('POST', '/auth/register', aSignUp(unproven))
  app.clock.advance({ seconds: 1 })
  await ada.call('PATCH', '/profile', { email: unproven, password: PASSWORD })
  expect((await openLink(unproven)).body).toMatchObject({ isChange: true, email: unproven })
})

test('an address that somebody proves first is theirs', async () => {
  await ada.call('PATCH', '/profile', { email: fresh, password: PASSWORD })
  const session = await mailedToken(app, fresh, 'verify-email')
  await signedIn(fresh)
  const late = await anApiClient(server).call('POST', '/auth/verify-email', { session })
  expect(late).toMatchObject({ status: 409, body: { type: 'USER_ALREADY_EXISTS' } })
  expect((await ada.call('GET', '/profile')).body.email).toBe(email)
})

const modal = (changes: Record<string, string>) => ({
  oldPassword: PASSWORD,
  newPassword: 'Engine-No-2!',
  confirmPassword: 'Engine-No-2!',
  ...changes,
})

test.each([
  [{ oldPassword: 'short' }, { oldPassword: 'Old password is required' }],
  [
    { newPassword: 'short', confirmPassword: 'short1' },
    { newPassword: 'New password must be at least 6 characters' },
  ],
  [{ confirmPassword: 'short' }, { confirmPassword: 'Please confirm your new password' }],
  [{ confirmPassword: 'Engine-No-3!' }, { confirmPassword: 'Passwords do not match' }],
  [{ oldPassword: 'Engine-No-9!' }, { oldPassword: 'The old password is not right' }],
  [
    { newPassword: 'Password1', confirmPassword: 'Password1' },
    { newPassword: expect.stringContaining('one of the most common') },
  ],
  [
    { newPassword: 'zq!7Kp', confirmPassword: 'zq!7Kp' },
    { newPassword: 'Logging in takes a password of at least 7 characters' },
  ],
  [
    { newPassword: PASSWORD, confirmPassword: PASSWORD },
    { newPassword: 'Please choose a password that differs from the old one' },
  ],
])('a password change with %j is refused', async (changes, data) => {
  const answer = await ada.call('POST', '/profile/password', modal(changes))
  expect(answer).toMatchObject({ status: 422, body: { data } })
  expect((await logIn(email, PASSWORD)).status).toBe(200)
})

test('a new password ends every other session and voids links; the owner is told', async () => {
  const other = anApiClient(server)
  await logInWith(other)
  await ada.call('PATCH', '/profile', { email: fresh, password: PASSWORD })
  expect((await ada.call('POST', '/profile/password', modal({}))).body).toEqual({
    message: 'Password updated successfully.',
  })
  expect((await ada.call('GET', '/profile')).body).toMatchObject({ pendingEmail: null })
  const origin = { origin: app.config.publicUrl }
  expect((await other.call('POST', '/auth/refresh', undefined, origin)).body).toMatchObject({
    type: 'REFRESH',
    message: 'JWT_EXPIRED',
  })
  expect((await openLink(fresh)).body.type).toBe('INVALID_SIGNATURE')
  expect((await logIn(email, PASSWORD)).status).toBe(401)
  expect((await logIn(email, 'Engine-No-2!')).status).toBe(200)
  expect(await subjectsTo(email)).toContain('Your Mailstead password was changed')
})

const logInWith = (client: ApiClient) =>
  client.call('POST', '/auth/login', { email, password: PASSWORD })

test('the reset of a password withdraws a change of the e-mail', async () => {
  await ada.call('PATCH', '/profile', { email: fresh, password: PASSWORD })
  await anApiClient(server).call('POST', '/auth/forgot-password', { email })
  await anApiClient(server).call('POST', '/auth/set-new-password', {
    password: 'Engine-No-4!',
    confirmPassword: 'Engine-No-4!',
    session: await mailedToken(app, email, 'create-new-password'),
  })
  expect((await openLink(fresh)).body.type).toBe('INVALID_SIGNATURE')
})

test('at an open session the password can be guessed ten times, by both forms together', async () => {
  const guess = (oldPassword: string) =>
    ada.call('POST', '/profile/password', modal({ oldPassword }))
  for (let n = 0; n < 9; n += 1) expect((await guess(`wrong-${n}`)).status).toBe(422)
  const change = { email: fresh, password: 'wrong-9' }
  expect((await ada.call('PATCH', '/profile', change)).status).toBe(422)
  expect(await guess(PASSWORD)).toMatchObject({ status: 429, body: { type: 'TOO_MANY_REQUESTS' } })
  app.clock.advance({ minutes: 16 })
  // The access token ran out meanwhile.
  expect((await logIn(email, PASSWORD)).status).toBe(200)
})

test('an account with third-party sign-in alone is told how to get a password', async () => {
  const user = await aUser(app)
  const client = anApiClient(server, (await aSession(app, user)).headers)
  expect((await client.call('GET', '/profile')).body.hasPassword).toBe(false)
  const sentence = expect.stringMatching(/^Your account has no password yet\./)
  expect((await client.call('PATCH', '/profile', { email: fresh })).body.data).toEqual({
    password: sentence,
  })
  expect((await client.call('POST', '/profile/password', modal({}))).body.data).toEqual({
    oldPassword: sentence,
  })
})
