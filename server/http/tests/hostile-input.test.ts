/**
 * What strangers and careless programs send, at every route of the contract: always a 4xx with the one
 * error shape, and never a change. A new route is tried as soon as it is declared; one with a body must
 * also say here what a good body is.
 */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorBody, errorTypes } from '#contract/errors.ts'
import type { Route } from '#contract/route.ts'
import { issueInvoice } from '#server/features/billing/issue-invoice.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
  type User,
  type Workspace,
} from '#test-world/builders.ts'
import { stateOf } from '#test-world/database-state.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { anAuthenticator } from '#test-world/people/authenticator.ts'
import { aSession } from '#test-world/session.ts'
import { openSandbox } from '../../../demo/sandbox/sandbox.ts'
import { sandboxRoutes } from '../../../demo/sandbox/sandbox-routes.ts'
import { openSandboxZones } from '../../../demo/world/sandbox-zones.ts'
import { takesBody } from '../exchange/serve.ts'
import { openHttpServer } from '../http-server.ts'
import { declaredRoutes, nameOf } from './declared-routes.ts'
import { goodBodies, manyLines, unread } from './good-bodies.ts'
import { endless, placesIn, wrongFor } from './wrong-bodies.ts'

const routes = await declaredRoutes()

let dns: TestDns
let app: TestApp
let server: FastifyInstance
let address: string
let headers: Record<string, string>
let expired: Record<string, string>
let ours: Mailbox
let theirs: Mailbox
/** As the last route left it. */
let state: string
beforeAll(async () => {
  app = await anApp()
  dns = await aDnsServer()
  // The demo's own routes are declared like all others.
  const sandbox = openSandbox(openSandboxZones(dns, null))
  server = await openHttpServer(app, {
    moreRoutes: sandboxRoutes(sandbox),
    refusedForms: Number.POSITIVE_INFINITY,
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const user = await aUser(app)
  const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const domain = await aDomain(app, {
    workspaceId: workspace.id,
    name: 'ours.example',
    active: true,
  })
  ours = await aMailbox(app, { domain })
  await letRead(app, ours, user.id)
  const operator = { userId: user.id, madeBy: 'terminal', madeAt: app.clock.now() }
  await app.db.insertInto('operators').values(operator).execute()
  theirs = await aMailbox(app)
  expired = (await aSession(app, user)).headers
  app.clock.advance({ minutes: 11 })
  headers = (await aSession(app, user)).headers
  await learnKnown(user, workspace)
  state = await stateOf(app.db)
})
afterAll(async () => {
  await server.close()
  await dns.close()
  await app.close()
})

/** What is there and the caller's, by the first word of a path, or the first two, and of what a path names besides. */
let known: Record<string, string>

const learnKnown = async (user: User, workspace: Workspace) => {
  const ask = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const url = `/api/v1${path}`
    const answer = await server.inject({ method, url, headers, ...(payload && { payload }) })
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    return answer.json()
  }
  const { id: mailboxId, domainId } = ours
  const raw = Buffer.from('Subject: Hello\r\n\r\nHello\r\n')
  const place = { mailboxId, workspaceId: workspace.id }
  await receiveMessage(app, app.db, { raw, mailFrom: '', authentication: null }, [place])
  const box = `/mailboxes/${mailboxId}`
  const { _id: zoneId } = await ask('POST', '/domains', { name: 'zone.example' })
  const record = goodBodies['POST /sandbox-dns/{id}/records']
  const gone = { workspaceId: workspace.id, name: 'gone.example', active: true }
  const { id: goneId } = await aDomain(app, gone)
  await ask('POST', '/domains/batch/delete', { ids: [goneId] })
  const invoice = await app.db
    .transaction()
    .execute((tx) => issueInvoice(app, tx, workspace.id, [ours]))
  const begun = await ask('POST', '/passkeys/begin')
  const passkey = anAuthenticator('http://localhost:8080').make(begun.options)
  const phone = { challenge: begun.challenge, name: 'Phone', passkey }
  known = {
    passkeys: (await ask('POST', '/passkeys', phone)).passkey._id,
    ...{ mailboxes: mailboxId, workspaces: workspace.id, members: user.id },
    ...{ domains: domainId, 'dns-records': domainId, 'domain-ownership': domainId },
    ...{ 'sandbox-dns': zoneId, deleted: goneId, operator: workspace.id },
    'operator/invoices': invoice._id,
    'dns-links': (await ask('POST', `/domains/${domainId}/dns-links`, { days: 7 }))._id,
    views: (await ask('POST', '/views', goodBodies['POST /views']))._id,
    webhooks: (await ask('POST', '/webhooks', goodBodies['POST /webhooks']))._id,
    'api-keys': (await ask('POST', '/api-keys', { name: 'Own', scopes: ['mail:send'] }))._id,
    messageId: (await ask('GET', `${box}/messages`)).items[0]._id,
    folderId: (await ask('POST', `${box}/folders`, { name: 'Own' }))._id,
    importId: (await ask('POST', `${box}/imports`, goodBodies['POST /mailboxes/{id}/imports']))._id,
    recordId: (await ask('POST', `/sandbox-dns/${zoneId}/records`, record)).records[0].id,
  }
}

const urlOf = (route: Route, given: { id?: string; inner?: string } = {}) => {
  const [, first = '', second = ''] = route.path.split('/')
  const { id = known[`${first}/${second}`] ?? known[first] ?? ours.id, inner } = given
  const path = route.path
    .replace('{id}', () => id)
    .replace(/\{(\w+)\}/g, (_all, name: string) => inner ?? known[name] ?? '0')
  return `/api/v1${path}`
}

type Sent = { url?: string; body?: unknown; headers?: Record<string, string> }

const send = async (route: Route, { url = urlOf(route), body, ...rest }: Sent) => {
  const answer = await server.inject({
    method: route.method,
    url,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...rest.headers,
    },
    ...(body === undefined
      ? {}
      : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.statusCode, text: answer.body, url }
}

/** A 4xx in the shape of the contract, without a word about how it came about. */
const expectRefusal = (
  { status, text, url }: { status: number; text: string; url: string },
  about: unknown,
) => {
  const context = JSON.stringify({ about, url, status, text: text.slice(0, 300) })
  expect(status, context).toBeGreaterThanOrEqual(400)
  expect(status, context).toBeLessThan(500)
  const body = errorBody.strict().parse(JSON.parse(text))
  expect(body.statusCode, context).toBe(status)
  expect(errorTypes, context).toContain(body.type)
  expect(body.path, context).toBe(url.split('?')[0])
  expect(body.tokenType !== undefined, context).toBe(status === 401)
  expect(text, context).not.toMatch(/node_modules|\.ts:\d+|at \w+ \(/)
  return body
}

test('every declared route is served, and has a good body here if it takes one', () => {
  expect(routes.length).toBeGreaterThan(30)
  expect(server.servedRoutes.map(nameOf).sort()).toEqual(routes.map(nameOf).sort())
  const withBody = routes.filter((route) => route.body)
  expect(Object.keys(goodBodies).sort()).toEqual(withBody.map(nameOf).sort())
  for (const route of withBody)
    expect(route.body?.safeParse(goodBodies[nameOf(route)]).error, nameOf(route)).toBeUndefined()
})

/** What there is to try of a route. */
const takesToken = ({ access }: Route) => access !== 'anyone'
const namesObject = ({ path }: Route) => path.includes('{')
const takesJson = (route: Route) => route.body !== undefined
const isTried = (route: Route) =>
  [takesToken, namesObject, takesJson].some((is) => is(route)) || route.query !== undefined

/** Every id in turn, beside good ones. */
const wrongUrls = (route: Route): string[] => {
  const malformed = ['x', '%00', '%ff', "'%20or%201=1", '..%2f..', 'x'.repeat(400)]
  // An operator sees every mailbox.
  const foreign = route.path === '/operator/mailboxes/{id}' ? [] : [theirs.id]
  return [...foreign, theirs.domainId, newId(), ...someOf(malformed, route)].flatMap((id) =>
    /\}.*\{(?!mistake)/.test(route.path)
      ? [urlOf(route, { id }), urlOf(route, { inner: id })]
      : [urlOf(route, { id })],
  )
}

/** Of what no route reads in a way of its own `npm test` takes some at each, other ones in turn; `npm run soak` takes all. */
const isWhole = process.env.TRIALS === 'all'
const someOf = <T>(all: readonly T[], route: Route, turn = 0): T[] => {
  if (isWhole || all.length <= SOME) return [...all]
  const from = (routes.indexOf(route) + turn) * SOME
  return Array.from({ length: SOME }, (_, n) => all[(from + n) % all.length] as T)
}
const SOME = 3

const notExists = (route: Route, url: string) => ({
  ...{ type: 'NOT_EXISTS', statusCode: 404, path: url, data: {} },
  // The demo says what is gone.
  message: route.path.startsWith('/sandbox-dns') ? expect.any(String) : 'Not found',
})

describe.each(routes.filter(isTried).map((route) => [nameOf(route), route] as const))(
  '%s',
  (name, route) => {
    const good = goodBodies[name] ?? {}

    if (takesToken(route)) test('refuses tokens that are not good', () => refusesTokens(route))
    if (namesObject(route))
      test('answers foreign, random and malformed ids alike', () => hidesObjects(route))
    if (namesObject(route) && takesBody(route))
      test('answers so before a byte of the body has come', () => answersUnread(route))
    if (route.query) test('refuses a query that it does not know', () => refusesQueries(route))
    if (takesJson(route)) {
      test('refuses what is not JSON, not an object, too deep, or meant for prototypes', () =>
        refusesOtherJson(route, good))
      test('refuses missing and unknown fields and wrong types', () => refusesFields(route, good))
    }
    if (takesJson(route) && placesIn(good).some(({ value }) => typeof value === 'string'))
      test('refuses NUL in every string and line breaks in every single line', () =>
        refusesMarks(route, good))

    test('has changed nothing by all that', async () => {
      const before = state
      state = await stateOf(app.db)
      expect(state).toBe(before)
    })
  },
)

const refusesTokens = async (route: Route) => {
  const foreign = await new SignJWT({ sid: newId() })
    .setProtectedHeader({ alg: 'HS512', typ: 'at+jwt' })
    .setSubject(newId())
    .setExpirationTime('1h')
    .sign(Buffer.alloc(64, 7))
  const none = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.e30.`
  for (const authorization of [
    '',
    expired.authorization ?? '',
    `Bearer ${foreign}`,
    `Bearer ${none}`,
    'Basic YTpi',
    'Bearer ',
  ]) {
    const answer = await send(route, {
      body: goodBodies[nameOf(route)],
      headers: { authorization },
    })
    expect(expectRefusal(answer, authorization)).toMatchObject({
      ...{ statusCode: 401, tokenType: 'ACCESS' },
    })
  }
}

const hidesObjects = async (route: Route) => {
  for (const url of wrongUrls(route))
    expect(
      expectRefusal(await send(route, { url, body: goodBodies[nameOf(route)] }), 'id'),
    ).toEqual(notExists(route, url))
}

/** Says that there are twenty megabytes, and sends none of them. */
const answersUnread = async (route: Route) => {
  for (const url of wrongUrls(route)) {
    const asked = request(address + url, {
      method: route.method,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': 20_000_000 },
    })
    asked.flushHeaders()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    expect(JSON.parse(await text(answer)), url).toEqual(notExists(route, url))
    asked.on('error', () => {}).destroy()
  }
}

const refusesQueries = async (route: Route) => {
  const at = (query: string) => send(route, { url: `${urlOf(route)}?${query}` })
  const fields = Object.keys(route.query?.shape ?? {})
  for (const field of fields)
    for (const value of ['%00', 'a%0d%0ab', 'x'.repeat(5000), `1&${field}=2`])
      expectRefusal(await at(`${field}=${value}`), [field, value])
  for (const limit of fields.includes('limit') ? ['0', '201', '-1', '1.5', 'x', ''] : [])
    expect(expectRefusal(await at(`limit=${limit}`), limit)).toMatchObject({
      ...{ type: 'VALIDATION', data: { limit: expect.any(String) } },
    })
}

const deep = '['.repeat(50_000) + ']'.repeat(50_000)
const otherJson = [
  ...['{', '', '{"a":', '\0', '"x"', '7', 'null', '[]', '{"a":1}}', '\ufeff{'],
  // Small enough for forms that strangers send, and too large for them.
  ...['['.repeat(2_000) + ']'.repeat(2_000), `{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
  ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}'],
]

const refusesOtherJson = async (route: Route, good: object) => {
  const tried = <T>(all: readonly T[]) => (isOfItsLimit(route) ? all : someOf(all, route))
  for (const body of tried(otherJson))
    expect([400, 422]).toContain(
      expectRefusal(await send(route, { body }), body.slice(0, 40)).statusCode,
    )
  for (const body of isOfItsLimit(route) ? [deep, `[${'[],'.repeat(20_000)}[]]`] : [])
    expect([400, 413]).toContain(
      expectRefusal(await send(route, { body }), body.slice(0, 40)).statusCode,
    )
  for (const type of tried([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json-x',
    '',
  ]))
    expect(
      expectRefusal(await send(route, { body: good, headers: { 'content-type': type } }), type),
    ).toMatchObject({ type: 'UNSUPPORTED_MEDIA_TYPE', statusCode: 415 })
}

const refusesFields = async (route: Route, good: object) => {
  for (const [turn, place] of placesIn(good).entries()) {
    if (route.body?.safeParse(place.without).error)
      expectRefusal(await send(route, { body: place.without }), ['missing', place.path])
    const isWrong = (value: unknown) =>
      value !== null || route.body?.safeParse(place.with(null)).error !== undefined
    for (const wrong of someOf(wrongFor(place.value).filter(isWrong), route, turn))
      expectRefusal(await send(route, { body: place.with(wrong) }), [place.path, typeof wrong])
    if (typeof place.value === 'object' && !Array.isArray(place.value)) {
      const body = place.with({ ...place.value, surprise: 1 })
      expect(expectRefusal(await send(route, { body }), place.path).data).toEqual({
        [`${place.path}.surprise`]: 'Unknown field',
      })
    }
  }
  const surprises = ['surprise', 'workspaceId', '_id', 'role', 'isVerified']
  for (const surprise of surprises.filter((field) => !(field in good))) {
    const answer = await send(route, { body: { ...good, [surprise]: 1 } })
    expect(expectRefusal(answer, surprise)).toMatchObject({
      ...{ type: 'VALIDATION', statusCode: 422, data: { [surprise]: 'Unknown field' } },
    })
  }
}

const refusesMarks = async (route: Route, good: object) => {
  for (const { path, value, with: change } of placesIn(good)) {
    if (typeof value !== 'string') continue
    const broken = (mark: string) => change(value.slice(0, 1) + mark + value.slice(1))
    const answer = await send(route, { body: broken('\0') })
    expect(expectRefusal(answer, ['NUL', path])).toMatchObject({
      ...{ type: 'VALIDATION', data: { [path]: expect.any(String) } },
    })
    if (manyLines.has(path) || unread.has(path)) continue
    for (const mark of someOf(['\r', '\n', '\r\n', '\u2028', '\u0085'], route))
      expectRefusal(await send(route, { body: broken(mark) }), [JSON.stringify(mark), path])
  }
}

/** What a route reads of a body depends on its limit alone. */
const ofEachLimit = new Map(
  routes
    .filter((route) => takesJson(route) && (route.bodyLimitBytes ?? 0) < 10_000_000)
    .map((route) => [`${route.bodyLimitBytes} ${route.access === 'anyone'}`, route] as const),
)
const isOfItsLimit = (route: Route): boolean => isWhole || [...ofEachLimit.values()].includes(route)

test.each([...ofEachLimit.values()].map((route) => [nameOf(route), route] as const))(
  'ten megabytes are refused, and the client gets to read that: %s',
  async (_name, route) => {
    const url = urlOf(route)
    const post = (body: BodyInit, sent: Record<string, string>) =>
      fetch(address + url, { method: route.method, headers: sent, body, ...{ duplex: 'half' } })
    const json = { ...headers, 'content-type': 'application/json' }
    for (const body of [Buffer.alloc(10_000_000, 'x'), endless(10_000_000)]) {
      const answer = await post(body, json)
      const read = { status: answer.status, text: await answer.text(), url }
      expect(expectRefusal(read, '10 MB').type).toBe('PAYLOAD_TOO_LARGE')
    }
    const answer = await post(Buffer.alloc(10_000_000, 'x'), {})
    expect(answer.status).toBe(takesToken(route) ? 401 : 413)
    await answer.text()
  },
)
