/** Attacks on a user who makes no mistake, from the user's side: each ends well for the user. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '#contract/rights.ts'
import { mailResetLink } from '#server/features/accounts/mail-link.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import {
  type ApiClient,
  anApiClient,
  aSignUp,
  mailedToken,
  mailsTo,
} from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  type Domain,
  letRead,
  type User,
  type Workspace,
} from '#test-world/builders.ts'
import { acceptBody, accessTokenFrom } from '#test-world/people/holders.ts'
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

const MINE = 'My-0wn-Choice!'
const THEIRS = 'Mallory-Was-1!'
let count = 0
let workspace: Workspace
let domain: Domain
let ada: { user: User; client: ApiClient }
let mallory: { user: User; client: ApiClient }
beforeEach(async () => {
  count += 1
  app.clock.advance({ hours: 2 })
  workspace = await aWorkspace(app, { name: 'Engines' })
  domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  ada = await aMember('Admin')
  mallory = await aMember('Editor')
})

const aMember = async (role: Role) => {
  const user = await aUser(app, { currentWorkspaceId: workspace.id })
  await app.db
    .insertInto('members')
    .values({ workspaceId: workspace.id, userId: user.id, role, createdAt: app.clock.now() })
    .execute()
  return { user, client: anApiClient(server, (await aSession(app, user)).headers) }
}
const register = (browser: ApiClient, email: string, password: string) =>
  browser.call('POST', '/auth/register', aSignUp(email, { password, confirmPassword: password }))
const resend = async (browser: ApiClient, email: string) => {
  app.clock.advance({ seconds: 31 })
  return browser.call('POST', '/auth/resend-verify-email', { email, type: 'email-verification' })
}
const logIn = (email: string, password: string, browser = anApiClient(server)) =>
  browser.call('POST', '/auth/login', { email, password })
const openNewest = async (browser: ApiClient, email: string) =>
  browser.call('POST', '/auth/verify-email', {
    session: await mailedToken(app, email, 'verify-email'),
  })
const subjectsTo = async (to: string): Promise<string[]> =>
  (await listHeldMails(app)).filter((mail) => mail.to === to).map(({ subject }) => subject)
const linksTo = async (to: string): Promise<string[]> =>
  (await listHeldMails(app))
    .filter((mail) => mail.to === to && mail.link?.includes('token='))
    .map(({ link }) => link ?? '')

describe('I sign up, and somebody else signs up with my address', () => {
  const mine = () => ({ email: `grace${count}@example.org`, browser: anApiClient(server) })

  test('my Resend brings my own password, though they were the last', async () => {
    const { email, browser } = mine()
    await register(browser, email, MINE)
    await register(anApiClient(server), email, THEIRS)
    expect((await resend(browser, email)).status).toBe(200)
    expect((await openNewest(browser, email)).body.type).toBe('VERIFIED')
    expect((await logIn(email, THEIRS)).body.type).toBe('INVALID_PASSWORD')
    expect((await logIn(email, MINE)).status).toBe(200)
  })

  test('their link, which I cannot tell from mine, gives them nothing', async () => {
    const { email, browser } = mine()
    await register(browser, email, MINE)
    app.clock.advance({ seconds: 1 })
    await register(anApiClient(server), email, THEIRS)
    expect((await openNewest(browser, email)).body.type).toBe('VERIFIED')
    expect((await logIn(email, THEIRS)).body.type).toBe('INVALID_PASSWORD')
    // Which of the two is mine, nobody knows; I am told to choose one, and my mail is the way.
    expect(await subjectsTo(email)).toContain('Your Mailstead account has no password yet')
    await browser.call('POST', '/auth/forgot-password', { email })
    const session = await mailedToken(app, email, 'create-new-password')
    const form = { password: MINE, confirmPassword: MINE, session }
    expect((await browser.call('POST', '/auth/set-new-password', form)).status).toBe(200)
    expect((await logIn(email, MINE)).status).toBe(200)
  })

  test('also when they were first, asked once more, and I open the mail on my phone', async () => {
    const { email, browser } = mine()
    const theirs = anApiClient(server)
    await register(theirs, email, THEIRS)
    app.clock.advance({ seconds: 1 })
    await register(browser, email, MINE)
    await resend(theirs, email)
    // They know their password, so their login mails a link as well.
    await logIn(email, THEIRS, theirs)
    app.clock.advance({ seconds: 1 })
    expect((await openNewest(anApiClient(server), email)).body.type).toBe('VERIFIED')
    expect((await logIn(email, THEIRS)).body.type).toBe('INVALID_PASSWORD')
  })

  test('alone, I open my link wherever I am, and a resent one from where I never signed up sets no password', async () => {
    const { email, browser } = mine()
    await register(browser, email, MINE)
    const session = await mailedToken(app, email, 'verify-email')
    const phone = anApiClient(server)
    expect((await resend(phone, email)).status).toBe(200)
    expect(await mailsTo(app, email)).toBe(2)
    expect((await phone.call('POST', '/auth/verify-email', { session })).status).toBe(200)
    expect((await logIn(email, MINE)).status).toBe(200)

    const other = `phone-${email}`
    await register(browser, other, MINE)
    await resend(anApiClient(server), other)
    expect((await openNewest(phone, other)).body.type).toBe('VERIFIED')
    expect((await logIn(other, MINE)).body.type).toBe('INVALID_PASSWORD')
    expect(await subjectsTo(other)).toContain('Your Mailstead account has no password yet')
  })

  test('when I log in before I opened the mail, the link that I am told of is there', async () => {
    const { email, browser } = mine()
    await register(browser, email, MINE)
    app.clock.advance({ hours: 25 })
    expect(await logIn(email, MINE, browser)).toMatchObject({ body: { type: 'NOT_VERIFIED' } })
    expect(await mailsTo(app, email)).toBe(2)
    await logIn(email, MINE, browser)
    expect(await mailsTo(app, email)).toBe(2)
    expect((await openNewest(browser, email)).body.type).toBe('VERIFIED')
    expect((await logIn(email, MINE)).status).toBe(200)
  })
})

describe('I am an Admin, and an Editor wants what is mine', () => {
  const own = () => `grace@${domain.name}`

  test('no invitation and no link to a mailbox goes where their alias or catch-all would catch it', async () => {
    const mailbox = await aMailbox(app, { domain })
    const theirs = await aMailbox(app, { domain })
    await letRead(app, theirs, mallory.user.id)
    expect(
      (
        await mallory.client.call('PUT', `/domains/${domain.id}/catch-all`, {
          mailboxId: theirs.id,
        })
      ).status,
    ).toBe(200)
    for (const email of [own(), `GRACE+x@${domain.name.toUpperCase()}`]) {
      const refused = {
        status: 422,
        body: { data: { email: expect.stringContaining('Mail to this domain comes to your own') } },
      }
      const invited = await ada.client.call('POST', '/invitations', { email, role: 'Admin' })
      expect(invited).toMatchObject(refused)
      const access = await ada.client.call('POST', `/mailboxes/${mailbox.id}/access/link`, {
        email,
      })
      expect(access).toMatchObject({ status: 422, body: { data: { email: expect.any(String) } } })
    }
    const outside = { email: `grace${count}@example.net`, role: 'Admin' }
    expect((await ada.client.call('POST', '/invitations', outside)).status).toBe(201)
    expect((await listHeldMails(app)).filter(({ to }) => to.endsWith(`@${domain.name}`))).toEqual(
      [],
    )
  })

  test('nor to a role, which several people read, and an invitation from before is not sent there again', async () => {
    for (const name of ['postmaster', 'abuse+x'])
      expect(
        await ada.client.call('POST', '/invitations', {
          email: `${name}@example.net`,
          role: 'User',
        }),
      ).toMatchObject({
        status: 422,
        body: { data: { email: expect.stringContaining('several') } },
      })
    const late = `late${count}.example`
    const invited = await ada.client.call('POST', '/invitations', {
      ...{ email: `grace@${late}`, role: 'Admin' },
    })
    await aDomain(app, { workspaceId: workspace.id, name: late, active: true })
    app.clock.advance({ minutes: 1 })
    const again = await ada.client.call('POST', `/invitations/${invited.body._id}/resend`)
    expect(again.status).toBe(422)
  })

  test('the link that resets my password is worthless once my address is theirs', async () => {
    const email = own()
    await app.db.updateTable('users').set({ email }).where('id', '=', ada.user.id).execute()
    const ways = [
      () => mallory.client.call('POST', '/mailboxes', aMailboxForm(email)),
      async () => {
        const theirs = await aMailbox(app, { domain })
        return mallory.client.call('POST', `/mailboxes/${theirs.id}/aliases`, { email })
      },
      async () => {
        const theirs = await aMailbox(app, { domain })
        const catchAll = { mailboxId: theirs.id }
        return mallory.client.call('PUT', `/domains/${domain.id}/catch-all`, catchAll)
      },
      async () => {
        const theirs = await aMailbox(app, { domain })
        return mallory.client.call('PATCH', `/mailboxes/${theirs.id}`, { email })
      },
    ]
    for (const [n, way] of ways.entries()) {
      await app.db.deleteFrom('mailboxes').where('domainId', '=', domain.id).execute()
      app.clock.advance({ seconds: 31 })
      await anApiClient(server).call('POST', '/auth/forgot-password', { email })
      const session = await mailedToken(app, email, 'create-new-password')
      expect([n, (await way()).body]).toEqual([
        n,
        expect.not.objectContaining({ statusCode: expect.any(Number) }),
      ])
      const form = { password: THEIRS, confirmPassword: THEIRS, session }
      const set = await anApiClient(server).call('POST', '/auth/set-new-password', form)
      expect([n, set.body.type]).toEqual([n, 'INVALID_SIGNATURE'])
    }
  })

  test('also when they take my address at the very moment in which it is mailed', async () => {
    const email = own()
    await app.db.updateTable('users').set({ email }).where('id', '=', ada.user.id).execute()
    const theirs = await aMailbox(app, { domain })
    const taking = await app.db.transaction().execute(async (tx) => {
      await mailResetLink(app, tx, { ...ada.user, email })
      const answer = mallory.client.call('POST', `/mailboxes/${theirs.id}/aliases`, { email })
      await expect.poll(isAnybodyWaiting).toBe(true)
      return { answer }
    })
    expect((await taking.answer).status).toBe(201)
    const session = await mailedToken(app, email, 'create-new-password')
    const form = { password: THEIRS, confirmPassword: THEIRS, session }
    const set = await anApiClient(server).call('POST', '/auth/set-new-password', form)
    expect(set.body.type).toBe('INVALID_SIGNATURE')
  })

  const isAnybodyWaiting = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(
      app.db,
    )
    return rows.length > 0
  }

  test('nobody is signed in to my new account by a mail that they read with me', async () => {
    const mailbox = await aMailbox(app, { domain, email: own() })
    await letRead(app, mailbox, mallory.user.id)
    expect((await register(anApiClient(server), own(), MINE)).status).toBe(201)
    expect(await linksTo(own())).toEqual([])
    expect(await subjectsTo(own())).toEqual(['No link to verify your email address for Mailstead'])
  })

  test('my account at postmaster@ is not reset by the other Admins', async () => {
    const email = `postmaster@${domain.name}`
    await aUser(app, { email, passwordHash: quickHash(MINE) })
    await anApiClient(server).call('POST', '/auth/forgot-password', { email })
    expect(await linksTo(email)).toEqual([])
    expect(await subjectsTo(email)).toEqual(['No link to reset your password for Mailstead'])
    const elsewhere = 'postmaster@a-host-of-its-own.example'
    await aUser(app, { email: elsewhere })
    await anApiClient(server).call('POST', '/auth/forgot-password', { email: elsewhere })
    expect(await linksTo(elsewhere)).toHaveLength(1)
  })
})

const aMailboxForm = (email: string) => ({
  ...{ firstName: 'Grace', lastName: 'Hopper', email, domain: domain.name },
})

describe('I part with somebody', () => {
  const waysIn = async (maker: ApiClient) => {
    const mailbox = await aMailbox(app, { domain })
    const email = `friend-of-${mailbox.id}@example.net`
    await maker.call('POST', '/invitations', { email, role: 'Admin' })
    const dns = await maker.call('POST', `/domains/${domain.id}/dns-links`, { days: 7 })
    return {
      mailbox,
      invitation: await mailedToken(app, email, 'invitation'),
      access: await accessTokenFrom(maker, mailbox.id),
      dns: dns.body._id as string,
    }
  }
  const outcomesOf = async ({ invitation, access, dns }: Awaited<ReturnType<typeof waysIn>>) => {
    const anyone = anApiClient(server)
    return [
      (await anyone.call('POST', '/invitations/open', { session: invitation })).body.type,
      (await anyone.call('POST', '/access/open', { session: access })).body.type,
      (await anyone.call('POST', '/access/accept', acceptBody(access))).status,
      await openDnsLinks(dns),
    ]
  }

  test.each([
    ['an Admin whom I remove', null],
    ['an Admin whom I make an Editor', 'Editor'],
    ['an Admin whom I make a User', 'User'],
  ] as const)('%s keeps no way in that they made', async (_who, role) => {
    const eve = await aMember('Admin')
    const ways = await waysIn(eve.client)
    const mine = await waysIn(ada.client)
    const theirs = await aMailbox(app, { domain })
    await letRead(app, theirs, eve.user.id, 'taken')
    app.clock.advance({ seconds: 1 })
    const answer =
      role === null
        ? await ada.client.call('DELETE', `/members/${eve.user.id}`)
        : await ada.client.call('PATCH', `/members/${eve.user.id}`, { role })
    expect(answer.status).toBe(200)
    expect(await outcomesOf(ways)).toEqual(['REVOKED', 'WITHDRAWN', 400, 0])
    expect((await eve.client.call('GET', `/mailboxes/${theirs.id}/folders`)).status).not.toBe(200)
    const log = await ada.client.call('GET', '/access-log')
    const lines = log.body.items.map(({ kind, mailbox }: Record<string, string>) => [kind, mailbox])
    expect(lines).toContainEqual(['link-withdrawn', ways.mailbox.email])
    expect(lines).toContainEqual(['taken-back', theirs.email])
    expect(await outcomesOf(mine)).toEqual(['OPEN', 'OPEN', 200, 1])
  })

  test('an Editor whose right to read I end keeps no link to that mailbox', async () => {
    const mailbox = await aMailbox(app, { domain })
    await letRead(app, mailbox, mallory.user.id)
    const link = await accessTokenFrom(mallory.client, mailbox.id)
    const path = `/mailboxes/${mailbox.id}/readers/${mallory.user.id}`
    expect((await ada.client.call('DELETE', path)).status).toBe(200)
    const accepted = await anApiClient(server).call('POST', '/access/accept', acceptBody(link))
    expect(accepted.body.type).toBe('INVALID_SIGNATURE')
  })

  test('who makes a way in while they lose their role has none afterwards', async () => {
    const [link, removed] = await Promise.all([
      mallory.client.call('POST', `/domains/${domain.id}/dns-links`, { days: 7 }),
      ada.client.call('DELETE', `/members/${mallory.user.id}`),
    ])
    expect(removed.status).toBe(200)
    expect(await openDnsLinks(link.body._id ?? link.body.type)).toBe(0)
  })

  const openDnsLinks = async (id: string): Promise<number> =>
    (await ada.client.call('GET', `/domains/${domain.id}/dns-links`)).body.filter(
      (link: { _id: string }) => link._id === id,
    ).length
})

test('my fellow Admin takes our domain away, reads my mail and brings it back: I am told, and the log says it all', async () => {
  const eve = await aMember('Admin')
  const hidden = await aWorkspace(app, {
    ...{ name: 'Hidden', members: [{ user: eve.user, role: 'Admin' }] },
  })
  const mailbox = await aMailbox(app, { domain })
  const there = anApiClient(server, {
    ...(await aSession(app, eve.user)).headers,
    'x-workspace-id': hidden.id,
  })
  const here = anApiClient(server, {
    ...(await aSession(app, eve.user)).headers,
    'x-workspace-id': workspace.id,
  })
  const move = (client: ApiClient, workspaceId: string) => {
    app.clock.advance({ minutes: 1 })
    return client.call('POST', `/domains/${domain.id}/move`, { workspaceId })
  }
  expect((await move(here, hidden.id)).status).toBe(200)
  app.clock.advance({ minutes: 1 })
  const taken = await there.call('POST', `/mailboxes/${mailbox.id}/readers/me`, {})
  expect(taken.status).toBe(201)
  expect((await move(there, workspace.id)).status).toBe(200)

  const { items } = (await ada.client.call('GET', '/access-log')).body
  expect(items.map(({ kind, mailbox: at }: Record<string, string>) => [kind, at])).toEqual([
    ['moved-in', domain.name],
    ['taken', mailbox.email],
    ['moved-away', domain.name],
  ])
  expect(items[2]).toMatchObject({
    actor: expect.stringContaining(eve.user.email),
    subject: 'Hidden',
  })
  const subject = `${domain.name} was moved to another workspace`
  expect((await subjectsTo(ada.user.email)).filter((each) => each === subject)).toHaveLength(2)
  expect(await subjectsTo(eve.user.email)).not.toContain(subject)
})
