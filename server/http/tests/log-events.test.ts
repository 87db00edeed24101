import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newApiKey } from '#server/features/keys/api-key-text.ts'
import { anApiClient, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace } from '#test-world/builders.ts'
import { setUpTotp } from '#test-world/people/factors.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  app = await anApp({ config: { trustedProxies: ['127.0.0.1'] } })
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

test('sign-ups and sign-ins that worked, failed and had to wait have a line each, without the password', async () => {
  const client = anApiClient(server, { 'x-forwarded-for': '2001:db8::9' })
  const email = 'ada@example.org'
  await aVerifiedAccount(app, client, email)
  const caller = { email, ip: '2001:db8::9', network: '2001:db8:0:0::/64' }
  expect(app.logged('signed-up')).toMatchObject([caller])
  expect(app.logged('signed-in')).toMatchObject([{ ...caller, by: 'mailed-link' }])
  const stranger = anApiClient(server, { 'x-forwarded-for': '2001:db8::9' })
  for (let n = 0; n < 12; n++)
    await stranger.call('POST', '/auth/login', { email, password: `Wr0ng-secret-${n}!` })
  expect(app.logged('sign-in-failed')).toMatchObject([{ ...caller, why: 'password' }])
  expect(app.logged('sign-in-throttled')).toMatchObject([caller])
  const lines = ['signed-up', 'signed-in', 'sign-in-failed', 'sign-in-throttled'] as const
  expect(JSON.stringify(lines.map((event) => app.logged(event)))).not.toMatch(/secret|Engine/)
})

test('a key that is not good has a line with the reason, and no line has the key', async () => {
  const user = await aUser(app)
  const { id: workspaceId } = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const admin = anApiClient(server, {
    ...(await aSession(app, user)).headers,
    'x-workspace-id': workspaceId,
  })
  const aKey = async (form: object): Promise<string> => {
    const wanted = { name: 'Script', scopes: ['domains:read'], ...form }
    return (await admin.call('POST', '/api-keys', wanted)).body.key
  }
  const expiresAt = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
  const keys = [newApiKey(), await aKey({ expiresAt }), await aKey({ ips: ['192.0.2.0/24'] })]
  app.clock.advance({ hours: 2 })
  for (const key of keys) {
    const stranger = anApiClient(server, {
      ...{ 'x-forwarded-for': '2001:db8::7', authorization: `Bearer ${key}` },
    })
    expect((await stranger.call('GET', '/domains')).status).toBeGreaterThan(400)
  }
  const caller = { ip: '2001:db8::7', network: '2001:db8:0:0::/64' }
  const lines = app.logged('key-refused')
  const reasons = ['unknown', 'expired', 'network']
  expect(lines).toMatchObject(reasons.map((why) => ({ ...caller, why })))
  for (const key of keys) expect(JSON.stringify(lines)).not.toContain(key.slice(-6))
})

test('a second factor that is set up has a line', async () => {
  const user = await aUser(app, { passwordHash: quickHash('Night-Train-7!') })
  const client = anApiClient(server)
  const { body } = await client.call('POST', '/auth/login', {
    ...{ email: user.email, password: 'Night-Train-7!' },
  })
  await setUpTotp(app, client, { authorization: `Bearer ${body.token}` })
  const { id: userId, email } = user
  expect(app.logged('second-factor-changed')).toMatchObject([{ userId, email }])
})
