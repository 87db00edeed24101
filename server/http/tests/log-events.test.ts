import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApiClient, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
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
