/**
 * What strangers and careless programs send, at every route of the contract: always a 4xx with the one
 * error shape, and never a change. A new route is tried as soon as it is declared; one with a body must
 * also say here what a good body is.
 */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorBody, errorTypes } from '#contract/errors.ts'
import type { Route } from '#contract/route.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
} from '#test-world/builders.ts'
import { stateOf } from '#test-world/database-state.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aSession } from '#test-world/session.ts'
import { openSandbox } from '../../../demo/sandbox/sandbox.ts'
import { sandboxRoutes } from '../../../demo/sandbox/sandbox-routes.ts'
import { openSandboxZones } from '../../../demo/world/sandbox-zones.ts'
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
beforeAll(async () => {
  app = await anApp()
  dns = await aDnsServer()
  // The demo's own routes are declared like all others.
  const sandbox = openSandbox(openSandboxZones(dns, null))
  server = await openHttpServer(app, { moreRoutes: sandboxRoutes(sandbox) })
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
  theirs = await aMailbox(app)
  expired = (await aSession(app, user)).headers
  app.clock.advance({ minutes: 11 })
  headers = (await aSession(app, user)).headers
})
afterAll(async () => {
  await server.close()
  await dns.close()
  await app.close()
})

const urlOf = (route: Route, id: string, messageId = id) =>
  `/api/v1${route.path.replace('{id}', id).replace(/\{\w+\}/g, messageId)}`

type Sent = { url?: string; body?: unknown; headers?: Record<string, string> }

const send = async (route: Route, { url = urlOf(route, ours.id), body, ...rest }: Sent) => {
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

describe.each(routes.map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
  const good = goodBodies[name]

  test('refuses tokens that are not good any more, or never were', async () => {
    if (route.access === 'anyone') return
    const before = await stateOf(app.db)
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
    ])
      expect(
        expectRefusal(await send(route, { body: good, headers: { authorization } }), authorization),
      ).toMatchObject({
        statusCode: 401,
        tokenType: 'ACCESS',
      })
    expect(await stateOf(app.db)).toBe(before)
  })

  test('answers foreign, random and malformed ids alike', async () => {
    if (!route.path.includes('{')) return
    const before = await stateOf(app.db)
    const ids = [
      theirs.id,
      theirs.domainId,
      newId(),
      'x',
      '%00',
      '%ff',
      "'%20or%201=1",
      '..%2f..',
      'x'.repeat(400),
    ]
    const urls = ids.flatMap((id) =>
      /\}.*\{/.test(route.path)
        ? [urlOf(route, id), urlOf(route, ours.id, id)]
        : [urlOf(route, id)],
    )
    for (const url of urls)
      expect(expectRefusal(await send(route, { url, body: good }), 'id')).toEqual({
        type: 'NOT_EXISTS',
        message: 'Not found',
        statusCode: 404,
        path: url,
        data: {},
      })
    expect(await stateOf(app.db)).toBe(before)
  })

  test('refuses a query that it does not know', async () => {
    if (!route.query) return
    const fields = Object.keys(route.query.shape)
    for (const field of fields)
      for (const value of ['%00', 'a%0d%0ab', 'x'.repeat(5000), `1&${field}=2`])
        expectRefusal(await send(route, { url: `${urlOf(route, ours.id)}?${field}=${value}` }), [
          field,
          value,
        ])
    for (const limit of fields.includes('limit') ? ['0', '201', '-1', '1.5', 'x', ''] : [])
      expect(
        expectRefusal(await send(route, { url: `${urlOf(route, ours.id)}?limit=${limit}` }), limit),
      ).toMatchObject({
        type: 'VALIDATION',
        data: { limit: expect.any(String) },
      })
  })

  test('refuses what is not JSON, not an object, too deep, or meant for prototypes', async () => {
    if (!good) return
    const before = await stateOf(app.db)
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const wrong = [
      '{',
      '',
      '{"a":',
      '\0',
      '"x"',
      '7',
      'null',
      '[]',
      deep,
      '{"a":1}}',
      '\ufeff{',
      `{"a":${deep}}`,
    ]
    const prototypes = ['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}']
    for (const body of [...wrong, ...prototypes])
      expect([400, 422]).toContain(
        expectRefusal(await send(route, { body }), body.slice(0, 40)).statusCode,
      )
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json-x',
      '',
    ])
      expect(
        expectRefusal(await send(route, { body: good, headers: { 'content-type': type } }), type),
      ).toMatchObject({ type: 'UNSUPPORTED_MEDIA_TYPE', statusCode: 415 })
    expect(await stateOf(app.db)).toBe(before)
  })

  test('refuses missing and unknown fields and wrong types', async () => {
    if (!good || !route.body) return
    const before = await stateOf(app.db)
    for (const place of placesIn(good)) {
      if (route.body.safeParse(place.without).error)
        expectRefusal(await send(route, { body: place.without }), ['missing', place.path])
      for (const wrong of wrongFor(place.value))
        expectRefusal(await send(route, { body: place.with(wrong) }), [place.path, typeof wrong])
      if (typeof place.value === 'object' && !Array.isArray(place.value)) {
        const body = place.with({ ...place.value, surprise: 1 })
        expect(expectRefusal(await send(route, { body }), place.path).data).toEqual({
          [`${place.path}.surprise`]: 'Unknown field',
        })
      }
    }
    const surprises = ['surprise', 'workspaceId', '_id', 'role', 'isVerified']
    for (const surprise of surprises.filter((field) => !(field in good)))
      expect(
        expectRefusal(await send(route, { body: { ...good, [surprise]: 1 } }), surprise),
      ).toMatchObject({
        type: 'VALIDATION',
        statusCode: 422,
        data: { [surprise]: 'Unknown field' },
      })
    expect(await stateOf(app.db)).toBe(before)
  })

  test('refuses NUL in every string and line breaks in every single line', async () => {
    if (!good) return
    const before = await stateOf(app.db)
    for (const { path, value, with: change } of placesIn(good)) {
      if (typeof value !== 'string') continue
      const broken = (mark: string) => change(value.slice(0, 1) + mark + value.slice(1))
      expect(expectRefusal(await send(route, { body: broken('\0') }), ['NUL', path])).toMatchObject(
        {
          type: 'VALIDATION',
          data: { [path]: expect.any(String) },
        },
      )
      if (manyLines.has(path) || unread.has(path)) continue
      for (const mark of ['\r', '\n', '\r\n', '\u2028', '\u0085'])
        expectRefusal(await send(route, { body: broken(mark) }), [JSON.stringify(mark), path])
    }
    expect(await stateOf(app.db)).toBe(before)
  })

  test('refuses ten megabytes, and the client gets to read that', async () => {
    if (!good || (route.bodyLimitBytes ?? 0) > 10_000_000) return
    const url = urlOf(route, ours.id)
    for (const body of [Buffer.alloc(10_000_000, 'x'), endless(10_000_000)]) {
      const answer = await fetch(address + url, {
        method: route.method,
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        ...{ duplex: 'half' },
      })
      const refusal = expectRefusal(
        { status: answer.status, text: await answer.text(), url },
        '10 MB',
      )
      expect(refusal.type).toBe('PAYLOAD_TOO_LARGE')
    }
    if (route.access === 'anyone') return
    const body = Buffer.alloc(10_000_000, 'x')
    const answer = await fetch(address + url, { method: route.method, body })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ type: 'NO_AUTH_TOKEN', tokenType: 'ACCESS' })
  })
})
