/** Second factors through the front door: what sets them up, what they refuse, and that each proof is good once. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_PASSKEYS } from '#contract/account/passkeys.ts'
import { beginPasskeyFor } from '#server/features/factors/keep-passkeys.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient, mailsTo } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace } from '#test-world/builders.ts'
import { anAuthenticator } from '#test-world/people/authenticator.ts'
import { codeOf, setUpPasskey, setUpTotp, wrongCode } from '#test-world/people/factors.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

const ORIGIN = 'http://localhost:8080'
const PASSWORD = 'Night-Train-7!'

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

const logIn = (client: ApiClient, email: string, password = PASSWORD) =>
  client.call('POST', '/auth/login', { email, password })
const bearer = (body: { token: string }) => ({ authorization: `Bearer ${body.token}` })

/** Somebody who has just logged in. */
const aPerson = async () => {
  const user = await aUser(app, { passwordHash: quickHash(PASSWORD) })
  await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const client = anApiClient(server)
  const headers = bearer((await logIn(client, user.email)).body)
  return { ...user, client, headers }
}

const withTotp = async () => {
  const person = await aPerson()
  const { secret, recoveryCodes } = await setUpTotp(app, person.client, person.headers)
  app.clock.advance({ minutes: 1 })
  return { ...person, secret, recoveryCodes: recoveryCodes ?? [] }
}

const asked = async (email: string, client = anApiClient(server)) => {
  const { status, body } = await logIn(client, email)
  expect({ status, type: body.type }).toEqual({ status: 403, type: 'SECOND_FACTOR_REQUIRED' })
  return { client, ...body.data } as {
    client: ApiClient
    methods: string[]
    challenge: string
    passkey: Record<string, unknown> | null
  }
}

const answer = (client: ApiClient, body: object) => client.call('POST', '/auth/second-factor', body)

test('an authenticator app is asked for after the right password, and its code starts the session', async () => {
  const { email, secret, recoveryCodes } = await withTotp()
  expect(recoveryCodes).toHaveLength(10)
  const wrong = await logIn(anApiClient(server), email, 'Engine-No-2!')
  expect(wrong.body.type).toBe('INVALID_PASSWORD')
  const { client, methods, challenge, passkey } = await asked(email)
  expect(methods).toEqual(['totp', 'recovery-code'])
  expect(passkey).toBeNull()
  expect(client.cookies.has('mailstead_refresh')).toBe(false)
  const refused = await answer(client, { challenge, code: wrongCode(app, secret) })
  expect(refused).toMatchObject({ status: 422, body: { data: { code: 'This code is not right' } } })
  const code = codeOf(app, secret)
  const started = await answer(client, { challenge, code: `${code.slice(0, 3)} ${code.slice(3)}` })
  expect(started).toMatchObject({ status: 200, body: { tokenExpiresIn: 600, user: { email } } })
  expect((await client.call('POST', '/auth/refresh')).status).toBe(200)
})

test('a secret counts only once a code confirms it, and within an hour', async () => {
  const { email, client, headers } = await aPerson()
  const { body } = await client.call('POST', '/second-factor/totp/begin', undefined, headers)
  expect(body.uri).toContain(`otpauth://totp/Mailstead:${encodeURIComponent(email)}?`)
  const confirm = (code: string) => client.call('POST', '/second-factor/totp', { code }, headers)
  expect((await confirm(wrongCode(app, body.secret))).status).toBe(422)
  expect((await logIn(anApiClient(server), email)).status).toBe(200)
  const { rows } = await stored()
  expect(JSON.stringify(rows)).not.toContain(body.secret)
})

const stored = async () => ({
  rows: await app.db.selectFrom('secondFactors').selectAll().execute(),
})

const mailsSaying = async (email: string, words: string): Promise<number> =>
  (await listHeldMails(app)).filter(({ to, text }) => to === email && text.includes(words)).length

const SIGNED_OUT = 'All other browsers and devices were signed out'

test('the first factor ends the other sessions of its person, and a further one does not', async () => {
  const { email, client, headers } = await aPerson()
  const stranger = anApiClient(server)
  await logIn(stranger, email)
  const { secret } = await setUpTotp(app, client, headers)
  expect((await stranger.call('POST', '/auth/refresh')).status).toBe(401)
  expect((await client.call('GET', '/second-factor', undefined, headers)).status).toBe(200)
  expect(await mailsSaying(email, SIGNED_OUT)).toBe(1)
  app.clock.advance({ minutes: 1 })
  const other = await asked(email)
  await answer(other.client, { challenge: other.challenge, code: codeOf(app, secret) })
  await setUpPasskey(client, headers, anAuthenticator(ORIGIN))
  expect((await other.client.call('POST', '/auth/refresh')).status).toBe(200)
  expect(await mailsSaying(email, 'A passkey was added')).toBe(1)
  expect(await mailsSaying(email, SIGNED_OUT)).toBe(1)
})

test('a code is taken once, and none of an earlier step, also of two requests at once', async () => {
  const { email, secret } = await withTotp()
  const code = codeOf(app, secret)
  const tries = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const { client, challenge } = await asked(email)
      return { client, challenge }
    }),
  )
  const answers = await Promise.all(
    tries.map(({ client, challenge }) => answer(client, { challenge, code })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
  const { client, challenge } = await asked(email)
  const again = await answer(client, { challenge, code })
  expect(again.body.data.code).toContain('used already')
})

test('a challenge is taken once, by two requests at once too, and ends after five minutes', async () => {
  const { email, secret, recoveryCodes } = await withTotp()
  const { client, challenge } = await asked(email)
  const answers = await Promise.all([
    answer(client, { challenge, code: codeOf(app, secret) }),
    answer(client, { challenge, recoveryCode: recoveryCodes[0] }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410])
  const late = await asked(email)
  app.clock.advance({ minutes: 5 })
  const expired = await answer(late.client, {
    challenge: late.challenge,
    code: codeOf(app, secret),
  })
  expect(expired).toMatchObject({ status: 410, body: { type: 'SIGN_IN_EXPIRED' } })
})

test('a recovery code works once, however it is typed, and its owner is mailed how many are left', async () => {
  const { email, recoveryCodes } = await withTotp()
  const before = await mailsTo(app, email)
  const [code = ''] = recoveryCodes
  expect(code).toMatch(/^(?:[0-9a-z]{4}-){3}[0-9a-z]{4}$/)
  const first = await asked(email)
  const typed = code.toUpperCase().replaceAll('-', ' ').replaceAll('1', 'L').replaceAll('0', 'O')
  const started = await answer(first.client, { challenge: first.challenge, recoveryCode: typed })
  expect(started.status).toBe(200)
  // One about the code, one about the new browser.
  expect(await mailsTo(app, email)).toBe(before + 2)
  const second = await asked(email)
  const again = await answer(second.client, { challenge: second.challenge, recoveryCode: code })
  expect(again).toMatchObject({ status: 422, body: { data: { recoveryCode: expect.any(String) } } })
  const { body } = await first.client.call('GET', '/second-factor', undefined, bearer(started.body))
  expect(body.recoveryCodesLeft).toBe(9)
})

test('after 50 guesses an hour the right code is refused too, from whichever network, but not in a browser of the person, which has 50 of its own', async () => {
  const { email, secret, recoveryCodes, client: own, headers } = await withTotp()
  const from = (nth: number) => anApiClient(server, { 'x-forwarded-for': `198.51.100.${nth}` })
  let { client, challenge } = await asked(email)
  for (let nth = 1; nth <= 50; nth += 1) {
    if (nth % 2 === 0) client = from(nth)
    const guess =
      nth % 10 === 0
        ? { recoveryCode: '0000-0000-0000-0000' }
        : { code: wrongCode(app, secret, nth) }
    expect((await answer(client, { challenge, ...guess })).status).toBe(422)
  }
  const right = await answer(client, { challenge, code: codeOf(app, secret) })
  expect(right).toMatchObject({ status: 429, body: { type: 'TOO_MANY_REQUESTS' } })
  const recovery = await answer(client, { challenge, recoveryCode: recoveryCodes[0] })
  expect(recovery.status).toBe(429)

  const known = await asked(email, own)
  const ofOwn = (guess: object) => answer(own, { challenge: known.challenge, ...guess })
  const confirm = (guess: object) => own.call('POST', '/auth/step-up', guess, headers)
  expect((await ofOwn({ code: wrongCode(app, secret) })).status).toBe(422)
  app.clock.advance({ minutes: 1 })
  expect((await ofOwn({ code: codeOf(app, secret) })).status).toBe(200)
  app.clock.advance({ minutes: 1 })
  for (let nth = 2; nth <= 50; nth += 1)
    expect((await confirm({ code: wrongCode(app, secret, nth) })).status).toBe(422)
  expect((await confirm({ code: codeOf(app, secret) })).status).toBe(429)

  app.clock.advance({ minutes: 61 })
  const later = await asked(email)
  const code = codeOf(app, secret)
  expect((await answer(later.client, { challenge: later.challenge, code })).status).toBe(200)
})

test('ten wrong codes within an hour after the right password mail the person, once a day', async () => {
  const { email, secret } = await withTotp()
  const told = () => mailsSaying(email, 'your password is known to somebody else')
  const guess = async (count: number) => {
    const { client, challenge } = await asked(email)
    for (let nth = 1; nth <= count; nth++)
      await answer(client, { challenge, code: wrongCode(app, secret, nth) })
  }
  await guess(9)
  expect(await told()).toBe(0)
  await guess(5)
  expect(await told()).toBe(1)
  app.clock.advance({ days: 1 })
  await guess(9)
  expect(await told()).toBe(1)
  await guess(1)
  expect(await told()).toBe(2)
})

test('a trusted browser is asked no more, until the trust is ended, runs out, or a factor changes', async () => {
  const { email, secret } = await withTotp()
  const trust = async () => {
    app.clock.advance({ minutes: 1 })
    const { client, challenge } = await asked(email)
    const body = { challenge, code: codeOf(app, secret), trustBrowser: true }
    const started = await answer(client, body)
    return { client, headers: bearer(started.body) }
  }
  const { client, headers } = await trust()
  const cookie = client.cookies.get('mailstead_trust')
  expect(cookie?.path).toBe('/api/v1')
  expect((await logIn(client, email)).status).toBe(200)
  await asked(email)
  const { body } = await client.call('GET', '/second-factor', undefined, headers)
  const [trusted] = body.trustedBrowsers
  const path = `/second-factor/trusted-browsers/${trusted._id}`
  expect((await client.call('DELETE', path, undefined, headers)).status).toBe(200)
  await asked(email, client)

  const other = await trust()
  await other.client.call('POST', '/second-factor/recovery-codes', undefined, other.headers)
  await asked(email, other.client)
  const third = await trust()
  app.clock.advance({ days: 31 })
  await asked(email, third.client)
})

test('a browser that one person trusts is asked by another one', async () => {
  const [ada, bob] = [await withTotp(), await withTotp()]
  const { client, challenge } = await asked(ada.email)
  const body = { challenge, code: codeOf(app, ada.secret), trustBrowser: true }
  expect((await answer(client, body)).status).toBe(200)
  await asked(bob.email, client)
  expect((await logIn(client, ada.email)).status).toBe(200)
})

test('a passkey is a second factor, and signs in alone when it verifies who touches it', async () => {
  const person = await aPerson()
  const device = anAuthenticator(ORIGIN)
  const { recoveryCodes } = await setUpPasskey(person.client, person.headers, device)
  expect(recoveryCodes).toHaveLength(10)
  const second = await asked(person.email)
  expect(second.methods).toEqual(['passkey', 'recovery-code'])
  const passkey = device.answer(second.passkey ?? {}, { isVerified: false })
  const started = await answer(second.client, { challenge: second.challenge, passkey })
  expect(started.status).toBe(200)

  const client = anApiClient(server)
  const { body: begun } = await client.call('POST', '/auth/passkey/begin')
  expect(begun.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  const signIn = (given: object, by = client) =>
    by.call('POST', '/auth/passkey', { challenge: begun.challenge, passkey: given })
  const refused = { status: 403, body: { type: 'PASSKEY_REFUSED' } }
  expect(await signIn(device.answer(begun.options, { isVerified: false }))).toMatchObject(refused)
  expect(await signIn(device.answer(begun.options, { isForged: true }))).toMatchObject(refused)
  const elsewhere = { origin: 'https://localhost.example' }
  expect(await signIn(device.answer(begun.options, elsewhere))).toMatchObject(refused)
  expect(await signIn(device.answer(begun.options, { rpId: 'example.org' }))).toMatchObject(refused)
  const otherBrowser = await signIn(device.answer(begun.options), anApiClient(server))
  expect(otherBrowser.body.type).toBe('SIGN_IN_EXPIRED')
  const good = device.answer(begun.options)
  expect(await signIn(good)).toMatchObject({ status: 200, body: { user: { email: person.email } } })
  expect((await signIn(good)).body.type).toBe('SIGN_IN_EXPIRED')
})

test('a copied passkey is found by its counter, unless it is one that is kept on several devices', async () => {
  for (const isSynced of [false, true]) {
    const person = await aPerson()
    const device = anAuthenticator(ORIGIN, { isSynced })
    await setUpPasskey(person.client, person.headers, device)
    const again = async (counter?: number) => {
      const { client, challenge, passkey } = await asked(person.email)
      const given = device.answer(passkey ?? {}, counter === undefined ? {} : { counter })
      return (await answer(client, { challenge, passkey: given })).status
    }
    expect(await again()).toBe(200)
    expect(await again(isSynced ? 0 : 1)).toBe(isSynced ? 200 : 403)
    const { body } = await person.client.call('GET', '/second-factor', undefined, person.headers)
    expect(body.passkeys).toMatchObject([{ name: 'Phone', isBackedUp: isSynced, isUsable: true }])
  }
})

test('a passkey that does not verify who touches it is not kept, nor one of another site or person', async () => {
  const person = await aPerson()
  const device = anAuthenticator(ORIGIN)
  const begin = async () =>
    (await person.client.call('POST', '/passkeys/begin', undefined, person.headers)).body
  const keep = (challenge: string, passkey: object, headers = person.headers) =>
    person.client.call('POST', '/passkeys', { challenge, name: 'Key', passkey }, headers)
  const { challenge, options } = await begin()
  for (const changes of [
    { isVerified: false },
    { origin: 'https://evil.example' },
    { rpId: 'evil' },
  ])
    expect((await keep(challenge, device.make(options, changes))).body.type).toBe('PASSKEY_REFUSED')
  const other = await aPerson()
  const foreign = await keep(challenge, device.make(options), other.headers)
  expect(foreign.body.type).toBe('SIGN_IN_EXPIRED')
  expect((await keep(challenge, device.make(options))).status).toBe(201)
})

test('somebody has twenty passkeys at most, also when two are made at once', async () => {
  const person = await aPerson()
  const device = anAuthenticator(ORIGIN)
  for (let nth = 1; nth < MAX_PASSKEYS; nth += 1)
    await setUpPasskey(person.client, person.headers, device, `Key ${nth}`)
  const begin = () => person.client.call('POST', '/passkeys/begin', undefined, person.headers)
  const begun = [await begin(), await begin()]
  const kept = await Promise.all(
    begun.map(({ body: { challenge, options } }) => {
      const form = { challenge, name: 'The last', passkey: device.make(options) }
      return person.client.call('POST', '/passkeys', form, person.headers)
    }),
  )
  // Each change of the factors ends what was begun before it.
  expect(kept.map(({ status }) => status).toSorted()).toEqual([201, 410])
  expect(await begin()).toMatchObject({ status: 409, body: { type: 'PASSKEY_LIMIT' } })
})

test('an installation at an address of numbers has no passkeys, and says so', async () => {
  const numbers = await anApp({ config: { publicUrl: 'http://192.0.2.7:8080' } })
  const there = await openHttpServer(numbers)
  try {
    const { headers } = await aSession(numbers, await aUser(numbers))
    const client = anApiClient(there, headers)
    const unavailable = { status: 409, body: { type: 'PASSKEYS_UNAVAILABLE' } }
    expect(await client.call('POST', '/passkeys/begin')).toMatchObject(unavailable)
    expect(await client.call('POST', '/auth/passkey/begin')).toMatchObject(unavailable)
    expect((await client.call('GET', '/second-factor')).body.passkeysWork).toBe(false)
  } finally {
    await there.close()
    await numbers.close()
  }
})

test('passkeys are renamed and deleted by their owner; with the last factor everything of it goes', async () => {
  const person = await aPerson()
  const device = anAuthenticator(ORIGIN)
  const { passkey } = await setUpPasskey(person.client, person.headers, device)
  const { secret } = await setUpTotp(app, person.client, person.headers)
  expect(secret).not.toBe('')
  const stranger = await aPerson()
  const path = `/passkeys/${passkey._id}`
  const rename = (headers: Record<string, string>) =>
    person.client.call('PATCH', path, { name: 'Blue key' }, headers)
  expect((await rename(stranger.headers)).status).toBe(404)
  expect((await person.client.call('DELETE', path, undefined, stranger.headers)).status).toBe(404)
  expect((await rename(person.headers)).status).toBe(200)
  const read = async () =>
    (await person.client.call('GET', '/second-factor', undefined, person.headers)).body
  expect((await read()).passkeys).toMatchObject([{ name: 'Blue key' }])
  await person.client.call('DELETE', path, undefined, person.headers)
  expect(await read()).toMatchObject({ passkeys: [], recoveryCodesLeft: 10 })
  await person.client.call('DELETE', '/second-factor/totp', undefined, person.headers)
  expect(await read()).toMatchObject({ totpSince: null, recoveryCodesLeft: 0 })
  expect((await logIn(anApiClient(server), person.email)).status).toBe(200)
})

test('changing a factor needs a recent sign-in: the password without a factor, else the factor', async () => {
  const { client, headers, email } = await aPerson()
  app.clock.advance({ minutes: 16 })
  const { body: renewed } = await client.call('POST', '/auth/refresh')
  expect(renewed.user.email).toBe(email)
  const later = bearer(renewed)
  expect(headers).not.toEqual(later)
  const begin = () => client.call('POST', '/second-factor/totp/begin', undefined, later)
  expect(await begin()).toMatchObject({ status: 403, body: { type: 'STEP_UP_REQUIRED' } })
  const how = await client.call('POST', '/auth/step-up/begin', undefined, later)
  expect(how.body.methods).toEqual(['password'])
  const confirm = (body: object) => client.call('POST', '/auth/step-up', body, later)
  expect((await confirm({ password: 'Engine-No-2!' })).status).toBe(422)
  expect((await confirm({ password: PASSWORD })).status).toBe(200)
  const { secret } = await setUpTotp(app, client, later)
  app.clock.advance({ minutes: 16 })
  const third = bearer((await client.call('POST', '/auth/refresh')).body)
  const remove = () => client.call('DELETE', '/second-factor/totp', undefined, third)
  expect((await remove()).body.type).toBe('STEP_UP_REQUIRED')
  const byPassword = await client.call('POST', '/auth/step-up', { password: PASSWORD }, third)
  expect(byPassword.status).toBe(422)
  const code = codeOf(app, secret)
  expect((await client.call('POST', '/auth/step-up', { code }, third)).status).toBe(200)
  expect((await remove()).status).toBe(200)
})

test('somebody whose account has just ended begins nothing, and is told that they are signed out', async () => {
  const gone = { _id: newId(), email: 'gone@example.org', firstName: 'Ada', sessionId: newId() }
  await expect(beginPasskeyFor(app, gone)).rejects.toMatchObject({ type: 'NO_AUTH_TOKEN' })
})

test('a session begins so many confirmations, and no more', async () => {
  const { client, headers, id } = await aPerson()
  const begin = (path: string) => client.call('POST', path, undefined, headers)
  expect((await begin('/auth/step-up/begin')).status).toBe(200)
  const key = `challenges-begun:${id}`
  await app.db.updateTable('throttles').set({ count: 200 }).where('key', '=', key).execute()
  for (const path of ['/auth/step-up/begin', '/passkeys/begin'])
    expect((await begin(path)).body.type, path).toBe('TOO_MANY_REQUESTS')
})
