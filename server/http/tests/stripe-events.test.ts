import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { signatureOf } from '#test-world/stripe/events.ts'
import { openHttpServer } from '../http-server.ts'

const SECRET = 'whsec_ofthestripetests'
const event = (id: string, type = 'payment_intent.succeeded') =>
  JSON.stringify({ id, object: 'event', type, data: { object: { id: 'pi_1' } } })

let app: TestApp
let server: Awaited<ReturnType<typeof openHttpServer>>
beforeAll(async () => {
  const plain = await anApp()
  const stripe = {
    secretKey: 'sk_test_0123456789',
    webhookSecret: SECRET,
    api: 'http://127.0.0.1:9',
  }
  app = { ...plain, config: { ...plain.config, billing: 'stripe', stripe } }
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const post = async (payload: string, signature?: string, type = 'application/json') => {
  const { statusCode, body } = await server.inject({
    ...{ method: 'POST', url: '/api/v1/stripe/events', payload },
    headers: { 'content-type': type, ...(signature && { 'stripe-signature': signature }) },
  })
  return { statusCode, type: JSON.parse(body).type }
}
const signed = (payload: string, secret = SECRET, at = app.clock.now()) =>
  post(payload, signatureOf(payload, secret, at))
const kept = async () =>
  (await app.db.selectFrom('stripeEvents').select('id').orderBy('id').execute()).map(({ id }) => id)

test('events that Stripe signed are kept, each once; of no others', async () => {
  expect(await signed(event('evt_1'))).toMatchObject({ statusCode: 200 })
  expect(await signed(event('evt_1'))).toMatchObject({ statusCode: 200 })
  expect(await signed(event('evt_2', 'charge.refunded'))).toMatchObject({ statusCode: 200 })
  expect(await signed(event('evt_3', 'product.created'))).toMatchObject({ statusCode: 200 })
  expect(await kept()).toEqual(['evt_1', 'evt_2'])
})

test('forged, changed and old ones are refused, and what is no event', async () => {
  const refused = { statusCode: 400, type: 'BAD_REQUEST' }
  const payload = event('evt_9')
  const signature = signatureOf(payload, SECRET, app.clock.now())
  expect(await signed(payload, 'whsec_ofsomebodyelse')).toEqual(refused)
  expect(await post(event('evt_8'), signature)).toEqual(refused)
  expect(await post(payload)).toEqual(refused)
  const old = new Date(app.clock.now().getTime() - 301_000)
  expect(await signed(payload, SECRET, old)).toEqual(refused)
  expect(await post(payload, signature, 'text/plain')).toMatchObject({ statusCode: 415 })
  expect(await signed('x'.repeat(300_000))).toMatchObject({ statusCode: 413 })
  expect(await kept()).not.toContain('evt_9')
})

test('without BILLING=stripe there is no such page', async () => {
  const plain = await openHttpServer({ ...app, config: { ...app.config, stripe: null } })
  const { statusCode } = await plain.inject({
    ...{ method: 'POST', url: '/api/v1/stripe/events', payload: event('evt_7') },
    headers: { 'content-type': 'application/json' },
  })
  expect(statusCode).toBe(404)
  await plain.close()
})
