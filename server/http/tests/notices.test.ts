/** Mails that tell people what happened to their account or their mailboxes, as the front door causes them. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { type ApiClient, anApiClient, aSignUp, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser } from '#test-world/builders.ts'
import { acceptBody, accessTokenFrom } from '#test-world/people/holders.ts'
import { openHttpServer } from '../http-server.ts'

const { password } = aSignUp('')
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const NEW_SIGN_IN = 'New sign-in to your Mailstead account'

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

/** Newest first. */
const mailsTo = async (to: string) => (await listHeldMails(app)).filter((mail) => mail.to === to)
const subjectsTo = async (to: string) => (await mailsTo(to)).map(({ subject }) => subject)

const signedUp = async (email: string) => {
  const browser = anApiClient(server)
  const { token } = await aVerifiedAccount(app, browser, email)
  app.clock.advance({ minutes: 4 })
  return { browser, client: anApiClient(server, { authorization: `Bearer ${token}` }) }
}
const logIn = async (email: string, client: ApiClient, headers = {}) => {
  app.clock.advance({ seconds: 1 })
  const login = await client.call('POST', '/auth/login', { email, password }, headers)
  expect(login.status).toBe(200)
}

test('a new account is welcomed once, with what to do next', async () => {
  const email = 'welcome@example.org'
  await signedUp(email)
  const welcome = (await mailsTo(email)).filter(({ subject }) => subject.startsWith('Welcome'))
  expect(welcome).toHaveLength(1)
  expect(welcome[0]?.link).toBe(`${app.config.publicUrl}/dashboard/add-domain`)
  expect(await subjectsTo(email)).toHaveLength(2)
})

test('a browser that never signed in here is told to the owner once, in their zone', async () => {
  const email = 'sign-in@example.org'
  const { browser, client } = await signedUp(email)
  const chosen = { timeZone: 'Asia/Tokyo', timeFormat: '12h', dateFormat: 'year-first' }
  await client.call('PUT', '/preferences', { ...chosen, wantsDnsMails: true })
  await logIn(email, browser)
  expect(await subjectsTo(email)).not.toContain(NEW_SIGN_IN)

  const other = anApiClient(server)
  await logIn(email, other, { 'user-agent': FIREFOX })
  await logIn(email, other)
  const told = (await mailsTo(email)).filter(({ subject }) => subject === NEW_SIGN_IN)
  expect(told).toHaveLength(1)
  expect(told[0]?.text).toContain('Firefox on Windows\nNetwork address 127.0.0.1\n')
  expect(told[0]?.text).toMatch(/\n\d{4}-\d\d-\d\d, \d{1,2}:\d\d\s[AP]M \(Asia\/Tokyo\)\n/)
})

test('a program that keeps no cookies causes three such mails a day', async () => {
  const email = 'program@example.org'
  await signedUp(email)
  for (let n = 0; n < 6; n++) await logIn(email, anApiClient(server))
  const countOf = async () =>
    (await subjectsTo(email)).filter((each) => each === NEW_SIGN_IN).length
  expect(await countOf()).toBe(3)
  app.clock.advance({ days: 1 })
  await logIn(email, anApiClient(server))
  expect(await countOf()).toBe(4)
})

test('the first sign-in after a new password is told by the mail about the password alone', async () => {
  const email = 'changed@example.org'
  const { client } = await signedUp(email)
  const next = 'Engine-No-2!'
  const form = { oldPassword: password, newPassword: next, confirmPassword: next }
  expect((await client.call('POST', '/profile/password', form)).status).toBe(200)
  const login = { email, password: next }
  expect((await anApiClient(server).call('POST', '/auth/login', login)).status).toBe(200)
  expect(await subjectsTo(email)).toContain('Your Mailstead password was changed')
  expect(await subjectsTo(email)).not.toContain(NEW_SIGN_IN)
})

test('who made an access link hears that it was used, and who is given a mailbox hears of it', async () => {
  const email = 'maker@example.org'
  const { client } = await signedUp(email)
  const [{ _id: workspaceId }] = (await client.call('GET', '/workspaces')).body
  const domain = await aDomain(app, { workspaceId, active: true })
  const mailbox = await aMailbox(app, { domain })
  const token = await accessTokenFrom(client, mailbox.id)
  expect((await anApiClient(server).call('POST', '/access/accept', acceptBody(token))).status).toBe(
    200,
  )
  const [used] = await mailsTo(email)
  expect(used?.subject).toBe(`The access link of ${mailbox.email} was used`)
  expect(used?.text).toContain('From now on its holder signs in to this mailbox.')
  expect(used?.text).toContain(`/dashboard/mailbox-access?mailbox=${mailbox.id}\n`)

  const colleague = await aUser(app)
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId: colleague.id, role: 'User', createdAt: app.clock.now() })
    .execute()
  const readers = `/mailboxes/${mailbox.id}/readers`
  const give = () => client.call('POST', readers, { userId: colleague.id, canSend: false })
  expect((await give()).status).toBe(201)
  const subject = `You can read the mailbox ${mailbox.email}`
  expect((await mailsTo(colleague.email))[0]).toMatchObject({
    subject,
    text: expect.stringContaining(`${email} gave you the mailbox ${mailbox.email}.`),
  })
  // Given, taken and given again on one day: one mail.
  expect((await client.call('DELETE', `${readers}/${colleague.id}`)).status).toBe(200)
  expect((await give()).status).toBe(201)
  expect(await subjectsTo(colleague.email)).toEqual([subject])
  // Who takes a right for themselves needs no mail.
  const mine = (await subjectsTo(email)).length
  await client.call('POST', `/mailboxes/${mailbox.id}/readers/me`, { reason: 'A test' })
  expect(await subjectsTo(email)).toHaveLength(mine)
})
