import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networkOf, networksOf } from '#server/features/limits/throttle.ts'
import {
  anApiClient,
  aSignUp,
  aVerifiedAccount,
  mailedToken,
  mailsTo,
} from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
/** A second process on the same database. */
let otherApp: TestApp
let other: FastifyInstance
beforeAll(async () => {
  const config = { trustedProxies: ['127.0.0.1'] }
  app = await anApp({ config })
  server = await openHttpServer(app)
  otherApp = await anApp({ config, database: app.database, clock: app.clock })
  other = await openHttpServer({ ...otherApp, blobs: app.blobs })
})
afterAll(async () => {
  await server.close()
  await other.close()
  await otherApp.close()
  await app.close()
})

/** As if this many had been tried already: to look at a password takes a while. */
const counted = (key: string, count: number) =>
  app.db
    .insertInto('throttles')
    .values({ key, count, windowEndsAt: new Date(app.clock.now().getTime() + 60_000) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ count }))
    .execute()

const from = (ip: string, door = server) => anApiClient(door, { 'x-forwarded-for': ip })
const RIGHT = 'Engine-No-1!'
const tooMany = { status: 429, body: { type: 'TOO_MANY_REQUESTS', message: 'Too many requests' } }

test('resending waits thirty seconds per address, in every process and for any address', async () => {
  await aVerifiedAccount(app, from('192.0.2.1'), 'ada@example.org')
  for (const email of ['ada@example.org', 'nobody@example.org']) {
    const resend = (door: FastifyInstance) =>
      anApiClient(door).call('POST', '/auth/resend-verify-email', {
        email,
        type: 'email-verification',
      })
    expect((await resend(server)).status).toBe(200)
    app.clock.advance({ seconds: 29 })
    const early = await resend(other)
    expect(early).toMatchObject(tooMany)
    expect(early.headers['retry-after']).toBe('1')
    app.clock.advance({ seconds: 1 })
    expect((await resend(other)).status).toBe(200)
    app.clock.advance({ seconds: 30 })
  }
  const forgot = () =>
    anApiClient(server).call('POST', '/auth/forgot-password', { email: 'a@b.example' })
  expect((await forgot()).status).toBe(200)
  expect(await forgot()).toMatchObject(tooMany)
})

test('five link mails an hour for an address, whichever call asks for them', async () => {
  const email = 'flooded@example.org'
  const kinds = ['forgot-password', 'resend-verify-email']
  const ask = async (n: number) => {
    app.clock.advance({ seconds: 30 })
    const kind = kinds[n % 2]
    const body = n % 2 ? { email, type: 'reset-password' } : { email }
    return anApiClient(server).call('POST', `/auth/${kind}`, body)
  }
  for (let n = 0; n < 5; n += 1) expect((await ask(n)).status).toBe(200)
  expect(await ask(5)).toMatchObject(tooMany)
  app.clock.advance({ hours: 1 })
  expect((await ask(6)).status).toBe(200)
})

test('signing up again and again mails five times an hour', async () => {
  const form = aSignUp('again@example.org')
  const register = () => from('192.0.2.77').call('POST', '/auth/register', form)
  expect((await register()).status).toBe(201)
  for (let n = 0; n < 8; n += 1) {
    app.clock.advance({ seconds: 30 })
    expect((await register()).body.type).toBe('NOT_VERIFIED')
  }
  expect(await mailsTo(app, 'again@example.org')).toBe(6)
})

test('twenty sign-ups an hour from one address; refused forms do not count', async () => {
  const register = (door: FastifyInstance, form: object) =>
    from('192.0.2.2', door).call('POST', '/auth/register', form)
  for (let i = 0; i < 25; i += 1) expect((await register(server, aSignUp('x'))).status).toBe(422)
  const answers = await Promise.all(
    Array.from({ length: 21 }, (_, i) =>
      register(i % 2 ? server : other, aSignUp(`many${i}@example.org`)),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  const refused = answers.find(({ status }) => status !== 201)
  expect(refused).toMatchObject(tooMany)
  expect(Number(refused?.headers['retry-after'])).toBe(3600)
  expect(
    (await from('192.0.2.3').call('POST', '/auth/register', aSignUp('z@example.org'))).status,
  ).toBe(201)
  app.clock.advance({ hours: 1 })
  expect((await register(other, aSignUp('later@example.org'))).status).toBe(201)
})

test('ten wrong passwords lock one account from one network, except from the owner’s browser', async () => {
  const email = 'grace@example.org'
  const ip = '2001:db8:1:2::1'
  const owner = from(ip)
  await aVerifiedAccount(app, owner, email)
  const guess = (client = from('2001:db8:1:2:ffff::9', other), password = `${randomUUID()}`) =>
    client.call('POST', '/auth/login', { email, password })
  const answers = await Promise.all(Array.from({ length: 11 }, () => guess()))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(await guess(from(ip), RIGHT)).toMatchObject(tooMany)
  expect((await guess(owner, RIGHT)).status).toBe(200)
  expect(await guess(owner)).toMatchObject(tooMany)
  expect((await guess(owner, RIGHT)).status).toBe(200)
  expect((await guess(from('2001:db8:1:3::1'), RIGHT)).status).toBe(200)
  app.clock.advance({ minutes: 15 })
  expect((await guess(from(ip), RIGHT)).status).toBe(200)
})

test('the owner’s browser has twenty guesses more, and a new password makes it a stranger', async () => {
  const email = 'joan@example.org'
  const ip = '2001:db8:7:1::1'
  const owner = from(ip)
  await aVerifiedAccount(app, owner, email)
  const guess = (client: typeof owner, password = `${randomUUID()}`) =>
    client.call('POST', '/auth/login', { email, password })
  await Promise.all(Array.from({ length: 10 }, () => guess(from(ip))))
  const guesses = await Promise.all(Array.from({ length: 20 }, () => guess(owner)))
  expect(guesses.every(({ status }) => status === 429)).toBe(true)
  expect(await guess(owner, RIGHT)).toMatchObject(tooMany)
  app.clock.advance({ minutes: 15 })
  expect((await guess(owner, RIGHT)).status).toBe(200)

  const elsewhere = from('2001:db8:7:2::1')
  await elsewhere.call('POST', '/auth/forgot-password', { email })
  const password = 'Engine-No-2!'
  const session = await mailedToken(app, email, 'create-new-password')
  const form = { password, confirmPassword: password, session }
  expect((await elsewhere.call('POST', '/auth/set-new-password', form)).status).toBe(200)
  await Promise.all(Array.from({ length: 10 }, () => guess(from(ip))))
  expect(await guess(owner, password)).toMatchObject(tooMany)
})

test('one network asks for sixty link mails an hour, whatever addresses it names', async () => {
  const forgot = (n: number, ip = '192.0.2.91') =>
    from(ip, n % 2 ? server : other).call('POST', '/auth/forgot-password', {
      email: `named${n}@example.org`,
    })
  const answers = await Promise.all(Array.from({ length: 61 }, (_, n) => forgot(n)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  expect(answers.find(({ status }) => status !== 200)).toMatchObject(tooMany)
  expect((await forgot(99, '192.0.2.92')).status).toBe(200)
})

test('a hundred wrong passwords lock a network out of every account', async () => {
  const ip = '198.51.100.7'
  const guess = (email: string, password = 'Engine-No-2!') =>
    from(ip).call('POST', '/auth/login', { email, password })
  await aVerifiedAccount(app, from('192.0.2.9'), 'mary@example.org')
  expect((await guess('mary@example.org', RIGHT)).status).toBe(200)
  await counted(`login:${ip}`, 90)
  const answers = await Promise.all(
    Array.from({ length: 11 }, (_, n) => guess(`user${n}@example.org`)),
  )
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(await guess('mary@example.org', RIGHT)).toMatchObject(tooMany)
})

test('X-Forwarded-For counts only behind a trusted proxy', async () => {
  const open = await anApp()
  const door = await openHttpServer(open)
  const answers = []
  for (let i = 0; i < 21; i += 1)
    answers.push(
      await anApiClient(door, { 'x-forwarded-for': `192.0.2.${i}` }).call(
        'POST',
        '/auth/register',
        aSignUp(`proxy${i}@example.org`),
      ),
    )
  expect(answers.at(-1)).toMatchObject(tooMany)
  await door.close()
  await open.close()
})

test('an IPv6 customer is a /64', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:0DB8:0001:2::')).toBe('2001:db8:1:2::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(networksOf('2001:db8:1:2fff::9').map(({ network }) => network)).toEqual([
    ...['2001:db8:1:2fff::/64', '2001:db8:1:2f00::/56', '2001:db8:1::/48'],
  ])
  expect(networksOf('192.0.2.1')).toEqual([{ network: '192.0.2.1', times: 1 }])
  // As a port for both kinds tells it.
  expect(networksOf('::ffff:192.0.2.1')).toEqual([{ network: '192.0.2.1', times: 1 }])
  expect(networkOf('::FFFF:192.0.2.1')).toBe('192.0.2.1')
})

describe('an account under attack from everywhere', () => {
  const password = 'Engine-No-2!'
  const rows = async () => {
    const { count } = await app.db
      .selectFrom('throttles')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }

  test('a hundred wrong passwords an hour reach it, and its owner goes on in the browser that they use', async () => {
    const email = 'hedy@example.org'
    const owner = from('192.0.2.20')
    await aVerifiedAccount(app, owner, email)
    const guess = (n: number, given = password) =>
      from(`203.0.113.${n}`).call('POST', '/auth/login', { email, password: given })
    await counted(`login-everywhere:${email}`, 90)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(n)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(await guess(50, RIGHT)).toMatchObject(tooMany)
    expect((await owner.call('POST', '/auth/login', { email, password: RIGHT })).status).toBe(200)
    expect(await guess(51, RIGHT)).toMatchObject(tooMany)

    // Who has lost the browser takes the account back by mail, and is let in at once.
    const elsewhere = from('192.0.2.21')
    await elsewhere.call('POST', '/auth/forgot-password', { email })
    const session = await mailedToken(app, email, 'create-new-password')
    const form = { password, confirmPassword: password, session }
    await elsewhere.call('POST', '/auth/set-new-password', form)
    expect((await elsewhere.call('POST', '/auth/login', { email, password })).status).toBe(200)
  })

  test('the 65,536 networks of one /48 guess four times as much as one, and a try refused writes no row', async () => {
    const guess = (n: number) =>
      from(`2001:db8:48:${n.toString(16)}::1`, n % 2 ? server : other).call('POST', '/auth/login', {
        email: `sprayed${n}@example.org`,
        password,
      })
    const sprayed = async (count: number, first: number) => {
      let looked = 0
      for (let n = first; n < first + count; n += 10) {
        const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => guess(n + i)))
        looked += answers.filter(({ status }) => status === 401).length
      }
      return looked
    }
    await counted('login:2001:db8:48::/48', 390)
    expect(await sprayed(30, 0)).toBe(10)
    const before = await rows()
    const spent = await app.db.selectFrom('throttles').selectAll().orderBy('key').execute()
    expect(await guess(25)).toMatchObject(tooMany)
    expect(await guess(99)).toMatchObject(tooMany)
    expect(await rows()).toBe(before)
    expect(await app.db.selectFrom('throttles').selectAll().orderBy('key').execute()).toEqual(spent)
  })
})
