/**
 * Somebody who knows the password guesses the second factor: codes of the app, recovery codes and forged passkeys, from a network of
 * their own each time, in unknown browsers and in one of the person. At most 100 codes are checked in an hour, none lets in, and
 * somebody else signs in meanwhile. GUESSES chooses how many; `npm run soak -- guesses` makes 20,000, and more of them come faster.
 */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHttpServer } from '#server/http/http-server.ts'
import { type ApiAnswer, type ApiClient, anApiClient } from '../api-client.ts'
import { anApp, type TestApp } from '../app.ts'
import { aUser, aWorkspace } from '../builders.ts'
import { type Authenticator, anAuthenticator } from '../people/authenticator.ts'
import { codeOf, setUpPasskey, setUpTotp } from '../people/factors.ts'
import { quickHash } from '../people/quick-hash.ts'

const GUESSES = Number(process.env.GUESSES ?? 900)
const PER_HOUR = Math.max(300, Math.ceil(GUESSES / 400))
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

const aPerson = async () => {
  const { email } = await aUser(app, { passwordHash: quickHash(PASSWORD) }).then(async (user) => {
    await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    return user
  })
  const own = anApiClient(server)
  const { body } = await own.call('POST', '/auth/login', { email, password: PASSWORD })
  const headers = { authorization: `Bearer ${body.token}` }
  const { secret } = await setUpTotp(app, own, headers)
  const device = anAuthenticator('http://localhost:8080')
  await setUpPasskey(own, headers, device)
  app.clock.advance({ minutes: 1 })
  return { email, secret, device, own }
}

/** After the right password. */
const asked = async (email: string, client: ApiClient) => {
  const { status, body } = await client.call('POST', '/auth/login', { email, password: PASSWORD })
  expect([status, body.type]).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
  return { client, challenge: body.data.challenge, passkey: body.data.passkey }
}
type Asked = Awaited<ReturnType<typeof asked>>

const answer = ({ client, challenge }: Asked, proof: object, headers = {}) =>
  client.call('POST', '/auth/second-factor', { challenge, ...proof }, headers)

/** A million of them, but for those that are right about now. */
const wrongCodes = (secret: string) => {
  const right = [-30_000, 0, 30_000].map((ms) =>
    codeOf({ clock: { now: () => new Date(app.clock.now().getTime() + ms) } }, secret),
  )
  return (nth: number) => {
    const code = String((nth * 7_919) % 1_000_000).padStart(6, '0')
    return right.includes(code) ? '000001' : code
  }
}

const guessOf = (nth: number, at: Asked, code: string, device: Authenticator) => {
  if (nth % 9 === 0) return { passkey: device.answer(at.passkey, { isForged: true }) }
  if (nth % 3 === 0) return { recoveryCode: String(nth).padStart(16, '0') }
  return { code }
}

type Count = { checked: number; forged: number; refused: number; others: ApiAnswer[] }

const anHourOf = async (guesses: number, from: number, who: Person): Promise<Count> => {
  const count: Count = { checked: 0, forged: 0, refused: 0, others: [] }
  const at = [await asked(who.email, anApiClient(server)), await asked(who.email, who.own)]
  const codeAt = wrongCodes(who.secret)
  const numbers = Array.from({ length: guesses }, (_, n) => from + n)
  const work = async () => {
    for (let nth = numbers.shift(); nth !== undefined; nth = numbers.shift()) {
      const place = at[nth % 2] as Asked
      const network = `10.${(nth >> 16) % 256}.${(nth >> 8) % 256}.${nth % 256}`
      const proof = guessOf(nth, place, codeAt(nth), who.device)
      const { status, body } = await answer(place, proof, { 'x-forwarded-for': network })
      if (status === 422) count.checked += 1
      else if (body.type === 'PASSKEY_REFUSED') count.forged += 1
      else if (status === 429) count.refused += 1
      else count.others.push(body)
    }
  }
  // As many at once as find a limit that is read before it is counted.
  await Promise.all(Array.from({ length: 12 }, work))
  return count
}
type Person = Awaited<ReturnType<typeof aPerson>>

test(
  `of ${GUESSES} guesses at a second factor at most 100 an hour are checked, and none lets in`,
  async () => {
    const [who, other] = [await aPerson(), await aPerson()]
    const hours: Count[] = []
    for (let from = 0; from < GUESSES; from += PER_HOUR) {
      hours.push(await anHourOf(Math.min(PER_HOUR, GUESSES - from), from, who))
      const place = await asked(other.email, anApiClient(server))
      const started = await answer(place, { code: codeOf(app, other.secret) })
      expect(started.status, JSON.stringify(started.body)).toBe(200)
      app.clock.advance({ minutes: 61 })
    }
    expect(hours.flatMap(({ others }) => others)).toEqual([])
    expect(Math.max(...hours.map(({ checked }) => checked))).toBe(100)
    const sum = (of: 'checked' | 'forged' | 'refused') =>
      hours.reduce((all, hour) => all + hour[of], 0)
    if (GUESSES > 900)
      console.log(
        `${hours.length} hours: ${sum('checked')} codes checked, ${sum('refused')} refused unseen, ${sum('forged')} forged passkeys refused`,
      )
    expect(sum('forged')).toBeGreaterThan(0)
    expect(sum('refused')).toBeGreaterThan(0)
    // Its owner comes in an hour later.
    const place = await asked(who.email, who.own)
    expect((await answer(place, { code: codeOf(app, who.secret) })).status).toBe(200)
  },
  GUESSES * 10 + 120_000,
)
