/** Every way in x every kind of second factor: none gets around it (decision 116). */
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { firstLink } from '#server/features/operating/first-operator.ts'
import { insertOperatorLink } from '#server/features/operators/operator-queries.ts'
import { makeAppPassword } from '#server/features/programs/app-passwords.ts'
import { newId } from '#server/lib/ids.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import { type OpenImap, openImap } from '#server/mail/imap/listener.ts'
import {
  type ApiAnswer,
  type ApiClient,
  anApiClient,
  aSignUp,
  mailedToken,
  mailsTo,
} from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  type Mailbox,
  type User,
} from '#test-world/builders.ts'
import { ImapClient } from '#test-world/imap/imap-client.ts'
import { anOpenidProvider, type OpenidProvider } from '#test-world/openid-provider.ts'
import { anAuthenticator } from '#test-world/people/authenticator.ts'
import { setUpPasskey, setUpTotp } from '#test-world/people/factors.ts'
import {
  acceptBody,
  accessTokenFrom,
  aHolder,
  HOLDERS_PASSWORD,
} from '#test-world/people/holders.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { aSession } from '#test-world/session.ts'
import {
  aSubmissionWorld,
  plainOf,
  type SubmissionWorld,
} from '#test-world/smtp/submission-world.ts'
import { openHttpServer } from '../http-server.ts'
import { declaredRoutes } from './declared-routes.ts'

const PASSWORD = HOLDERS_PASSWORD
const NEW_PASSWORD = 'Day-Train-8!'

let google: OpenidProvider
let app: TestApp
let server: FastifyInstance
let imap: OpenImap
let submission: SubmissionWorld
beforeAll(async () => {
  google = await anOpenidProvider({ redirectUri: 'http://localhost:8080/google-login' })
  app = await anApp({ config: { google: google.settings } })
  server = await openHttpServer(app)
  imap = await openImap(app)
  submission = await aSubmissionWorld(app)
})
afterAll(async () => {
  await submission.close()
  await imap.close()
  await server.close()
  await app.close()
  await google.close()
})
afterEach(() => void app.clock.advance({ hours: 2 }))

type Person = {
  user: User
  /** The browser that the factor was set up in; it is not trusted. */
  client: ApiClient
  headers: Record<string, string>
  /** Of a holder. */
  mailbox?: Mailbox
  admin?: ApiClient
}
/** `refused`: whoever asks, there is no session behind this door. */
type Verdict = 'in' | 'asked' | 'refused'

const visitor = () => anApiClient(server)

const kinds = {
  'no factor': [],
  'an authenticator app': ['totp'],
  'a passkey': ['passkey'],
  'an authenticator app and a passkey': ['totp', 'passkey'],
} as const
type Kind = keyof typeof kinds

const signedIn = async (user: User, kind: Kind): Promise<Person> => {
  const client = visitor()
  const login = await client.call('POST', '/auth/login', { email: user.email, password: PASSWORD })
  const headers = { authorization: `Bearer ${login.body.token}` }
  for (const factor of kinds[kind])
    if (factor === 'totp') await setUpTotp(app, client, headers)
    else await setUpPasskey(client, headers, anAuthenticator('http://localhost:8080'))
  return { user, client, headers }
}

const aMember = async (kind: Kind): Promise<Person> => {
  const user = await aUser(app, { passwordHash: quickHash(PASSWORD) })
  await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  return signedIn(user, kind)
}

const aHolderWith = async (kind: Kind): Promise<Person> => {
  const admin = await aUser(app)
  const workspace = await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(app, { domain })
  const person = await signedIn(await aHolder(app, mailbox), kind)
  const adminClient = anApiClient(server, (await aSession(app, admin)).headers)
  return { ...person, mailbox, admin: adminClient }
}

/** What a door answered, and that an answer without a session opens nothing else either. */
const verdictOf = async (client: ApiClient, { status, body }: ApiAnswer): Promise<Verdict> => {
  const token = body.token ?? body.session?.token
  if (token !== undefined) {
    const authorization = `Bearer ${token}`
    const me = await client.call('GET', '/auth/verify-access', undefined, { authorization })
    expect(me.status).toBe(200)
    return 'in'
  }
  expect((await client.call('POST', '/auth/refresh')).body.type).toBe('REFRESH')
  const isAsked = status === 403 && body.type === 'SECOND_FACTOR_REQUIRED'
  if (!isAsked) return 'refused'
  const { challenge } = body.data
  const guess = { authorization: `Bearer ${challenge}` }
  expect((await client.call('GET', '/auth/verify-access', undefined, guess)).status).toBe(401)
  const none = await client.call('POST', '/auth/second-factor', { challenge })
  expect(none.status).toBe(422)
  return 'asked'
}

const logIn = async (email: string, password: string, client = visitor()): Promise<Verdict> =>
  verdictOf(client, await client.call('POST', '/auth/login', { email, password }))

const reset = async ({ user: { email } }: Person): Promise<Verdict> => {
  await visitor().call('POST', '/auth/forgot-password', { email })
  const client = visitor()
  const form = { password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }
  const session = await mailedToken(app, email, 'create-new-password')
  const set = await client.call('POST', '/auth/set-new-password', { ...form, session })
  expect(set).toMatchObject({ status: 200 })
  expect(await verdictOf(client, set)).toBe('refused')
  return logIn(email, NEW_PASSWORD)
}

const openChangedEmail = async ({ user, client, headers }: Person): Promise<Verdict> => {
  const email = `new-${newId().slice(-12)}@example.org`
  const change = await client.call('PATCH', '/profile', { email, password: PASSWORD }, headers)
  expect(change.status).toBe(200)
  const session = await mailedToken(app, email, 'verify-email')
  client.cookies.delete('mailstead_refresh')
  const opened = await client.call('POST', '/auth/verify-email', { session })
  expect(opened.status).toBe(200)
  expect(user.email).not.toBe(email)
  return verdictOf(client, opened)
}

const openSignUpLink = async ({ user: { email } }: Person): Promise<Verdict> => {
  const client = visitor()
  const taken = await client.call('POST', '/auth/register', aSignUp(email))
  expect(taken.body.type).toBe('USER_ALREADY_EXISTS')
  return verdictOf(client, taken)
}

const byGoogle = async ({ user: { email, id } }: Person): Promise<Verdict> => {
  google.person = { sub: id, email, email_verified: true, given_name: 'Ada', family_name: 'L' }
  const client = visitor()
  const { body } = await client.call('GET', '/oauth/google')
  const back = await google.signIn(body.url)
  return verdictOf(client, await client.call('GET', `/oauth/google/callback${back.search}`))
}

const byInvitation = async ({ user: { email } }: Person): Promise<Verdict> => {
  const admin = await aUser(app)
  await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
  const inviter = anApiClient(server, (await aSession(app, admin)).headers)
  await inviter.call('POST', '/invitations', { email, role: 'Editor' })
  const session = await mailedToken(app, email, 'invitation')
  const client = visitor()
  const join = await client.call('POST', '/invitations/join', { session })
  expect(join.status).toBe(401)
  const { email: _, ...form } = aSignUp('')
  return verdictOf(client, await client.call('POST', '/invitations/sign-up', { ...form, session }))
}

const byOperatorLink = async ({ user: { email } }: Person): Promise<Verdict> => {
  expect(await firstLink(app)).toBe(null)
  const session = randomToken()
  const expiresAt = new Date(app.clock.now().getTime() + 60_000)
  await insertOperatorLink(app.db, { tokenHash: hashToken(session), expiresAt }, app.clock.now())
  const { termsAccepted: _, ...form } = aSignUp(email)
  const client = visitor()
  return verdictOf(client, await client.call('POST', '/operator/first', { ...form, session }))
}

const byAccessLink = async ({ admin, mailbox }: Person): Promise<Verdict> => {
  if (!admin || !mailbox) throw new Error('this person has no mailbox')
  const client = visitor()
  const token = await accessTokenFrom(admin, mailbox.id)
  const accepted = await client.call('POST', '/access/accept', acceptBody(token, NEW_PASSWORD))
  const verdict = await verdictOf(client, accepted)
  // The new password asks for the same.
  expect(await logIn(mailbox.email, NEW_PASSWORD)).toBe(verdict)
  return verdict
}

const refreshed = async ({ user: { email } }: Person): Promise<Verdict> => {
  const client = visitor()
  await client.call('POST', '/auth/login', { email, password: 'Wrong-Train-9!' })
  return verdictOf(client, await client.call('POST', '/auth/refresh'))
}

const foreignPasskey = async ({ user: { email } }: Person): Promise<Verdict> => {
  const other = await aMember('no factor')
  const device = anAuthenticator('http://localhost:8080')
  await setUpPasskey(other.client, other.headers, device)
  const client = visitor()
  const asked = await client.call('POST', '/auth/login', { email, password: PASSWORD })
  const { challenge, passkey: options } = asked.body.data ?? {}
  if (!options) return verdictOf(client, asked)
  const passkey = device.answer(options)
  return verdictOf(client, await client.call('POST', '/auth/second-factor', { challenge, passkey }))
}

const byPasskeyOfNobody = async (): Promise<Verdict> => {
  const client = visitor()
  const device = anAuthenticator('http://localhost:8080')
  const { body } = await client.call('POST', '/auth/passkey/begin')
  device.make({ ...body.options, user: { id: 'x' }, rp: { id: 'localhost' } })
  const form = { challenge: body.challenge, passkey: device.answer(body.options) }
  return verdictOf(client, await client.call('POST', '/auth/passkey', form))
}

const memberWays: Record<
  string,
  { door: string; act: (person: Person) => Promise<Verdict>; without: Verdict; withFactor: Verdict }
> = {
  'the password': {
    door: '/auth/login',
    act: ({ user }) => logIn(user.email, PASSWORD),
    without: 'in',
    withFactor: 'asked',
  },
  'the password, in the browser of another session': {
    door: '/auth/login',
    act: ({ user, client }) => {
      client.cookies.delete('mailstead_refresh')
      return logIn(user.email, PASSWORD, client)
    },
    ...{ without: 'in', withFactor: 'asked' },
  },
  'a reset link, then the new password': {
    door: '/auth/login',
    act: reset,
    without: 'in',
    withFactor: 'asked',
  },
  'the link of a changed e-mail': {
    door: '/auth/verify-email',
    act: openChangedEmail,
    without: 'in',
    withFactor: 'refused',
  },
  'signing up once more': {
    door: '/auth/register',
    act: openSignUpLink,
    without: 'refused',
    withFactor: 'refused',
  },
  Google: { door: '/oauth/google/callback', act: byGoogle, without: 'in', withFactor: 'asked' },
  'an invitation': {
    door: '/invitations/sign-up',
    act: byInvitation,
    without: 'refused',
    withFactor: 'refused',
  },
  'a link of the first operator': {
    door: '/operator/first',
    act: byOperatorLink,
    without: 'refused',
    withFactor: 'refused',
  },
  'a refresh without a session': {
    door: '/auth/refresh',
    act: refreshed,
    without: 'refused',
    withFactor: 'refused',
  },
  'the passkey of somebody else': {
    door: '/auth/second-factor',
    act: foreignPasskey,
    without: 'in',
    withFactor: 'asked',
  },
  'a passkey that nobody has': {
    door: '/auth/passkey',
    act: byPasskeyOfNobody,
    without: 'refused',
    withFactor: 'refused',
  },
}

const kindNames = Object.keys(kinds) as Kind[]

describe.each(kindNames)('somebody with %s', (kind) => {
  const hasFactor = kind !== 'no factor'
  test.each(Object.entries(memberWays))(
    'comes in by %s',
    async (name, { act, without, withFactor }) => {
      const person = await aMember(kind)
      const verdict = await act(person)
      const isForeign = name === 'the passkey of somebody else' && kind.includes('passkey')
      expect(verdict).toBe(isForeign ? 'refused' : hasFactor ? withFactor : without)
    },
  )

  test('comes in as a holder by the password and by an access link', async () => {
    const person = await aHolderWith(kind)
    expect(await logIn(person.user.email, PASSWORD)).toBe(hasFactor ? 'asked' : 'in')
    expect(await byAccessLink(person)).toBe(hasFactor ? 'asked' : 'in')
  })

  test('reads and sends with a mail program by the own password only without a factor', async () => {
    const { user, mailbox } = await aHolderWith(kind)
    const { email } = user
    const who = { userId: user.id, sessionId: newId(), workspaceId: mailbox?.workspaceId ?? '' }
    const holder = { ...who, role: 'Holder', ip: '127.0.0.1' } as const
    const form = { name: 'Phone', scopes: ['imap' as const, 'smtp' as const] }
    const made = await makeAppPassword(app, holder, mailbox?.id ?? '', form)
    const before = await mailsTo(app, email)
    const imapSays = async (password: string) => {
      const client = await ImapClient.connect(imap.imaps)
      await client.until('* OK')
      const { ending } = await client.run(`LOGIN ${email} "${password}"`)
      client.close()
      return ending
    }
    const submissionSays = async (password: string) => {
      const client = await submission.connect()
      return client.say(plainOf(email, password))
    }
    const refused = /app password/
    for (const _time of [1, 2]) {
      expect(await imapSays(PASSWORD)).toMatch(hasFactor ? refused : /^OK /)
      expect(await submissionSays(PASSWORD)).toMatch(hasFactor ? /^535 .*app password/ : /^235 /)
    }
    expect(await mailsTo(app, email)).toBe(before + (hasFactor ? 1 : 0))
    expect(await imapSays(made.password)).toMatch(/^OK /)
    expect(await submissionSays(made.password)).toMatch(/^235 /)
  })
})

test('a mail program that is signed in by the own password is sent away when a factor is set up', async () => {
  const { user, client, headers } = await aHolderWith('no factor')
  const program = await ImapClient.connect(imap.imaps)
  await program.until('* OK')
  await program.ok(`LOGIN ${user.email} "${PASSWORD}"`)
  await setUpTotp(app, client, headers)
  expect((await program.until('* BYE')).at(-1)).toMatch(/^\* BYE/)
  program.close()
})

test('the table has every door that the contract declares', async () => {
  const startsSession = (output: z.ZodType) =>
    JSON.stringify(z.toJSONSchema(output, { unrepresentable: 'any' })).includes('tokenExpiresIn')
  const doors = (await declaredRoutes())
    .filter(({ access, output }) => access === 'anyone' && startsSession(output))
    .map(({ path }) => path)
  const tried = new Set(['/access/accept', ...Object.values(memberWays).map(({ door }) => door)])
  expect(doors.filter((path) => !tried.has(path))).toEqual([])
  expect(doors.length).toBeGreaterThan(7)
})
