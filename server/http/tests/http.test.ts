import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { errorBody } from '#contract/errors.ts'
import { getInstallation } from '#contract/installation.ts'
import { type Route, route } from '#contract/route.ts'
import { listHeldMails, outboxUrl } from '#server/features/outbox/held-mails.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace } from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { serve } from '../exchange/serve.ts'
import { openHttpServer } from '../http-server.ts'

const SCRIPT = 'document.title = "Mailstead"'
/** As Vite names what it built. */
const MANIFEST = {
  'main.tsx': { file: 'assets/main-abc.js', css: ['assets/main.css'], imports: ['_base.js'] },
  '_base.js': { file: 'assets/base.js', imports: [] },
  '_auth.js': { file: 'assets/auth.js', name: 'auth' },
  '_dashboard.js': { file: 'assets/dashboard.js', name: 'dashboard' },
  'inter-latin-wght-normal.woff2': { file: 'assets/inter.woff2' },
}

let webFolder: string
let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'mailstead-web-'))
  await mkdir(join(webFolder, 'assets'))
  await writeFile(join(webFolder, 'manifest.json'), JSON.stringify(MANIFEST))
  await writeFile(join(webFolder, 'assets/main.css'), 'body{margin:0}')
  await writeFile(join(webFolder, 'theme.js'), SCRIPT)
  await writeFile(join(webFolder, 'assets/main-abc.js'), SCRIPT)
  await writeFile(join(webFolder, 'assets/main-abc.js.br'), brotliCompressSync(SCRIPT))
  app = await anApp()
  server = await openHttpServer(app, { webFolder })
})
afterAll(async () => {
  await server.close()
  await app.close()
  await rm(webFolder, { recursive: true })
})

test('an unknown path, and a known one with another method', async () => {
  const unknown = await server.inject('/api/v1/nothing?a=1')
  expect(unknown.statusCode).toBe(404)
  expect(unknown.json()).toEqual({
    type: 'NOT_EXISTS',
    message: 'Not found',
    statusCode: 404,
    path: '/api/v1/nothing',
    data: {},
  })
  const wrong = await server.inject({ method: 'PUT', url: '/api/v1/mailboxes/x' })
  expect(wrong.json()).toMatchObject({ type: 'METHOD_NOT_ALLOWED', statusCode: 405 })
  for (const url of ['/api', '/api/', '/api/v2/domains'])
    expect((await server.inject({ url, headers: { accept: 'text/html' } })).json().type).toBe(
      'NOT_EXISTS',
    )
  expect(wrong.headers.allow?.split(', ').sort()).toEqual(['DELETE', 'GET', 'PATCH'])
})

test("visitors learn where the operator's terms are", async () => {
  const termsUrl = 'https://operator.example/terms'
  const withTerms = { ...app, config: { ...app.config, termsUrl } }
  const other = await openHttpServer(withTerms, { webFolder })
  expect((await other.inject('/api/v1/installation')).json()).toMatchObject({ termsUrl })
  expect((await server.inject('/api/v1/installation')).json()).toMatchObject({ termsUrl: null })
  await other.close()
})

test('a refused form names each field with its first message', async () => {
  const answer = await server.inject({
    method: 'POST',
    url: '/api/v1/auth/register',
    payload: { firstName: '', email: 'x', password: 'short', confirmPassword: 'other' },
  })
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toEqual({
    type: 'VALIDATION',
    message: 'Please check the highlighted fields',
    statusCode: 422,
    path: '/api/v1/auth/register',
    data: {
      firstName: 'First name is required',
      lastName: 'Last name is required',
      email: 'Invalid email address',
      password: 'Password must be at least 8 characters long',
      confirmPassword: "Passwords don't match.",
      termsAccepted: 'You must accept the terms and conditions',
    },
  })
})

/** A server with one more route that does this. */
const serverThat = async (acts: () => Promise<unknown>, given: TestApp = app) => {
  const door = await openHttpServer(given, { webFolder })
  const declared: Route = route({
    name: 'shown',
    method: 'GET',
    path: '/try',
    summary: '',
    access: 'anyone',
    reads: [],
    output: z.object({ shown: z.string() }),
    errors: [],
  })
  serve(door, given, declared, acts)
  return door
}

test('a fault of ours is a plain sentence with a request id, logged once', async () => {
  const lines: string[] = []
  const { pino } = await import('pino')
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  const door = await serverThat(
    async () => {
      throw new Error('the password is hunter2')
    },
    { ...app, log },
  )
  const answer = await door.inject('/api/v1/try')
  expect(answer.statusCode).toBe(500)
  expect(answer.json()).toMatchObject({ type: 'INTERNAL', message: 'Something went wrong' })
  expect(answer.body).not.toContain('hunter2')
  const { requestId } = answer.json().data
  expect(lines.filter((line) => line.includes(requestId) && line.includes('hunter2'))).toHaveLength(
    1,
  )
  expect(lines).toHaveLength(1)
  await door.close()
})

test('closing lets a request under way finish', async () => {
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  const door = await serverThat(async () => {
    asked()
    await mayAnswer
    return { shown: 'yes' }
  })
  const address = await door.listen({ port: 0, host: '127.0.0.1' })
  const request = fetch(`${address}/api/v1/try`)
  await isAsked
  const closed = door.close()
  answer()
  expect(await (await request).json()).toEqual({ shown: 'yes' })
  await closed
})

test('nothing leaves that the contract does not name', async () => {
  const door = await serverThat(async () => ({ shown: 'yes', passwordHash: 'secret' }))
  expect((await door.inject('/api/v1/try')).json()).toEqual({ shown: 'yes' })
  await door.close()
})

test('while the database is away the answer is 503, and healthz says so', async () => {
  const away = await anApp()
  const door = await openHttpServer(away, { webFolder })
  const user = await aUser(away)
  const { headers } = await aSession(away, user)
  expect((await door.inject('/healthz')).statusCode).toBe(200)
  const isOpen = away.readiness.waitFor('smtp')
  expect((await door.inject('/healthz')).statusCode).toBe(503)
  isOpen()
  expect((await door.inject('/healthz')).statusCode).toBe(200)
  await away.db.destroy()
  for (const url of ['/healthz', '/api/v1/workspaces']) {
    const answer = await door.inject({ url, headers })
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ type: 'UNAVAILABLE', statusCode: 503 })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }
  await door.close()
  await away.close()
})

test('rights come from the role in the workspace', async () => {
  const user = await aUser(app)
  await aWorkspace(app, { members: [{ user, role: 'Editor' }] })
  const { headers } = await aSession(app, user)
  const answer = await server.inject({ url: '/api/v1/invoices', headers })
  expect(answer.json()).toMatchObject({ type: 'FORBIDDEN', statusCode: 403 })
})

test('every answer carries the security headers, and no API answer is kept', async () => {
  for (const url of [
    '/api/v1/installation',
    '/api/v1/nothing',
    '/login',
    '/api/v1/domains/%ff',
    '/healthz',
  ]) {
    const { headers } = await server.inject(url)
    expect([url, headers]).toMatchObject([
      url,
      {
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      },
    ])
    if (url.startsWith('/api')) expect(headers['cache-control']).toBe('no-store')
    expect(headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('a page is cut loose from whoever opened it; a page that nobody opened is not, in a browser that followed no link', async () => {
  const policyFor = async (site?: string, cookie = '') => {
    const headers = { accept: 'text/html', cookie, ...(site ? { 'sec-fetch-site': site } : {}) }
    const answer = await server.inject({ url: '/login', headers })
    expect(answer.headers.vary).toContain('sec-fetch-site')
    const [set] = answer.cookies
    return [answer.headers['cross-origin-opener-policy'], set && `${set.name}=${set.value}`]
  }
  const linked = 'mailstead_linked=1'
  expect(await policyFor('none')).toEqual([undefined, undefined])
  expect(await policyFor('same-origin')).toEqual([undefined, undefined])
  expect(await policyFor('cross-site')).toEqual(['same-origin', linked])
  expect(await policyFor('same-site')).toEqual(['same-origin', linked])
  for (const site of ['none', 'same-origin', 'cross-site'])
    expect([site, ...(await policyFor(site, linked))]).toEqual([site, 'same-origin', undefined])
  for (const site of ['None', undefined])
    expect([site, ...(await policyFor(site))]).toEqual([site, 'same-origin', undefined])
})

test('every page has the app, its styles and a nonce of its own', async () => {
  const open = async (url: string) => {
    const { statusCode, headers, body } = await server.inject({
      url,
      headers: { accept: 'text/html' },
    })
    const nonce = /"csp-nonce" content="([^"]+)"/.exec(body)?.[1] ?? ''
    expect(body).toContain(`<style nonce="${nonce}">body{margin:0}</style>`)
    expect(body).toContain('data-app="/assets/main-abc.js"')
    return { statusCode, headers, nonce }
  }
  const pages = await Promise.all(['/', '/dashboard/domains', '/no.such.page'].map(open))
  // What is no page has one that says so.
  expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 200, 404])
  for (const { headers, nonce } of pages) {
    expect(headers['cache-control']).toBe('no-cache')
    const policy = `${headers['content-security-policy']}`
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`)
    expect(policy).toMatch(/script-src 'self'(?: 'sha256-[\w+/=]+')+;/)
    expect(policy).not.toContain('unsafe')
  }
  expect(new Set(pages.map(({ nonce }) => nonce)).size).toBe(3)
})

test('what programs ask for at fixed addresses', async () => {
  const robots = await server.inject('/robots.txt')
  expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(robots.body).toContain('User-agent: *\nAllow: /$\nAllow: /login$\n')
  expect(robots.body).toMatch(/\nDisallow: \/\n$/)
  const contactOf = async (operatorContact: string) => {
    const other = await openHttpServer(
      { ...app, config: { ...app.config, operatorContact } },
      { webFolder },
    )
    const { body } = await other.inject('/.well-known/security.txt')
    await other.close()
    return body
  }
  const body = await contactOf('security@operator.example')
  const expires = new Date(/^Expires: (\S+)$/m.exec(body)?.[1] ?? '')
  const days = (expires.getTime() - app.clock.now().getTime()) / 86_400_000
  expect(days).toBeGreaterThan(170)
  expect(days).toBeLessThan(365)
  expect(body).toContain('Contact: mailto:security@operator.example\n')
  expect(body).toContain(`Canonical: ${app.config.publicUrl}/.well-known/security.txt\n`)
  expect(await contactOf('https://operator.example/help')).toContain(
    'Contact: https://operator.example/help\n',
  )
})

test('what may be found says what it is, and all else is not to be found', async () => {
  const open = async (url: string, cookie = '') =>
    server.inject({ url, headers: { accept: 'text/html', cookie } })
  const login = await open('/login')
  expect(login.body).toContain('<meta property="og:title" content="')
  expect(login.body).not.toContain('noindex')
  expect(login.headers['x-robots-tag']).toBeUndefined()
  for (const url of ['/dashboard', '/verify-email?token=x', '/nowhere', '/mailbox-access'])
    expect((await open(url)).body, url).toContain(
      '<meta name="robots" content="noindex, nofollow">',
    )
  expect((await open('/dashboard/profile')).headers['x-robots-tag']).toBe('noindex, nofollow')
  expect(login.body.match(/<meta name="theme-color"[^>]*>/g)).toHaveLength(2)
  expect(login.body).toContain('<link rel="manifest" href="/manifest.webmanifest">')
})

test('a page of the dashboard names the files of the dashboard', async () => {
  const pageAt = async (url: string) =>
    (await server.inject({ url, headers: { accept: 'text/html' } })).body
  for (const url of ['/dashboard', '/dashboard/domains', '/dashboard/add-domain?id=1'])
    expect(await pageAt(url), url).toContain('data-parts="/assets/dashboard.js /assets/base.js"')
  for (const url of ['/', '/login', '/dashboards', '/x/dashboard'])
    expect(await pageAt(url), url).toContain('data-parts="/assets/auth.js /assets/base.js"')
  expect((await server.inject('/manifest.json')).statusCode).toBe(404)
})

test('files are served compressed where both sides can, hashed ones for ever', async () => {
  const plain = await server.inject('/assets/main-abc.js')
  expect(plain.body).toBe(SCRIPT)
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const small = await server.inject({
    url: '/assets/main-abc.js',
    headers: { 'accept-encoding': 'gzip, br' },
  })
  expect(small.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(SCRIPT)
  const theme = await server.inject('/theme.js')
  expect(theme.headers['cache-control']).toBe('no-cache')
  const again = await server.inject({
    url: '/theme.js',
    headers: { 'if-none-match': `${theme.headers.etag}` },
  })
  expect(again.statusCode).toBe(304)
  for (const missing of [
    '/assets/gone.js',
    '/..%2f..%2fpackage.json',
    '/assets/../../package.json',
  ])
    expect((await server.inject(missing)).statusCode).toBe(404)
})

test('without a build the pages say so', async () => {
  const door = await openHttpServer(app, { webFolder: join(webFolder, 'nothing') })
  expect((await door.inject('/login')).body).toContain('not built')
  await door.close()
})

test('the document of a mail may run nothing and load nothing from elsewhere', async () => {
  const { headers } = await server.inject('/mail-frame')
  const policy = `${headers['content-security-policy']}`
  expect(policy).toContain("default-src 'none'; img-src data: blob:;")
  expect(policy).toMatch(/sandbox(?!.*allow-scripts)/)
  expect(policy).not.toContain('script-src')
})

test('the outbox page shows held mails, escaped, to this machine alone', async () => {
  const { pathname, search } = new URL(outboxUrl(app))
  const open = pathname + search
  expect((await server.inject(open)).body).toContain('No mail yet')
  await app.db.transaction().execute((tx) =>
    sendSystemMail(app, tx, {
      to: 'ada@example.org',
      subject: '<script>alert(1)</script>',
      text: 'Hello <b>',
      html: '<p>Hello</p>',
      link: 'http://localhost:8080/verify-email?token=a&b',
    }),
  )
  expect(await listHeldMails(app)).toHaveLength(1)
  const { body, statusCode } = await server.inject(open)
  expect(statusCode).toBe(200)
  expect(body).toContain('&lt;script&gt;')
  expect(body).not.toContain('<script>')
  expect(body).toContain('href="http://localhost:8080/verify-email?token=a&amp;b"')
  // The mail as it looks, its text and its header fields.
  expect(body).toMatch(
    /<iframe [^>]*sandbox="allow-popups [^"]*" srcdoc="&lt;p&gt;Hello&lt;\/p&gt;/,
  )
  expect(body).toContain('<pre>Hello &lt;b&gt;')
  expect(body).toContain('\nAuto-Submitted: auto-generated')
  // A proxy that says nothing of itself.
  for (const code of ['', '?code=', `?code=${'x'.repeat(22)}`, '?code=a&code=b'])
    expect((await server.inject(`/dev/outbox${code}`)).statusCode).toBe(404)
  const statusFor = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    (await server.inject({ url: open, headers, remoteAddress })).statusCode
  for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'])
    expect(await statusFor({ [name]: 'x' })).toBe(404)
  // A page elsewhere whose name was made to lead here, and a neighbour while HOST is 0.0.0.0.
  for (const host of ['rebound.example', 'rebound.example:8080', 'localhost.example'])
    expect(await statusFor({ host })).toBe(404)
  for (const address of ['192.168.1.20', '::ffff:10.0.0.7', 'fe80::1', '2001:db8::1'])
    expect(await statusFor({}, address)).toBe(404)
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    expect(await statusFor({ host: 'localhost:8080' }, address)).toBe(200)
})

test('the OpenAPI document prints every served route', async () => {
  const ofOperators = (await server.inject('/api/v1/openapi-operator.json')).json().paths
  const { openapi, ...document } = (await server.inject('/api/v1/openapi.json')).json()
  expect(openapi).toBe('3.1.0')
  const paths = { ...document.paths, ...ofOperators }
  for (const { method, path } of server.servedRoutes)
    expect(paths[path][method.toLowerCase()].responses).toBeDefined()
  const register = paths['/auth/register'].post
  expect(register.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/SignUpForm',
  })
  expect(document.components.schemas.SignUpForm).toMatchObject({
    type: 'object',
    additionalProperties: false,
    required: expect.arrayContaining(['email', 'termsAccepted']),
  })
  expect(Object.keys(register.responses)).toEqual(
    expect.arrayContaining(['201', '403', '409', '422', '429', '503']),
  )
  expect(paths[getInstallation.path].get.security).toEqual([])
})

test.each([
  ['is not HTTP', 'Bad Header: \0', { statusCode: 400, type: 'BAD_REQUEST' }],
  ['has long headers', `X: ${'x'.repeat(17_000)}`, { statusCode: 431, type: 'HEADERS_TOO_LARGE' }],
])('a request that %s gets an error of the usual form and no more', async (_what, line, error) => {
  if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\n`)
  const answer = await text(socket)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${error.statusCode} [A-Z]`))
  const body = errorBody.strict().parse(JSON.parse(answer.split('\r\n\r\n')[1] ?? ''))
  expect(body).toMatchObject({ ...error, path: '' })
})

test('a request that is refused unread hears why, also when it goes on sending; then its connection ends', async () => {
  if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  // Over the bytes that a connection closes with, the system would reset it.
  for (let n = 0; n < 5; n++) {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nBad Header: \0\r\n\r\n${'x'.repeat(5_000_000)}`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"type":"BAD_REQUEST"/s)
  }
  const endless = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  endless.on('error', () => {}).resume()
  endless.write('GET / HTTP/1.1\r\nHost: x\r\nBad Header: \0\r\n\r\n')
  const dripping = setInterval(() => endless.write('x'), 20)
  await new Promise((resolve) => endless.on('close', resolve))
  clearInterval(dripping)
})

test('a form that is sent before the app is there comes back to its page, and never to another host', async () => {
  for (const [url, location] of [
    ['/login?next=x', '/login'],
    ['//evil.example/login', '/evil.example/login'],
  ] as const) {
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await server.inject({ method: 'POST', url, headers, payload: 'a=b' })
    expect(answer.statusCode, url).toBe(303)
    expect(answer.headers.location, url).toBe(location)
  }
})
