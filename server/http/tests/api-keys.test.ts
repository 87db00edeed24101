/** API keys as programs and their makers meet them: what a key opens, what it does not, and how it ends. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { KeyScope } from '#contract/developers/scopes.ts'
import { newApiKey } from '#server/features/keys/api-key-text.ts'
import { liveKeys } from '#server/features/keys/live-keys.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, letRead, type User } from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let maker: User
let editor: User
let workspaceId: string
let admin: ApiClient
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
  editor = await aUser(app)
  const members = [
    { user: maker, role: 'Admin' as const },
    { user: await aUser(app), role: 'Admin' as const },
    { user: editor, role: 'Editor' as const },
  ]
  workspaceId = (await aWorkspace(app, { members })).id
  admin = await clientOf(maker)
})

const clientOf = async (user: Pick<User, 'id'>): Promise<ApiClient> =>
  anApiClient(server, { ...(await aSession(app, user)).headers, 'x-workspace-id': workspaceId })
const byKey = (key: string, headers = {}) =>
  anApiClient(server, { authorization: `Bearer ${key}`, ...headers })
const make = async (form: object = {}, by = admin) =>
  by.call('POST', '/api-keys', { name: 'Onboarding', scopes: ['domains:read'], ...form })
const aKey = async (form: object = {}, by = admin): Promise<{ _id: string; key: string }> => {
  const { status, body } = await make(form, by)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const aDomainHere = (more = {}) => aDomain(app, { workspaceId, active: true, ...more })
const status = async (client: ApiClient, path = '/domains') =>
  (await client.call('GET', path)).status

describe('a key', () => {
  test('is shown once, stored as a hash, and opens the API from the first call', async () => {
    await aDomainHere()
    const made = await make()
    expect(made.body).toMatchObject({
      ...{ kind: 'workspace', name: 'Onboarding', scopes: ['domains:read'], ips: [] },
      ...{ domains: null, mailboxes: null, expiresAt: null, lastUsedAt: null, lastUsedIp: null },
      madeBy: { _id: maker.id, name: 'Grace Hopper', isYou: true },
      key: expect.stringMatching(/^mailstead_\w{36}$/),
    })
    const { key, ...rest } = made.body
    const rows = await app.db.selectFrom('apiKeys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(key.slice(0, -4))
    expect((await admin.call('GET', '/api-keys')).body).toEqual([rest])
    const answer = await byKey(key).call('GET', '/domains')
    expect(answer.status).toBe(200)
    expect(answer.body).toHaveLength(1)
    expect(rest.ending).toBe(key.slice(-4))
  })

  test('does what its scopes say, and says which one it lacks; writing is not reading', async () => {
    const { key } = await aKey({ scopes: ['domains:write'] })
    const refused = await byKey(key).call('GET', '/domains')
    expect(refused).toMatchObject({
      status: 403,
      body: {
        ...{ type: 'FORBIDDEN', message: 'This API key lacks domains:read' },
        data: { scopes: ['domains:read'] },
      },
    })
    expect((await byKey(key).call('POST', '/domains', { name: 'by-key.example' })).status).toBe(201)
    expect(await status(byKey(key), '/profile')).toBe(403)
    expect((await make({ scopes: ['domains:read'] }, byKey(key))).body.message).toBe(
      'No API key may do this',
    )
  })

  test('tells a program what it is', async () => {
    const { key, ...made } = await aKey()
    expect((await byKey(key).call('GET', '/key')).body).toMatchObject({
      ...{ _id: made._id, scopes: ['domains:read'], lastUsedAt: app.clock.now().toISOString() },
    })
    expect(await status(admin, '/key')).toBe(404)
  })

  test('has a page of what it may do: every call, and none that is refused', async () => {
    const { _id, key } = await aKey({ scopes: ['domains:read', 'mail:send'] })
    const calls = (await admin.call('GET', `/api-keys/${_id}/calls`)).body
    const names = calls.map(({ name }: { name: string }) => name)
    expect(names).toContain('listDomains')
    expect(names).toContain('sendMessage')
    for (const name of ['addDomain', 'listMailboxes', 'makeApiKey', 'getProfile'])
      expect(names).not.toContain(name)
    for (const { method, path } of calls.filter(
      ({ method }: { method: string }) => method === 'GET',
    ))
      if (path !== '/events')
        expect(
          (await byKey(key).call(method, path.replace('{id}', newId()))).status,
          path,
        ).not.toBe(403)
  })

  test('acts in its workspace alone', async () => {
    const other = await aWorkspace(app, { members: [{ user: maker, role: 'Admin' }] })
    const { key } = await aKey()
    expect((await byKey(key, { 'x-workspace-id': other.id }).call('GET', '/domains')).status).toBe(
      404,
    )
    expect(await status(byKey(key, { 'x-workspace-id': workspaceId }))).toBe(200)
    await aDomain(app, { workspaceId: other.id })
    expect((await byKey(key).call('GET', '/domains')).body).toEqual([])
  })

  test('sends mail of a mailbox that it made', async () => {
    const domain = await aDomainHere()
    const { key } = await aKey({ scopes: ['mailboxes:write', 'mail:send'] })
    const box = await byKey(key).call('POST', '/mailboxes', {
      ...{ firstName: 'Ada', lastName: 'Lovelace', email: `ada@${domain.name}` },
      ...{ domain: domain.name, signature: '' },
    })
    expect(box.status, JSON.stringify(box.body)).toBe(201)
    await app.db.updateTable('mailboxes').set({ status: 'active' }).execute()
    const sent = await byKey(key).call('POST', `/mailboxes/${box.body._id}/messages`, {
      ...{ to: ['grace@example.org'], subject: 'Hello', text: 'Hello' },
    })
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    expect(await status(byKey(key), `/mailboxes/${box.body._id}/messages`)).toBe(403)
  })

  test('notes its last use to the minute', async () => {
    const { key, _id } = await aKey()
    const used = async () => (await admin.call('GET', `/api-keys/${_id}`)).body.lastUsedAt
    await byKey(key).call('GET', '/domains')
    const first = app.clock.now().toISOString()
    expect(await used()).toBe(first)
    app.clock.advance({ seconds: 30 })
    await byKey(key).call('GET', '/domains')
    expect(await used()).toBe(first)
    app.clock.advance({ seconds: 31 })
    await byKey(key).call('GET', '/domains')
    expect(await used()).toBe(app.clock.now().toISOString())
  })
})

describe('who has keys', () => {
  test('Admins make those of the workspace, and see and end each other’s; each member has their own', async () => {
    const eve = await clientOf(editor)
    expect(await make({}, eve)).toMatchObject({ status: 403 })
    const { _id: own } = await aKey({ kind: 'person' }, eve)
    const { _id: shared } = await aKey()
    const { _id: mine } = await aKey({ kind: 'person' })
    const other = await clientOf(
      await app.db
        .selectFrom('members')
        .select('userId as id')
        .where('workspaceId', '=', workspaceId)
        .where('role', '=', 'Admin')
        .where('userId', '!=', maker.id)
        .executeTakeFirstOrThrow(),
    )
    const ids = async (client: ApiClient) =>
      (await client.call('GET', '/api-keys')).body.map(({ _id }: { _id: string }) => _id)
    expect(await ids(eve)).toEqual([own])
    expect(await ids(other)).toEqual([shared])
    expect(new Set(await ids(admin))).toEqual(new Set([shared, mine]))
    for (const id of [own, mine]) expect(await status(other, `/api-keys/${id}`)).toBe(404)
    const renamed = await other.call('PATCH', `/api-keys/${shared}`, { name: 'Mine now' })
    expect(renamed).toMatchObject({ status: 403, body: { type: 'FORBIDDEN' } })
    expect((await other.call('DELETE', `/api-keys/${shared}`)).status).toBe(200)
    expect((await other.call('DELETE', `/api-keys/${shared}`)).status).toBe(404)
  })

  test('a personal key can do no more than the role of its person', async () => {
    const eve = await clientOf(editor)
    const scopes: KeyScope[] = ['domains:read', 'members:read', 'billing:read']
    const { key } = await aKey({ kind: 'person', scopes }, eve)
    expect(await status(byKey(key))).toBe(200)
    expect(await status(byKey(key), '/members')).toBe(403)
    expect(await status(byKey(key), '/invoices')).toBe(403)
  })

  test('a workspace has at most a hundred', async () => {
    const { memberId: _generated, ...row } = await app.db
      .selectFrom('apiKeys')
      .selectAll()
      .where('id', '=', (await aKey())._id)
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: 98 }, () => ({
      ...{ ...row, id: newId(), secretHash: Buffer.from(newId()) },
    }))
    await app.db.insertInto('apiKeys').values(more).execute()
    const answers = await Promise.all([make(), make(), make()])
    expect(answers.map(({ body }) => body.type ?? 'made').sort()).toEqual([
      ...['API_KEY_LIMIT', 'API_KEY_LIMIT', 'made'],
    ])
  })

  test('forms that make no sense are refused', async () => {
    for (const [form, field] of [
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['imap'] }, 'scopes.0'],
      [{ scopes: ['domains:read', 'domains:read'] }, 'scopes'],
      [{ expiresAt: '2001-01-01T00:00:00.000Z' }, 'expiresAt'],
      [{ ips: ['nowhere'] }, 'ips.0'],
      [{ ips: ['10.0.0.0/33'] }, 'ips.0'],
      [{ domains: [] }, 'domains'],
      [{ domains: [newId()] }, 'domains'],
      [{ mailboxes: [newId()] }, 'mailboxes'],
      [{ name: '' }, 'name'],
    ] as const)
      expect(await make(form), JSON.stringify(form)).toMatchObject({
        status: 422,
        body: { data: { [field]: expect.any(String) } },
      })
    const foreign = await aDomain(app, { workspaceId: (await aWorkspace(app, { members: [] })).id })
    expect((await make({ domains: [foreign.id] })).status).toBe(422)
  })
})

describe('a key that is narrowed', () => {
  test('shows and makes only what it reaches; the rest does not exist for it', async () => {
    const [near, far] = [await aDomainHere(), await aDomainHere()]
    const [mine, theirs] = [
      await aMailbox(app, { domain: near }),
      await aMailbox(app, { domain: far }),
    ]
    const scopes = ['domains:read', 'domains:write', 'mailboxes:read', 'mailboxes:write']
    const key = byKey((await aKey({ scopes, domains: [near.id] })).key)
    const ids = ({ body }: { body: { _id: string }[] }) => body.map(({ _id }) => _id)
    expect(ids(await key.call('GET', '/domains'))).toEqual([near.id])
    const list = (await key.call('GET', '/mailboxes')).body
    expect(list.items.map(({ _id }: { _id: string }) => _id)).toEqual([mine.id])
    expect((await key.call('GET', '/mailboxes/count')).body).toEqual({ count: 1 })
    expect((await key.call('GET', '/mailboxes?sort=size')).body.items).toHaveLength(1)
    const gone = await key.call('GET', `/domains/${far.id}`)
    const random = await key.call('GET', `/domains/${newId()}`)
    expect({ ...gone.body, path: '' }).toEqual({ ...random.body, path: '' })
    expect(await status(key, `/mailboxes/${theirs.id}`)).toBe(404)
    expect(await status(key, `/mailboxes/${mine.id}`)).toBe(200)
    const form = (name: string) => ({
      ...{ firstName: 'Ada', lastName: 'Lovelace', email: `ada@${name}`, domain: name },
      signature: '',
    })
    expect(await key.call('POST', '/mailboxes', form(far.name))).toMatchObject({ status: 422 })
    expect((await key.call('POST', '/mailboxes', form(near.name))).status).toBe(201)
    const names = [{ firstName: 'Eva', lastName: 'Lind' }]
    const many = { domains: [near.name, far.name], count: 1, names, signature: '' }
    expect((await key.call('POST', '/mailboxes/generate', many)).status).toBe(422)
    expect(
      (await key.call('POST', `/mailboxes/${mine.id}/aliases`, { email: `x@${far.name}` })).status,
    ).toBe(422)
    const moved = { email: `moved@${far.name}`, domain: far.name }
    expect((await key.call('PATCH', `/mailboxes/${mine.id}`, moved)).status).toBe(422)
    const catchAll = (mailboxId: string) =>
      key.call('PUT', `/domains/${near.id}/catch-all`, { mailboxId })
    expect((await catchAll(theirs.id)).status).toBe(404)
    expect((await catchAll(mine.id)).status).toBe(200)
    expect((await key.call('POST', '/domains', { name: 'more.example' })).body.message).toMatch(
      /narrowed/,
    )
  })

  test('to domains hears of their mailboxes by one question for all keys', async () => {
    const [one, two] = [await aDomainHere(), await aDomainHere()]
    const boxes = [await aMailbox(app, { domain: one }), await aMailbox(app, { domain: two })]
    const alone = await aMailbox(app, { domain: two })
    const keyOf = async (form: object) => (await aKey(form))._id
    const keys = [
      await keyOf({ domains: [one.id] }),
      await keyOf({ domains: [two.id] }),
      await keyOf({ domains: [one.id], mailboxes: [alone.id] }),
      await keyOf({ mailboxes: [alone.id] }),
      await keyOf({}),
    ]
    let queries = 0
    const db = app.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        queries += 1
        return result
      },
    })
    const live = await liveKeys({ ...app, db }, keys)
    // Of the keys, and of the mailboxes.
    expect(queries).toBe(2)
    const heard = keys.map((id) => live.get(id)?.get(workspaceId)?.key?.mailboxIds)
    const [first, second] = boxes.map(({ id }) => id) as [string, string]
    expect(heard).toEqual([
      new Set([first]),
      new Set([second, alone.id]),
      new Set([first, alone.id]),
      new Set([alone.id]),
      null,
    ])
  })

  test('to one mailbox reaches that one, and no domain', async () => {
    const domain = await aDomainHere()
    const [mine, other] = [await aMailbox(app, { domain }), await aMailbox(app, { domain })]
    for (const box of [mine, other]) await letRead(app, box, maker.id)
    const scopes = ['domains:read', 'mailboxes:read', 'messages:read']
    const key = byKey((await aKey({ scopes, mailboxes: [mine.id.toUpperCase()] })).key)
    expect((await key.call('GET', '/domains')).body).toEqual([])
    expect(await status(key, `/domains/${domain.id}`)).toBe(404)
    expect(await status(key, `/mailboxes/${mine.id}/messages`)).toBe(200)
    expect(await status(key, `/mailboxes/${other.id}/messages`)).toBe(404)
  })

  test('its maker changes what it reaches, from the next call on', async () => {
    const [one, two] = [await aDomainHere(), await aDomainHere()]
    const { _id, key } = await aKey({ domains: [one.id] })
    const change = { name: 'Both', domains: [one.id, two.id], ips: ['127.0.0.0/8', '::1'] }
    const changed = await admin.call('PATCH', `/api-keys/${_id}`, change)
    expect(changed.body).toMatchObject(change)
    expect((await byKey(key).call('GET', '/domains')).body).toHaveLength(2)
    await admin.call('PATCH', `/api-keys/${_id}`, { domains: null })
    expect((await admin.call('GET', `/api-keys/${_id}`)).body).toMatchObject({
      ...{ domains: null, name: 'Both' },
    })
  })
})

describe('a key ends', () => {
  test('when its maker or an Admin ends it, with the streams that it reads', async () => {
    const address = await server.listen({ port: 0, host: '127.0.0.1' })
    const { _id, key } = await aKey()
    const stream = await fetch(`${address}/api/v1/events`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const reader = stream.body?.getReader()
    const decoder = new TextDecoder()
    expect(decoder.decode((await reader?.read())?.value)).toContain('connected')
    await admin.call('POST', '/domains', { name: 'heard.example' })
    expect(decoder.decode((await reader?.read())?.value)).toContain('"topic":"domains"')
    expect((await admin.call('DELETE', `/api-keys/${_id}`)).status).toBe(200)
    expect(await status(byKey(key))).toBe(401)
    let isOver = false
    while (!isOver) isOver = (await reader?.read())?.done ?? true
    expect(isOver).toBe(true)
  })

  test('on its day, and says so', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
    const { key } = await aKey({ expiresAt })
    expect(await status(byKey(key))).toBe(200)
    app.clock.advance({ hours: 1 })
    expect((await byKey(key).call('GET', '/domains')).body).toMatchObject({
      ...{ type: 'INVALID_KEY', statusCode: 401, message: 'This API key has expired' },
    })
  })

  test.each([
    ['leaves', async (by: ApiClient, id: string) => by.call('DELETE', `/members/${id}`)],
    [
      'loses a role',
      async (by: ApiClient, id: string) => by.call('PATCH', `/members/${id}`, { role: 'Editor' }),
    ],
  ])('with all that its maker made, when they are a member who %s', async (_how, lose) => {
    const second = await aUser(app)
    const member = {
      workspaceId,
      userId: second.id,
      role: 'Admin',
      createdAt: app.clock.now(),
    } as const
    await app.db.insertInto('members').values(member).execute()
    const theirs = await clientOf(second)
    const keys = [await aKey({}, theirs), await aKey({ kind: 'person' }, theirs)]
    for (const { key } of keys) expect(await status(byKey(key))).toBe(200)
    expect((await lose(admin, second.id)).status).toBe(200)
    for (const { key } of keys) expect(await status(byKey(key))).toBe(401)
    const ended = app
      .logged('right-changed')
      .filter(({ what, change }) => what === 'api-key' && change === 'ended')
    expect(ended.map(({ objectId }) => objectId)).toEqual(
      expect.arrayContaining(keys.map(({ _id }) => _id)),
    )
  })
})

describe('a stranger', () => {
  test('from another network is refused with a key that is right', async () => {
    const { key } = await aKey({ ips: ['192.0.2.0/24'] })
    expect((await byKey(key).call('GET', '/domains')).body).toMatchObject({
      ...{ type: 'FORBIDDEN', message: 'This API key is not used from this network' },
    })
    const { key: near } = await aKey({ ips: ['192.0.2.0/24', '127.0.0.1'] })
    expect(await status(byKey(near))).toBe(200)
  })

  test('who guesses is stopped, and a right key from there goes on', async () => {
    const { key } = await aKey()
    const guess = () => status(byKey(newApiKey()))
    expect(await status(byKey('mailstead_nonsense'))).toBe(401)
    const answers = new Set<number>()
    for (let n = 0; n < 100; n += 1) answers.add(await guess())
    expect(answers).toEqual(new Set([401, 429]))
    const stopped = await byKey(newApiKey()).call('GET', '/domains')
    expect(stopped).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } })
    expect(await status(byKey(key))).toBe(200)
    app.clock.advance({ minutes: 16 })
    expect(await guess()).toBe(401)
  })
})
