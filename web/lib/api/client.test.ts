import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as auth from '#contract/auth.ts'
import { getDomain, listDomains } from '#contract/domains.ts'
import { listMessages } from '#contract/messages.ts'
import { REFRESH_PATH } from '#contract/route.ts'
import type { TokenStore } from './access-token.ts'
import { ApiError, messageOf } from './api-error.ts'
import { addressOf, type Client, createClient } from './client.ts'

type Seen = { method: string; path: string; authorization: string | undefined; body: string }

let answer: (request: IncomingMessage, response: ServerResponse) => void
let seen: Seen[]
let token: string | null
let refreshed: auth.SignedIn[]
let failures: unknown[]
let hasLeft: boolean
let client: Client

const tokens: TokenStore = {
  read: () => token,
  write: (next) => {
    token = next
  },
  remove: () => {
    token = null
  },
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { method = '', url = '', headers } = request
  seen.push({ method, path: url, authorization: headers.authorization, body })
  answer(request, response)
})

beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
afterAll(() => new Promise((done) => server.close(done)))

beforeEach(() => {
  seen = []
  token = 'old'
  refreshed = []
  failures = []
  hasLeft = false
  client = createClient({
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens,
    hasLeft: () => hasLeft,
    onRefreshed: (session) => refreshed.push(session),
    onRefreshFailed: (error) => failures.push(error),
  })
})

const send = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const refusal = (type: string, tokenType?: string, message = 'No') => ({
  type,
  message,
  statusCode: 401,
  path: '/x',
  data: {},
  ...(tokenType ? { tokenType } : {}),
})

const session = { token: 'new', tokenExpiresIn: 600, user: { _id: 'u', name: 'Ada' } }
const isRefresh = (request: IncomingMessage) => request.url === `/api/v1${REFRESH_PATH}`
const hasNewToken = (request: IncomingMessage) => request.headers.authorization === 'Bearer new'
const paths = () => seen.map(({ path }) => path.replace('/api/v1', ''))

/** Answers data to the new token, a 401 about the old one, and renews when asked. */
const expiring = (request: IncomingMessage, response: ServerResponse) => {
  if (isRefresh(request)) return send(response, 200, session)
  if (hasNewToken(request)) return send(response, 200, [])
  return send(response, 401, refusal('JWT_EXPIRED', 'ACCESS'))
}

test('addresses are made from the path, its parameters and the query', () => {
  expect(addressOf(getDomain, { params: { id: 'a/b?c' } })).toBe('/domains/a%2Fb%3Fc')
  const query = { folder: 'inbox', q: 'a & b', cursor: undefined }
  expect(addressOf(listMessages, { params: { id: '1' }, query })).toBe(
    '/mailboxes/1/messages?folder=inbox&q=a+%26+b',
  )
})

test('a call sends JSON and the bearer token, and answers what the server said', async () => {
  answer = (_request, response) => send(response, 200, session)
  const body = { email: 'ada@example.com', password: 'secret' }
  expect(await client.call(auth.login, { body })).toEqual(session)
  expect(seen).toEqual([
    {
      method: 'POST',
      path: '/api/v1/auth/login',
      authorization: 'Bearer old',
      body: JSON.stringify(body),
    },
  ])
})

test('a call leaves at once, before anything that waits for this task', async () => {
  answer = (_request, response) => send(response, 200, [])
  const sent = vi.spyOn(globalThis, 'fetch')
  const called = client.call(listDomains, {})
  expect(sent).toHaveBeenCalledOnce()
  sent.mockRestore()
  expect(await called).toEqual([])
})

test('what a refresh answers after somebody has logged out is not kept', async () => {
  answer = (_request, response) => {
    hasLeft = true
    send(response, 200, session)
  }
  await expect(client.refresh()).rejects.toMatchObject({ message: 'LOGGED_OUT' })
  expect(token).toBeNull()
  expect(refreshed).toEqual([])
  expect(failures).toHaveLength(1)
})

test('whoever logged out before may sign in again', async () => {
  hasLeft = true
  answer = (_request, response) => send(response, 200, session)
  await client.refresh()
  expect(token).toBe('new')
})

test('without a token there is no Authorization header', async () => {
  token = null
  answer = (_request, response) => send(response, 200, [])
  await client.call(listDomains, {})
  expect(seen[0]?.authorization).toBeUndefined()
})

test('a 401 about the access token is answered by one refresh and one repetition', async () => {
  answer = expiring
  expect(await client.call(listDomains, {})).toEqual([])
  expect(paths()).toEqual(['/domains', REFRESH_PATH, '/domains'])
  expect(seen[1]?.authorization).toBeUndefined()
  expect(token).toBe('new')
  expect(refreshed).toEqual([session])
})

test('calls that fail together share one refresh', async () => {
  answer = expiring
  await Promise.all([1, 2, 3, 4].map(() => client.call(listDomains, {})))
  expect(paths().filter((path) => path === REFRESH_PATH)).toHaveLength(1)
  expect(paths()).toHaveLength(9)
})

test('without a token, calls wait for the refresh under way; what anyone may call does not', async () => {
  token = null
  answer = expiring
  await Promise.all([client.refresh(), client.call(listDomains, {}), client.open('/events')])
  expect(paths()).toEqual([REFRESH_PATH, '/domains', '/events'])

  token = null
  answer = (request, response) =>
    isRefresh(request)
      ? send(response, 401, refusal('REFRESH', 'REFRESH', 'JWT_EXPIRED'))
      : send(response, 200, session)
  const body = { email: 'ada@example.com', password: 'secret' }
  const [renewed, read, login, opened] = await Promise.allSettled([
    client.refresh(),
    client.call(listDomains, {}),
    client.call(auth.login, { body }),
    client.open('/installation', { isForAnyone: true }),
  ])
  expect([renewed.status, read.status]).toEqual(['rejected', 'rejected'])
  expect([login.status, opened.status]).toEqual(['fulfilled', 'fulfilled'])
  expect(paths().slice(3).sort()).toEqual(['/auth/login', REFRESH_PATH, '/installation'])
  expect(failures).toHaveLength(1)
})

test('a later expiry refreshes again', async () => {
  answer = expiring
  await client.call(listDomains, {})
  token = 'old'
  await client.call(listDomains, {})
  expect(paths().filter((path) => path === REFRESH_PATH)).toHaveLength(2)
})

test('a repeated 401 is thrown, and not refreshed again', async () => {
  answer = (request, response) =>
    isRefresh(request)
      ? send(response, 200, session)
      : send(response, 401, refusal('JWT_EXPIRED', 'ACCESS', 'Still not'))
  await expect(client.call(listDomains, {})).rejects.toMatchObject({ message: 'Still not' })
  expect(paths()).toEqual(['/domains', REFRESH_PATH, '/domains'])
})

test.each(['REFRESH', undefined])('a 401 about %s is thrown at once', async (tokenType) => {
  answer = (_request, response) => send(response, 401, refusal('INVALID_PASSWORD', tokenType))
  const body = { email: 'ada@example.com', password: 'secret' }
  await expect(client.call(auth.login, { body })).rejects.toMatchObject({
    type: 'INVALID_PASSWORD',
    tokenType,
  })
  expect(paths()).toEqual(['/auth/login'])
})

test('a refresh that fails removes the token, and its error is thrown', async () => {
  answer = (request, response) =>
    isRefresh(request)
      ? send(response, 401, refusal('REFRESH', 'REFRESH', 'JWT_EXPIRED'))
      : send(response, 401, refusal('JWT_EXPIRED', 'ACCESS'))
  await expect(client.call(listDomains, {})).rejects.toMatchObject({
    type: 'REFRESH',
    message: 'JWT_EXPIRED',
  })
  expect(token).toBeNull()
  expect(failures).toHaveLength(1)
  expect(paths()).toEqual(['/domains', REFRESH_PATH])
})

test('a refresh that is refused after somebody has logged in ends nothing', async () => {
  token = null
  answer = (request, response) => {
    if (isRefresh(request)) tokens.write('of the log-in', 600)
    send(response, 401, refusal('REFRESH', undefined, 'JWT_MISSING'))
  }
  await expect(client.refresh()).rejects.toMatchObject({ type: 'REFRESH' })
  expect(token).toBe('of the log-in')
  expect(failures).toEqual([])
})

test('a 429 keeps the body of the server and says Too many requests [8.2]', async () => {
  const body = { type: 'TOO_MANY_REQUESTS', message: 'Slow', statusCode: 429, path: '/x' }
  answer = (_request, response) => send(response, 429, { ...body, data: { retryAfterSeconds: 7 } })
  await expect(client.call(listDomains, {})).rejects.toMatchObject({
    message: 'Too many requests',
    type: 'TOO_MANY_REQUESTS',
    statusCode: 429,
    data: { retryAfterSeconds: 7 },
  })
})

test('a 429 from a proxy in front of the server says the same', async () => {
  answer = (_request, response) => response.writeHead(429).end('<h1>Slow down</h1>')
  await expect(client.call(listDomains, {})).rejects.toMatchObject({
    message: 'Too many requests',
    type: 'TOO_MANY_REQUESTS',
    statusCode: 429,
  })
})

test('any other error is thrown as the server sent it', async () => {
  const body = { type: 'VALIDATION', message: 'Please check', statusCode: 422, path: '/domains' }
  answer = (_request, response) => send(response, 422, { ...body, data: { name: 'Bad' } })
  const error = await client.call(listDomains, {}).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ ...body, data: { name: 'Bad' } })
})

const nothingAnswered = {
  message: 'Something went wrong',
  statusCode: 500,
  path: 'unknown',
  data: {},
}

test('no answer, and an answer that is not ours, are the same error [8.4]', async () => {
  answer = (_request, response) => response.destroy()
  await expect(client.call(listDomains, {})).rejects.toMatchObject(nothingAnswered)
  answer = (_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>')
  await expect(client.call(listDomains, {})).rejects.toMatchObject(nothingAnswered)
  answer = (_request, response) => response.writeHead(200).end('<h1>Hotel login</h1>')
  await expect(client.call(listDomains, {})).rejects.toMatchObject(nothingAnswered)
})

test('a call given up by its caller is not reported as a failure of ours', async () => {
  answer = () => undefined
  const given = new AbortController()
  const called = client.call(listDomains, {}, { signal: given.signal })
  given.abort()
  await expect(called).rejects.toMatchObject({ name: 'AbortError' })
})

test('what is shown of an error is a sentence', () => {
  const about = (type: string, message: string) =>
    new ApiError({ type, message, statusCode: 401, path: '/x', data: {} })
  expect(messageOf(about('REFRESH', 'JWT_EXPIRED'))).toBe('Your session has been expired')
  expect(messageOf(about('INVALID_PASSWORD', 'Invalid email or password'))).toBe(
    'Invalid email or password',
  )
  expect(messageOf(new Error('x is not a function'))).toBe('Something went wrong')
})
