/** Two holders share a mailbox: given, sent from, taken back, left, ended, moved; nothing leaks between them. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endRightsDue } from '#server/features/mailboxes/access/change-readers.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { linesBySystem } from '#test-world/audit-lines.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
  type User,
} from '#test-world/builders.ts'
import { acceptBody, accessTokenFrom, aHolder } from '#test-world/people/holders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let admin: ApiClient
let editor: ApiClient
let editorId: string
let info: Mailbox
let eva: Mailbox
let tom: Mailbox
let evaUser: User
let tomUser: User
let asEva: ApiClient
let asTom: ApiClient
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})
const clientOf = async (user: Pick<User, 'id'>): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)
beforeEach(async () => {
  const [adminUser, editorUser] = [await aUser(app), await aUser(app)]
  editorId = editorUser.id
  const workspace = await aWorkspace(app, {
    members: [
      { user: adminUser, role: 'Admin' },
      { user: editorUser, role: 'Editor' },
    ],
  })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  info = await aMailbox(app, { domain, localPart: 'info' })
  eva = await aMailbox(app, { domain, localPart: 'eva' })
  tom = await aMailbox(app, { domain, localPart: 'tom' })
  evaUser = await aHolder(app, eva)
  tomUser = await aHolder(app, tom)
  app.clock.advance({ days: 2 })
  admin = await clientOf(adminUser)
  editor = await clientOf(editorUser)
  asEva = await clientOf(evaUser)
  asTom = await clientOf(tomUser)
})

const give = (user: Pick<User, 'id'>, more = {}, mailbox = info) =>
  admin.call('POST', `/mailboxes/${mailbox.id}/readers`, { userId: user.id, ...more })
const reads = async (client: ApiClient, mailbox = info) =>
  (await client.call('GET', `/mailboxes/${mailbox.id}/folders`)).status === 200
const listed = async (client: ApiClient) =>
  (await client.call('GET', '/mailboxes')).body.items.map((each: Mailbox) => each.email).sort()

test('a holder is given another mailbox, and the others keep theirs to themselves', async () => {
  expect(await reads(asEva)).toBe(false)
  expect((await give(evaUser)).status).toBe(201)
  expect([await reads(asEva), await reads(asTom)]).toEqual([true, false])
  expect(await listed(asEva)).toEqual([eva.email, info.email])
  expect(await listed(asTom)).toEqual([tom.email])
  await give(tomUser)
  expect([await reads(asEva, tom), await reads(asTom, eva)]).toEqual([false, false])
  const people = (await admin.call('GET', '/people?q=eva')).body
  expect(people).toMatchObject([{ _id: evaUser.id, email: eva.email, role: 'Holder' }])
  for (const refused of [asEva, editor])
    expect((await refused.call('GET', '/people')).status).toBe(403)
})

test('a holder of another workspace answers as a random id', async () => {
  const stranger = await aHolder(app, await aMailbox(app))
  const [foreign, random] = [await give(stranger), await give({ id: newId() })]
  expect([foreign.status, random.status]).toEqual([404, 404])
  expect(foreign.body).toEqual(random.body)
})

test('a right is taken back, left, or ends on its day', async () => {
  await give(evaUser)
  const right = `/mailboxes/${info.id}/readers/${evaUser.id}`
  expect((await asTom.call('DELETE', right)).status).toBe(403)
  expect((await asEva.call('DELETE', right)).status).toBe(200)
  expect(await reads(asEva)).toBe(false)
  await give(evaUser)
  expect((await admin.call('DELETE', right)).status).toBe(200)
  expect(await reads(asEva)).toBe(false)
  const over = { endsAt: app.clock.now().toISOString() }
  expect((await give(evaUser, over)).body.data).toEqual({ endsAt: 'This day is over' })
  const endsAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
  expect((await give(evaUser, { endsAt })).body).toMatchObject({ endsAt })
  expect(await reads(asEva)).toBe(true)
  app.clock.advance({ seconds: 60 })
  expect(await reads(asEva)).toBe(false)
  expect(await listed(asEva)).toEqual([eva.email])
  await endRightsDue(app)
  const [latest] = (await admin.call('GET', `/mailboxes/${info.id}/access/log`)).body.items
  expect(latest).toMatchObject({ kind: 'ended', actor: expect.stringContaining(eva.email) })
  expect(await linesBySystem(app, info)).toEqual([['rightEnded', `${info.email}: ${eva.email}`]])
})

test('a reader sends as the mailbox only where that was given, and always as themselves', async () => {
  const addresses = async (client: ApiClient, mailbox = info) =>
    (await client.call('GET', `/mailboxes/${mailbox.id}/addresses`)).body
  const draft = (client: ApiClient, from?: string) =>
    client.call('POST', `/mailboxes/${info.id}/messages`, {
      ...{ to: ['a@example.org'], subject: 'Hi', text: 'Hello', draft: true },
      ...(from && { from }),
    })
  await give(evaUser)
  await give(tomUser, { canSend: false })
  const settings = async (client: ApiClient) =>
    (await client.call('GET', `/mailboxes/${info.id}/settings`)).body
  expect(await settings(asEva)).toMatchObject({ canChange: true })
  expect(await settings(asTom)).toMatchObject({ canChange: false })
  expect(await addresses(asEva)).toEqual([info.email, eva.email])
  expect(await addresses(asTom)).toEqual([tom.email])
  expect(await addresses(asEva, eva)).toEqual([eva.email])
  expect((await draft(asEva, eva.email)).body.from).toMatchObject({ address: eva.email })
  expect((await draft(asEva)).body.from).toMatchObject({ address: info.email })
  expect((await draft(asTom)).body.from).toMatchObject({ address: tom.email })
  for (const [client, from] of [
    [asTom, info.email],
    [asTom, eva.email],
    [asEva, tom.email],
  ] as const)
    expect((await draft(client, from)).status).toBe(422)
})

test('a link to a mailbox opens what its holder reads: an Editor makes one only when reading all of it', async () => {
  await letRead(app, eva, editorId)
  const link = () => editor.call('POST', `/mailboxes/${eva.id}/access/link`, {})
  const made = await link()
  expect(made.status).toBe(201)
  await give(evaUser)
  const token = new URL(made.body.link).searchParams.get('token') ?? ''
  const anyone = anApiClient(server)
  expect((await anyone.call('POST', '/access/accept', acceptBody(token))).status).toBe(400)
  expect((await link()).status).toBe(403)
  await give({ id: editorId })
  const again = new URL((await link()).body.link).searchParams.get('token') ?? ''
  await admin.call('DELETE', `/mailboxes/${info.id}/readers/${editorId}`)
  expect((await anyone.call('POST', '/access/accept', acceptBody(again))).status).toBe(400)
})

test('the link signs in at once, unless the mailbox is suspended', async () => {
  const open = async () =>
    anApiClient(server).call(
      'POST',
      '/access/accept',
      acceptBody(await accessTokenFrom(admin, info.id)),
    )
  const { email, session } = (await open()).body
  expect(email).toBe(info.email)
  expect(await reads(anApiClient(server, { authorization: `Bearer ${session.token}` }))).toBe(true)
  await admin.call('PATCH', `/mailboxes/${info.id}`, { status: 'suspended' })
  app.clock.advance({ seconds: 1 })
  expect((await open()).body).toEqual({ email: info.email, session: null })
})

test('many links at once: each for itself, and the list says how far each mailbox is', async () => {
  const links = [{ mailboxId: info.id }, { mailboxId: eva.id }, { mailboxId: newId() }]
  const mailed = { mailboxId: info.id, email: 'private@example.net' }
  const bad = { mailboxId: info.id, email: info.email }
  const { status, body } = await admin.call('POST', '/mailboxes/access-links', {
    links: [...links, mailed, bad],
  })
  expect(status).toBe(201)
  expect(body.items.map(({ refusal }: { refusal: string | null }) => refusal)).toEqual([
    null,
    'Its holder signs in already. To reset the password, open its access',
    'There is no such mailbox',
    null,
    'This mailbox cannot be read before the link is used. Please give another address',
  ])
  expect(body.items[0].link).toContain('/mailbox-access?token=')
  expect(body.items[3]).toMatchObject({ link: null, mailedTo: 'private@example.net' })
  const states = async (query = '') =>
    Object.fromEntries(
      (await admin.call('GET', `/mailboxes${query}`)).body.items.map(
        ({ email, access }: { email: string; access: { state: string } }) => [email, access.state],
      ),
    )
  expect(await states()).toEqual({
    ...{ [info.email]: 'link', [eva.email]: 'holder', [tom.email]: 'holder' },
  })
  expect(await states('?access=link')).toEqual({ [info.email]: 'link' })
  await admin.call('DELETE', `/mailboxes/${info.id}/access/link`)
  expect(await states('?access=none')).toEqual({ [info.email]: 'none' })
  await give(evaUser)
  expect(await states('?access=readers')).toEqual({ [info.email]: 'readers' })
})

test('a mailbox that moves to another workspace leaves its readers behind; a suspended holder reads nothing', async () => {
  await give(evaUser)
  await admin.call('PATCH', `/mailboxes/${eva.id}`, { status: 'suspended' })
  expect((await asEva.call('GET', `/mailboxes/${info.id}/folders`)).status).toBe(401)
  const other = await aDomain(app, { workspaceId: info.workspaceId, active: true })
  const sales = await aMailbox(app, { domain: other })
  await give(tomUser, {}, sales)
  expect(await reads(asTom, sales)).toBe(true)
  const { _id } = (await admin.call('POST', '/workspaces', { name: 'Second' })).body
  const here = { 'x-workspace-id': info.workspaceId }
  const there = { 'x-workspace-id': _id }
  const path = `/domains/${other.id}/move`
  expect((await admin.call('POST', path, { workspaceId: _id }, here)).status).toBe(200)
  expect(await reads(asTom, sales)).toBe(false)
  expect(await listed(asTom)).toEqual([tom.email])
  const access = await admin.call('GET', `/mailboxes/${sales.id}/access`, undefined, there)
  expect(access.body.readers).toEqual([])
})

test('a mailbox is handed over: the sign-in ends, a colleague reads it, senders get an answer; or nothing happens', async () => {
  await give(tomUser)
  const path = `/mailboxes/${tom.id}/hand-over`
  const refused = { userId: newId(), replyText: 'Tom has left.' }
  expect((await admin.call('POST', path, refused)).status).toBe(404)
  expect((await editor.call('POST', path, { userId: evaUser.id })).status).toBe(403)
  // Nor to the person who leaves.
  expect((await admin.call('POST', path, { userId: tomUser.id })).status).toBe(404)
  expect([await reads(asTom, tom), await reads(asTom)]).toEqual([true, true])
  const endsAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
  const replyText = 'Tom has left. Eva reads this mailbox.'
  const done = await admin.call('POST', path, { userId: evaUser.id, endsAt, replyText })
  expect(done).toMatchObject({ status: 201, body: { email: eva.email, endsAt } })
  expect([await reads(asTom, tom), await reads(asTom)]).toEqual([false, false])
  expect(await reads(asEva, tom)).toBe(true)
  const reply = (await asEva.call('GET', `/mailboxes/${tom.id}/vacation`)).body
  expect(reply).toMatchObject({ isOn: true, state: 'on', text: replyText })
  app.clock.advance({ seconds: 60 })
  expect(await reads(asEva, tom)).toBe(false)
})
