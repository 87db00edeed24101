/** A POST that names an Idempotency-Key, the limits of API keys, and errors in the form of RFC 9457. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { purgeAnswers } from '#server/features/limits/answer-once.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, letRead, type User } from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'
import { declaredRoutes } from './declared-routes.ts'

let app: TestApp
let server: FastifyInstance
let user: User
let workspaceId: string
let client: ApiClient
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app, { keys: { perMinuteOfKey: 20, perMinuteOfWorkspace: 30 } })
})
afterAll(async () => {
  await server.close()
  await app.close()
})
beforeEach(async () => {
  user = await aUser(app)
  workspaceId = (await aWorkspace(app, { members: [{ user, role: 'Admin' }] })).id
  client = anApiClient(server, (await aSession(app, user)).headers)
})

const add = (name: string, key: string, by = client) =>
  by.call('POST', '/domains', { name }, { 'idempotency-key': key })
const aName = () => `${newId()}.example`
const byKey = async (more: object = {}) => {
  const form = { name: 'Key', scopes: ['domains:read', 'domains:write'], ...more }
  const { body } = await client.call('POST', '/api-keys', form)
  return anApiClient(server, { authorization: `Bearer ${body.key}` })
}

describe('a POST that names an Idempotency-Key', () => {
  test('is done once, and answers its repetition as it answered before', async () => {
    const name = aName()
    const first = await add(name, 'k-1')
    const again = await add(name, 'k-1')
    expect(first).toMatchObject({ status: 201, body: { name } })
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await add(name, 'k-2')).body.type).toBe('DOMAIN_EXISTS')
  })

  test('is refused for another request, and asks again after a day', async () => {
    const name = aName()
    await add(name, 'k-1')
    expect(await add(aName(), 'k-1')).toMatchObject({
      ...{ status: 422, body: { type: 'IDEMPOTENCY_REUSED' } },
    })
    const other = await client.call('POST', '/workspaces', { name }, { 'idempotency-key': 'k-1' })
    expect(other.body.type).toBe('IDEMPOTENCY_REUSED')
    app.clock.advance({ hours: 24 })
    client = anApiClient(server, (await aSession(app, user)).headers)
    expect((await add(name, 'k-1')).body.type).toBe('DOMAIN_EXISTS')
  })

  test('ten at once make one', async () => {
    const name = aName()
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(name, 'k-1')))
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    expect(new Set(made.map(({ body }) => body._id)).size).toBe(1)
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(body).toMatchObject({ type: 'IDEMPOTENCY_RUNNING', statusCode: 409 })
    expect((await client.call('GET', '/domains')).body).toHaveLength(1)
  })

  test('may try again after a refusal, and not while nobody knows what was done', async () => {
    const box = { firstName: 'Ada', lastName: 'Lovelace', signature: '' }
    const make = (domain: string) =>
      client.call(
        'POST',
        '/mailboxes',
        { ...box, email: `ada@${domain}`, domain },
        { 'idempotency-key': 'k-1' },
      )
    const name = aName()
    expect((await make(name)).status).toBe(422)
    await aDomain(app, { workspaceId, name, active: true })
    expect((await make(name)).status).toBe(201)
    await app.db
      .updateTable('idempotencyKeys')
      .set({ status: null, answerSealed: null })
      .where('workspaceId', '=', workspaceId)
      .execute()
    expect((await make(name)).body.type).toBe('IDEMPOTENCY_RUNNING')
  })

  test('is of one caller in one workspace', async () => {
    const name = aName()
    await add(name, 'k-1')
    const key = await byKey()
    expect((await add(name, 'k-1', key)).body.type).toBe('DOMAIN_EXISTS')
    const other = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    const there = anApiClient(server, {
      ...(await aSession(app, user)).headers,
      'x-workspace-id': other.id,
    })
    expect((await add(name, 'k-1', there)).status).toBe(201)
  })

  test('keeps no secret in the clear, and nothing after a day', async () => {
    const form = { name: 'Key', scopes: ['mail:send'] }
    const ask = () => client.call('POST', '/api-keys', form, { 'idempotency-key': 'k-1' })
    const { key } = (await ask()).body
    expect((await ask()).body.key).toBe(key)
    const rows = () =>
      app.db
        .selectFrom('idempotencyKeys')
        .selectAll()
        .where('workspaceId', '=', workspaceId)
        .execute()
    expect(await rows()).toHaveLength(1)
    expect(JSON.stringify(await rows())).not.toContain(key.slice(10, 30))
    app.clock.advance({ hours: 24 })
    await purgeAnswers(app)
    expect(await rows()).toEqual([])
  })

  test('does not keep an answer that is too long, and a workspace has its share', async () => {
    const domain = await aDomain(app, { workspaceId, active: true })
    const names = [...'abcde'].map((letter) => ({
      ...{ firstName: `Gracie${letter}`, lastName: 'Byron' },
    }))
    const form = {
      domains: [domain.name],
      count: names.length,
      names,
      signature: 'x'.repeat(20_000),
    }
    const generate = () =>
      client.call('POST', '/mailboxes/generate', form, { 'idempotency-key': 'k-1' })
    const made = await generate()
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    expect((await generate()).body).toMatchObject({
      ...{ type: 'IDEMPOTENCY_RUNNING', message: expect.stringContaining('too long to keep') },
    })
    const row = await app.db
      .selectFrom('idempotencyKeys')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .executeTakeFirstOrThrow()
    const key = await byKey()
    const more = (count: number, callerId: string) => {
      const many = Array.from({ length: count }, () => ({ ...row, callerId, key: newId() }))
      return app.db.insertInto('idempotencyKeys').values(many).execute()
    }
    // A person alone leaves room for programs.
    await more(499, user.id)
    expect(await add(aName(), 'one-more')).toMatchObject({ status: 429 })
    expect(await add(aName(), 'one-more', key)).toMatchObject({ status: 201 })
    await more(4_499, newId())
    expect(await add(aName(), 'two-more', key)).toMatchObject({ status: 429 })
  })

  test('has a key that can be read', async () => {
    for (const key of ['', 'with space', 'x'.repeat(201)])
      expect((await add(aName(), key)).body).toMatchObject({
        ...{ type: 'VALIDATION', data: { 'idempotency-key': expect.any(String) } },
      })
  })

  test('every POST with a caller takes one, or changes nothing', async () => {
    const answered = (await declaredRoutes()).filter(
      ({ method, access, contentType }) =>
        method === 'POST' && access !== 'anyone' && contentType !== undefined,
    )
    expect(answered.map(({ name }) => name)).toEqual(['exportManyRecords', 'exportAccount'])
    for (const { changes } of answered) expect(changes).toEqual([])
  })
})

describe('requests with a key', () => {
  test('are told how many are left, and stopped with the time to wait', async () => {
    const key = await byKey()
    const { headers } = await key.call('GET', '/domains')
    expect(headers['ratelimit-policy']).toBe('"key";q=20;w=60, "workspace";q=30;w=60')
    expect(headers.ratelimit).toBe('"key";r=19;t=3, "workspace";r=29;t=2')
    let answer = await key.call('GET', '/domains')
    for (let n = 0; n < 40 && answer.status === 200; n += 1)
      answer = await key.call('GET', '/domains')
    expect(answer).toMatchObject({
      ...{ status: 429, body: { type: 'TOO_MANY_REQUESTS' } },
      headers: {
        'retry-after': expect.stringMatching(/^[1-3]$/),
        ratelimit: expect.stringMatching(/^"key";r=0;t=\d+, /),
      },
    })
    expect((await client.call('GET', '/domains')).headers.ratelimit).toBeUndefined()
  })

  test('are counted when they are refused, and those of a workspace together; others go on', async () => {
    const [one, two] = [await byKey({ scopes: ['mail:send'] }), await byKey()]
    const statuses: number[] = []
    for (let n = 0; n < 20; n += 1) statuses.push((await one.call('GET', '/domains')).status)
    expect(new Set(statuses)).toEqual(new Set([403]))
    let passed = 0
    while ((await two.call('GET', '/domains')).status === 200 && passed < 20) passed += 1
    expect(passed).toBeLessThan(20)
    const stranger = await aUser(app)
    await aWorkspace(app, { members: [{ user: stranger, role: 'Admin' }] })
    client = anApiClient(server, (await aSession(app, stranger)).headers)
    expect((await (await byKey()).call('GET', '/domains')).status).toBe(200)
  })
})

describe('an error', () => {
  const ask = (accept?: string) =>
    client.call('GET', `/domains/${newId()}`, undefined, accept === undefined ? {} : { accept })

  test('has the form of RFC 9457 for a client that asks for it', async () => {
    const answer = await ask('application/json;q=0.5, application/problem+json')
    const instance = answer.body.instance
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(instance).toMatch(/^\/api\/v1\/domains\//)
    expect(answer.body).toEqual({
      ...{ type: 'urn:mailstead:error:NOT_EXISTS', title: 'Not found', status: 404, instance },
      ...{ detail: 'Not found', code: 'NOT_EXISTS', data: {} },
    })
    const refused = await anApiClient(server).call('GET', '/domains', undefined, {
      accept: 'application/problem+json',
    })
    expect(refused.body).toMatchObject({ status: 401, code: 'NO_AUTH_TOKEN', tokenType: 'ACCESS' })
  })

  test.each([
    [undefined],
    ['*/*'],
    ['application/json'],
    ['application/*'],
    ['application/problem+json;q=0'],
  ])('has the form of the specification for %s', async (accept) => {
    const { body, headers } = await ask(accept)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body).toEqual({
      ...{ type: 'NOT_EXISTS', message: 'Not found', statusCode: 404, data: {} },
      path: expect.any(String),
    })
  })
})

test('a mail that is sent twice with one key goes out once', async () => {
  const box = await aMailbox(app, { domain: await aDomain(app, { workspaceId, active: true }) })
  await letRead(app, box, user.id)
  const mail = { to: ['grace@example.org'], subject: 'Once', text: 'Hello' }
  const send = () =>
    client.call('POST', `/mailboxes/${box.id}/messages`, mail, { 'idempotency-key': 'mail-1' })
  const [first, again] = [await send(), await send()]
  expect(first.status, JSON.stringify(first.body)).toBe(201)
  expect(again.body).toEqual(first.body)
  const sent = await client.call('GET', `/mailboxes/${box.id}/messages?folder=sent`)
  expect(sent.body.items).toHaveLength(1)
})
