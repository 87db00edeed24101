/** How people get into a mailbox, as the pages and programs meet it: the link, the holder, one door, the readers, the log. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '#contract/rights.ts'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import { newId } from '#server/lib/ids.ts'
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
  type Mailbox,
  type User,
} from '#test-world/builders.ts'
import {
  acceptBody,
  accessTokenFrom,
  aHolder,
  HOLDERS_PASSWORD,
} from '#test-world/people/holders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let domain: Domain
let mailbox: Mailbox
let maker: User
let admin: ApiClient
let anyone: ApiClient
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})
beforeEach(async () => {
  maker = await aUser(app, { firstName: 'Grace', lastName: 'Hopper' })
  const workspace = await aWorkspace(app, { members: [{ user: maker, role: 'Admin' }] })
  domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, maker.id)
  app.clock.advance({ days: 2 })
  admin = await clientOf(maker)
  anyone = anApiClient(server)
})

/** Deletes it, and ends it now. */
const endMailbox = async () => {
  await admin.call('DELETE', `/mailboxes/${mailbox.id}`)
  return admin.call('POST', `/deleted/${mailbox.id}/end`, { name: mailbox.email })
}

const clientOf = async (user: Pick<User, 'id'>): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)
const aColleague = async (role: Role): Promise<{ user: User; client: ApiClient }> => {
  const { workspaceId } = mailbox
  const user = await aUser(app, { currentWorkspaceId: workspaceId })
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId: user.id, role, createdAt: app.clock.now() })
    .execute()
  return { user, client: await clientOf(user) }
}
const at = (path = '') => `/mailboxes/${mailbox.id}${path}`
const tick = () => app.clock.advance({ seconds: 1 })
const accept = (token: string, password?: string) => {
  tick()
  return anyone.call('POST', '/access/accept', acceptBody(token, password))
}
const logIn = (password = HOLDERS_PASSWORD, email = mailbox.email, client = anApiClient(server)) =>
  client.call('POST', '/auth/login', { email, password })
const holderClient = async (password = HOLDERS_PASSWORD): Promise<ApiClient> => {
  const { status, body } = await logIn(password)
  expect(status).toBe(200)
  return anApiClient(server, { authorization: `Bearer ${body.token}` })
}
const aHeldMailbox = async (): Promise<ApiClient> => {
  tick()
  expect((await accept(await accessTokenFrom(admin, mailbox.id))).status).toBe(200)
  tick()
  return holderClient()
}
const kinds = async (client = admin): Promise<string[]> =>
  (await client.call('GET', at('/access/log'))).body.items.map(
    (entry: { kind: string }) => entry.kind,
  )
const canRead = async (client: ApiClient): Promise<boolean> =>
  (await client.call('GET', at('/folders'))).status === 200
const wrong = {
  status: 401,
  body: { type: 'INVALID_PASSWORD', message: 'Invalid email or password' },
}

describe('the link', () => {
  test('sets a password once, and its holder signs in with the address of the mailbox', async () => {
    const token = await accessTokenFrom(admin, mailbox.id)
    expect((await anyone.call('POST', '/access/open', { session: token })).body).toEqual({
      ...{ type: 'OPEN', email: mailbox.email, isReset: false },
      workspaceName: 'Analytical Engines',
    })
    expect(await logIn()).toMatchObject(wrong)
    expect((await accept(token)).body).toMatchObject({ email: mailbox.email })
    expect((await anyone.call('POST', '/access/open', { session: token })).body).toEqual({
      type: 'USED',
    })
    expect(await accept(token)).toMatchObject({ status: 400, body: { type: 'INVALID_SIGNATURE' } })
    const answer = await logIn(HOLDERS_PASSWORD, mailbox.email.toUpperCase())
    expect(answer.body.user).toMatchObject({ email: mailbox.email, mailboxId: mailbox.id })
    expect(await canRead(await holderClient())).toBe(true)
    expect(await kinds()).toEqual(['accepted', 'link-made'])
  })

  test('is kept as a hash, runs out after seven days, and ends when a newer one is made', async () => {
    const first = await accessTokenFrom(admin, mailbox.id)
    const rows = await app.db.selectFrom('accessLinks').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(first)
    const second = await accessTokenFrom(admin, mailbox.id)
    expect((await anyone.call('POST', '/access/open', { session: first })).body).toEqual({
      type: 'WITHDRAWN',
    })
    expect((await accept(first)).body.type).toBe('INVALID_SIGNATURE')
    app.clock.advance({ days: 7 })
    expect((await anyone.call('POST', '/access/open', { session: second })).body).toEqual({
      type: 'EXPIRED',
    })
    expect((await accept(second)).body.type).toBe('LINK_EXPIRED')
    expect(await logIn()).toMatchObject(wrong)
  })

  test('is refused when nobody made it, or it was taken back', async () => {
    for (const path of ['/access/open', '/access/accept'])
      expect(
        (
          await anyone.call(
            'POST',
            path,
            path.endsWith('open') ? { session: 'x' } : acceptBody('x'),
          )
        ).body.type,
      ).toBe('INVALID_SIGNATURE')
    const token = await accessTokenFrom(admin, mailbox.id)
    expect((await admin.call('DELETE', at('/access/link'))).status).toBe(200)
    expect((await admin.call('DELETE', at('/access/link'))).status).toBe(404)
    expect((await accept(token)).body.type).toBe('INVALID_SIGNATURE')
  })

  test('takes the passwords that sign-up takes, and no common one; it stays good', async () => {
    const token = await accessTokenFrom(admin, mailbox.id)
    for (const password of ['short', 'alllowercase1!', '1Qaz@wsx'])
      expect((await accept(token, password)).body).toMatchObject({
        type: 'VALIDATION',
        data: { password: expect.any(String) },
      })
    const differ = { ...acceptBody(token), confirmPassword: 'Other-Train-8!' }
    expect((await anyone.call('POST', '/access/accept', differ)).body.data).toEqual({
      confirmPassword: "Passwords don't match.",
    })
    expect((await accept(token)).status).toBe(200)
  })

  test('two who open it at once: one sets the password', async () => {
    const token = await accessTokenFrom(admin, mailbox.id)
    const passwords = ['Night-Train-7!', 'Early-Train-8!', 'Other-Train-9!']
    const answers = await Promise.all(passwords.map((password) => accept(token, password)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const first = passwords[answers.findIndex(({ status }) => status === 200)]
    for (const password of passwords)
      expect((await logIn(password)).status).toBe(password === first ? 200 : 401)
  })

  test('may be mailed to a private address, and is then shown to nobody', async () => {
    const email = `${newId()}@example.org`
    const made = await admin.call('POST', at('/access/link'), { email })
    expect(made).toMatchObject({ status: 201, body: { link: null, mailedTo: email } })
    expect((await accept(await mailedToken(app, email, 'mailbox-access'))).status).toBe(200)
    const alias = `also-here@${domain.name}`
    const tagged = mailbox.email.replace('@', '+me@')
    expect((await admin.call('POST', at('/aliases'), { email: alias })).status).toBe(201)
    for (const own of [mailbox.email, alias, tagged])
      expect((await admin.call('POST', at('/access/link'), { email: own })).body).toMatchObject({
        ...{ type: 'VALIDATION', data: { email: expect.any(String) } },
      })
    for (let n = 0; n < 4; n += 1) await admin.call('POST', at('/access/link'), { email })
    expect((await admin.call('POST', at('/access/link'), { email })).body.type).toBe(
      'TOO_MANY_REQUESTS',
    )
  })

  test('is made by an Admin, and by an Editor for mailboxes that they read: they could open it', async () => {
    const editor = await aColleague('Editor')
    const user = await aColleague('User')
    for (const { client } of [editor, user]) {
      const refused = await client.call('POST', at('/access/link'), {})
      expect(refused.body.type).toBe('FORBIDDEN')
    }
    await letRead(app, mailbox, editor.user.id)
    await letRead(app, mailbox, user.user.id)
    expect((await editor.client.call('GET', at('/access'))).body.canSetUp).toBe(true)
    expect((await editor.client.call('POST', at('/access/link'), {})).status).toBe(201)
    expect((await user.client.call('POST', at('/access/link'), {})).body.type).toBe('FORBIDDEN')
    expect((await user.client.call('GET', at('/access'))).body).toMatchObject({
      canSetUp: false,
      link: null,
    })
  })
})

describe('the holder', () => {
  test('gets a new password by a new link, which ends every session', async () => {
    const holder = await aHeldMailbox()
    const token = await accessTokenFrom(admin, mailbox.id)
    expect((await anyone.call('POST', '/access/open', { session: token })).body.isReset).toBe(true)
    expect(await canRead(holder)).toBe(true)
    expect((await accept(token, 'Early-Train-8!')).status).toBe(200)
    expect((await holder.call('GET', at('/folders'))).body.type).toBe('JWT_EXPIRED')
    expect(await logIn()).toMatchObject(wrong)
    expect(await kinds(await holderClient('Early-Train-8!'))).toEqual([
      'reset',
      'link-made',
      'accepted',
      'link-made',
    ])
  })

  test('changes the password with the old one, which ends the other sessions; no mail carries a link', async () => {
    const [here, there] = [await aHeldMailbox(), await holderClient()]
    const form = { newPassword: 'Early-Train-8!', confirmPassword: 'Early-Train-8!' }
    const guess = await here.call('POST', '/profile/password', {
      ...form,
      oldPassword: 'Not-it-1!',
    })
    expect(guess.body.data).toEqual({ oldPassword: 'The old password is not right' })
    expect(app.logged('sign-in-failed').at(-1)).toMatchObject({ why: 'own-password' })
    const changed = await here.call('POST', '/profile/password', {
      ...form,
      oldPassword: HOLDERS_PASSWORD,
    })
    expect(changed.status).toBe(200)
    expect(await canRead(here)).toBe(true)
    expect((await there.call('GET', at('/folders'))).status).toBe(401)
    expect((await logIn('Early-Train-8!')).status).toBe(200)
  })

  test('of a suspended mailbox is signed out and refused with a sentence, after the right password alone', async () => {
    const holder = await aHeldMailbox()
    const browser = anApiClient(server)
    await browser.call('POST', '/auth/login', { email: mailbox.email, password: HOLDERS_PASSWORD })
    expect((await admin.call('PATCH', at(), { status: 'suspended' })).status).toBe(200)
    expect((await holder.call('GET', at('/folders'))).status).toBe(401)
    // The page that they have open says why, too.
    expect(await browser.call('POST', '/auth/refresh')).toMatchObject({
      status: 401,
      body: { message: 'JWT_EXPIRED', data: { reason: 'MAILBOX_SUSPENDED' } },
    })
    expect(await logIn()).toMatchObject({ status: 403, body: { type: 'MAILBOX_SUSPENDED' } })
    expect(app.logged('sign-in-failed').at(-1)).toMatchObject({ why: 'suspended' })
    expect(await logIn('Not-it-at-all-1!')).toMatchObject(wrong)
    await admin.call('PATCH', at(), { status: 'active' })
    expect((await logIn()).status).toBe(200)
  })

  test('loses everything when access is revoked, and the mail stays', async () => {
    const holder = await aHeldMailbox()
    const waiting = await accessTokenFrom(admin, mailbox.id)
    expect((await admin.call('DELETE', at('/access'))).status).toBe(200)
    expect((await admin.call('DELETE', at('/access'))).status).toBe(404)
    expect((await holder.call('GET', at('/folders'))).status).toBe(401)
    expect(await logIn()).toMatchObject(wrong)
    expect((await accept(waiting)).body.type).toBe('INVALID_SIGNATURE')
    expect((await admin.call('GET', at('/access'))).body).toMatchObject({
      holder: null,
      link: null,
      readers: [],
    })
    expect((await admin.call('GET', at())).status).toBe(200)
  })

  test('who is revoked, suspended or given a new password while they sign in gets no session that lasts', async () => {
    for (const end of [
      () => admin.call('DELETE', at('/access')),
      () => admin.call('PATCH', at(), { status: 'suspended' }),
      async () => accept(await accessTokenFrom(admin, mailbox.id), 'Early-Train-8!'),
      () => endMailbox(),
    ]) {
      mailbox = await aMailbox(app, { domain })
      await aHolder(app, mailbox)
      const logins = Array.from({ length: 3 }, () => logIn())
      const [ended, ...answers] = await Promise.all([end(), ...logins])
      expect(ended.status).toBe(200)
      for (const { status, body } of answers) {
        expect([200, 401, 403]).toContain(status)
        if (status !== 200) continue
        const session = anApiClient(server, { authorization: `Bearer ${body.token}` })
        expect((await session.call('GET', '/auth/verify-access')).status).toBe(401)
      }
    }
  })

  test('wrong passwords for a mailbox are throttled as for any account', async () => {
    await aHeldMailbox()
    for (let n = 0; n < 10; n += 1) expect(await logIn('Not-it-at-all-1!')).toMatchObject(wrong)
    expect(await logIn()).toMatchObject({ status: 429 })
  })
})

describe('one address, one person', () => {
  test('nothing is left of a holder in an address that somebody else takes', async () => {
    const holder = await aHeldMailbox()
    expect((await endMailbox()).status).toBe(200)
    expect((await holder.call('GET', '/auth/verify-access')).status).toBe(401)
    const again = await aMailbox(app, { domain, email: mailbox.email })
    expect(await logIn()).toMatchObject(wrong)
    mailbox = again
    await letRead(app, again, maker.id)
    const successor = await accessTokenFrom(admin, again.id)
    expect((await anyone.call('POST', '/access/open', { session: successor })).body.isReset).toBe(
      false,
    )
    await accept(successor, 'Early-Train-8!')
    expect(await logIn()).toMatchObject(wrong)
    expect(await kinds(await holderClient('Early-Train-8!'))).toEqual(['accepted', 'link-made'])
  })

  test('nothing of a holder is left when the domain is deleted, or moves to another workspace', async () => {
    const holder = await aHeldMailbox()
    const waiting = await accessTokenFrom(admin, mailbox.id)
    const elsewhere = await aWorkspace(app, { members: [{ user: maker, role: 'Admin' }] })
    const preview = await admin.call('GET', `/domains/${domain.id}/move`)
    expect(preview.body).toMatchObject({ mailboxes: 1, holders: 1 })
    const moved = await admin.call('POST', `/domains/${domain.id}/move`, {
      workspaceId: elsewhere.id,
    })
    expect(moved.status).toBe(200)
    expect((await holder.call('GET', '/auth/verify-access')).status).toBe(401)
    expect(await logIn()).toMatchObject(wrong)
    expect((await accept(waiting)).body.type).toBe('INVALID_SIGNATURE')
    const there = { 'x-workspace-id': elsewhere.id }
    // The access log goes with the mail, whoever moved it.
    const { items } = (await admin.call('GET', at('/access/log'), undefined, there)).body
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...['link-made', 'accepted', 'link-made'],
    ])
    await aHolder(app, { ...mailbox, workspaceId: elsewhere.id })
    expect((await admin.call('DELETE', `/domains/${domain.id}`, undefined, there)).status).toBe(200)
    const { name } = domain
    const end = await admin.call('POST', `/deleted/${domain.id}/end`, { name }, there)
    expect(end.status).toBe(200)
    expect(await logIn()).toMatchObject(wrong)
  })

  test('an address with a holder, or a link that waits, keeps neither when it changes', async () => {
    const token = await accessTokenFrom(admin, mailbox.id)
    const email = `${newId()}@${domain.name}`
    expect((await admin.call('PATCH', at(), { email })).status).toBe(200)
    expect((await accept(token)).body.type).toBe('INVALID_SIGNATURE')
    mailbox = { ...mailbox, email }
    await aHeldMailbox()
    const refused = await admin.call('PATCH', at(), { email: `${newId()}@${domain.name}` })
    expect(refused.body).toMatchObject({
      type: 'ADDRESS_FIXED',
      message: 'The address cannot change while a person signs in with it',
    })
  })

  test('whoever has an account with the address keeps it: no link is made, and none works', async () => {
    const waiting = await accessTokenFrom(admin, mailbox.id)
    const passwordHash = await hashPassword('Their-Own-1!')
    await aUser(app, { email: mailbox.email, passwordHash })
    expect((await accept(waiting)).body.type).toBe('ACCOUNT_HAS_ADDRESS')
    const refused = await admin.call('POST', at('/access/link'), {})
    expect(refused).toMatchObject({ status: 409, body: { type: 'ACCOUNT_HAS_ADDRESS' } })
    expect((await logIn('Their-Own-1!')).body.user.mailboxId).toBeUndefined()
  })

  test('a sign-up that nobody proved gives way to the holder, and cannot come back', async () => {
    await anyone.call('POST', '/auth/register', aSignUp(mailbox.email))
    // Whoever made the mailbox reads it, so no link went there.
    await expect(mailedToken(app, mailbox.email, 'verify-email')).rejects.toThrow('no verify-email')
    await aHeldMailbox()
    const again = await anyone.call('POST', '/auth/register', aSignUp(mailbox.email))
    expect(again.body.type).toBe('USER_ALREADY_EXISTS')
    const taken = await admin.call('PATCH', '/profile', { email: mailbox.email, password: 'x' })
    expect(taken.status).toBe(422)
    const invited = await admin.call('POST', '/invitations', {
      email: mailbox.email,
      role: 'Admin',
    })
    expect(invited.body.data).toEqual({ email: expect.stringContaining('signs in to a mailbox') })
    expect(invited.body.data).toEqual({ email: expect.stringContaining('on the Access page') })
  })

  test('a forgotten password of a holder is told to the Admins, and no link is mailed to the mailbox', async () => {
    await aHeldMailbox()
    const before = await mailsTo(app, mailbox.email)
    const asked = await anyone.call('POST', '/auth/forgot-password', { email: mailbox.email })
    expect(asked).toMatchObject({ status: 200 })
    app.clock.advance({ minutes: 1 })
    const again = { email: mailbox.email, type: 'reset-password' }
    expect((await anyone.call('POST', '/auth/resend-verify-email', again)).status).toBe(200)
    expect(await mailsTo(app, mailbox.email)).toBe(before)
    // Before these two, that the link was used.
    expect(await mailsTo(app, maker.email)).toBe(3)
    const links = await app.db
      .selectFrom('mailLinks')
      .selectAll()
      .where('email', '=', mailbox.email)
      .execute()
    expect(links).toEqual([])
  })

  test('no reset link is mailed to a mailbox here that somebody else reads; alone, it is', async () => {
    const boss = await aUser(app, { email: `boss.${newId()}@${domain.name}` })
    const bosses = await aMailbox(app, { domain, email: boss.email })
    await letRead(app, bosses, boss.id)
    const forgot = () => anyone.call('POST', '/auth/forgot-password', { email: boss.email })
    await letRead(app, bosses, maker.id)
    expect((await forgot()).status).toBe(200)
    await expect(mailedToken(app, boss.email, 'create-new-password')).rejects.toThrow(
      'no create-new',
    )
    await app.db.deleteFrom('mailboxReaders').where('userId', '=', maker.id).execute()
    app.clock.advance({ minutes: 1 })
    await forgot()
    expect(await mailedToken(app, boss.email, 'create-new-password')).toMatch(/^[\w-]{43}$/)
  })

  test('a reset link that lies in a mailbox ends when somebody else begins to read it', async () => {
    const boss = await aUser(app, { email: `boss.${newId()}@${domain.name}` })
    const bosses = await aMailbox(app, { domain, email: boss.email })
    await letRead(app, bosses, boss.id)
    await anyone.call('POST', '/auth/forgot-password', { email: boss.email })
    const session = await mailedToken(app, boss.email, 'create-new-password')
    tick()
    const readers = `/mailboxes/${bosses.id}/readers/me`
    expect((await admin.call('POST', readers, {})).status).toBe(201)
    const set = await anyone.call('POST', '/auth/set-new-password', acceptBody(session))
    expect(set.body.type).toBe('INVALID_SIGNATURE')
  })

  test('no link to change the address of an account is mailed where somebody else reads it', async () => {
    const passwordHash = await hashPassword(HOLDERS_PASSWORD)
    const guest = await clientOf(await aUser(app, { passwordHash }))
    const change = { email: mailbox.email, password: HOLDERS_PASSWORD }
    expect((await guest.call('PATCH', '/profile', change)).status).toBe(200)
    await expect(mailedToken(app, mailbox.email, 'verify-email')).rejects.toThrow('no verify-email')
    const alone = await aMailbox(app, { domain })
    await guest.call('PATCH', '/profile', { ...change, email: alone.email })
    expect(await mailedToken(app, alone.email, 'verify-email')).toMatch(/^[\w-]{43}$/)
  })

  test('no reset link reaches somebody else by an alias, a +tag or the catch-all', async () => {
    const name = newId()
    const reader = await aMailbox(app, { domain })
    await letRead(app, reader, maker.id)
    const common = { workspaceId: domain.workspaceId, domainId: domain.id, mailboxId: reader.id }
    const users = {
      alias: await aUser(app, { email: `${name}@${domain.name}` }),
      tag: await aUser(app, { email: `${name}+me@${domain.name}` }),
      catchAll: await aUser(app, { email: `all.${name}@${domain.name}` }),
    }
    await app.db
      .insertInto('aliases')
      .values({ ...common, id: newId(), email: users.alias.email, createdAt: app.clock.now() })
      .execute()
    await app.db.insertInto('catchAlls').values(common).execute()
    for (const { email } of Object.values(users)) {
      await anyone.call('POST', '/auth/forgot-password', { email })
      await expect(mailedToken(app, email, 'create-new-password')).rejects.toThrow('no create-new')
    }
  })
})

describe('who reads it', () => {
  test('whoever made the mailbox reads it until its holder comes; what was given stays, for all to see', async () => {
    const friend = await aColleague('User')
    expect(await canRead(friend.client)).toBe(false)
    const given = await admin.call('POST', at('/readers'), { userId: friend.user.id })
    expect(given).toMatchObject({ status: 201, body: { how: 'given', isYou: false } })
    expect(await canRead(friend.client)).toBe(true)
    expect((await friend.client.call('GET', '/mailboxes')).body.items).toHaveLength(1)
    expect(await canRead(admin)).toBe(true)
    const holder = await aHeldMailbox()
    expect(await canRead(admin)).toBe(false)
    expect(await canRead(friend.client)).toBe(true)
    const { readers } = (await holder.call('GET', at('/access'))).body
    expect(readers.map(({ how }: { how: string }) => how)).toEqual(['given', 'holder'])
    const log = (await holder.call('GET', at('/access/log'))).body.items
    expect(log.at(-1)).toMatchObject({
      kind: 'given',
      actor: `Grace Hopper (${maker.email})`,
      subject: `Ada Lovelace (${friend.user.email})`,
    })
    expect((await admin.call('DELETE', at(`/readers/${friend.user.id}`))).status).toBe(200)
    expect(await canRead(friend.client)).toBe(false)
    expect((await friend.client.call('GET', at('/access'))).body.type).toBe('FORBIDDEN')
  })

  test('an Admin takes the right, which is written down with the reason and shown to the holder', async () => {
    const holder = await aHeldMailbox()
    expect(await canRead(admin)).toBe(false)
    const taken = await admin.call('POST', at('/readers/me'), { reason: 'She is ill' })
    expect(taken).toMatchObject({ status: 201, body: { how: 'taken', isYou: true } })
    expect(await canRead(admin)).toBe(true)
    await admin.call('POST', at('/readers/me'), { reason: 'Again' })
    const [entry] = (await holder.call('GET', at('/access/log'))).body.items
    expect(entry).toMatchObject({ kind: 'taken', reason: 'She is ill', mailbox: mailbox.email })
    expect(await kinds()).toEqual(['taken', 'accepted', 'link-made'])
    tick()
    expect((await admin.call('DELETE', at(`/readers/${maker.id}`))).status).toBe(200)
    expect(await canRead(admin)).toBe(false)
    expect(await kinds(holder)).toEqual(['gave-back', 'taken', 'accepted', 'link-made'])
  })

  test('nobody else takes or gives it, and nobody takes it from the holder', async () => {
    const holder = await aHeldMailbox()
    for (const role of ['Editor', 'User'] as const) {
      const { user, client } = await aColleague(role)
      expect((await client.call('POST', at('/readers/me'), {})).body.type).toBe('FORBIDDEN')
      const body = { userId: user.id }
      expect((await client.call('POST', at('/readers'), body)).body.type).toBe('FORBIDDEN')
    }
    const { userId } = await app.db
      .selectFrom('mailboxReaders')
      .select('userId')
      .where('origin', '=', 'holder')
      .where('mailboxId', '=', mailbox.id)
      .executeTakeFirstOrThrow()
    expect((await admin.call('DELETE', at(`/readers/${userId}`))).status).toBe(404)
    expect((await admin.call('POST', at('/readers'), { userId })).status).toBe(404)
    const stranger = await aUser(app)
    expect((await admin.call('POST', at('/readers'), { userId: stranger.id })).status).toBe(404)
    expect(await canRead(holder)).toBe(true)
  })

  test('the log of the workspace keeps what happened to mailboxes that are gone, page by page', async () => {
    await aHeldMailbox()
    await admin.call('POST', at('/readers/me'), {})
    await endMailbox()
    const first = (await admin.call('GET', '/access-log?limit=2')).body
    expect(first.items.map(({ kind }: { kind: string }) => kind)).toEqual(['taken', 'accepted'])
    const rest = (await admin.call('GET', `/access-log?limit=2&cursor=${first.nextCursor}`)).body
    expect(rest).toMatchObject({
      items: [{ kind: 'link-made', mailbox: mailbox.email }],
      nextCursor: null,
    })
    const editor = await aColleague('Editor')
    expect((await editor.client.call('GET', '/access-log')).body.type).toBe('FORBIDDEN')
  })
})
