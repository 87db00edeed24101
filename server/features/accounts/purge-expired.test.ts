import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser } from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { purgeExpired } from './purge-expired.ts'
import { signUp } from './sign-up.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const tables = [
  'users',
  'sessions',
  'mailLinks',
  'throttles',
  'oauthStarts',
  'knownDevices',
] as const
const counts = async () => {
  const all: Record<string, number> = {}
  for (const table of tables)
    all[table] = (await app.db.selectFrom(table).selectAll().execute()).length
  return all
}
const aForm = (email: string) => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email,
  password: 'Engine-No-1!',
  confirmPassword: 'Engine-No-1!',
  termsAccepted: true as const,
})

test('what ran out goes in its time, and what is alive stays', async () => {
  const user = await aUser(app)
  await aSession(app, user)
  await signUp(app, aForm('never-verified@example.org'), {
    ...{ ip: '192.0.2.1', token: 'of a browser' },
  })
  await app.db
    .insertInto('oauthStarts')
    .values({
      stateHash: Buffer.alloc(32),
      browserHash: Buffer.alloc(32),
      nonce: 'n',
      codeVerifier: 'v',
      expiresAt: app.clock.now(),
    })
    .execute()
  const all = { users: 2, sessions: 1, mailLinks: 1, throttles: 1, oauthStarts: 1, knownDevices: 1 }
  expect(await counts()).toEqual(all)

  await purgeExpired(app)
  expect(await counts()).toEqual(all)
  app.clock.advance({ days: 1 })
  await purgeExpired(app)
  expect(await counts()).toEqual({ ...all, throttles: 0, oauthStarts: 0 })
  // The session runs out after 30 days and is remembered as such for 30 more.
  app.clock.advance({ days: 30 })
  await purgeExpired(app)
  expect(await counts()).toMatchObject({ users: 1, sessions: 1, mailLinks: 0 })
  app.clock.advance({ days: 30 })
  await purgeExpired(app)
  expect(await counts()).toMatchObject({ users: 1, sessions: 0, knownDevices: 1 })
})
