/** How many access links can be mailed: a whole company in one go, and no strangers for nothing. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { type ApiClient, anApiClient, mailsTo } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  type Domain,
  type Mailbox,
  type User,
} from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

let user: User
let domain: Domain
let admin: ApiClient
beforeEach(async () => {
  user = await aUser(app)
  const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  admin = anApiClient(server, (await aSession(app, user)).headers)
})

const mailboxes = (status: Mailbox['status'], count: number) =>
  Promise.all(Array.from({ length: count }, () => aMailbox(app, { domain, status })))
/** `count` links have been mailed today. */
const mailed = (count: number) =>
  spendThrottle(app, `access-links-by:${user.id}`, { limit: 1000, windowSeconds: 86_400 }, count)
const mail = async (to: readonly Mailbox[], addressOf = (at: number) => `p${at}.${to[at]?.id}`) => {
  const links = to.map(({ id }, at) => ({ mailboxId: id, email: `${addressOf(at)}@home.example` }))
  const { body } = await admin.call('POST', '/mailboxes/access-links', { links })
  return body.items.map(
    ({ refusal, retryAt }: { refusal: string | null; retryAt: string | null }) =>
      refusal === null ? 'mailed' : `${refusal} until ${retryAt}`,
  )
}
const room = async () => (await admin.call('GET', '/mailboxes/access-links')).body

test('each mailbox that was paid for makes room for one more link, and the others do not', async () => {
  expect(await room()).toEqual({ left: 100, moreAt: null })
  const paid = await mailboxes('active', 3)
  const unpaid = await mailboxes('inactive', 2)
  expect(await room()).toEqual({ left: 103, moreAt: null })
  await mailed(100)
  const moreAt = new Date(app.clock.now().getTime() + 86_400_000).toISOString()
  expect(await room()).toEqual({ left: 3, moreAt })
  const refused = `No more of these links can be mailed today until ${moreAt}`
  expect(await mail([...paid, ...unpaid])).toEqual([
    ...['mailed', 'mailed', 'mailed', refused, refused],
  ])
  expect(await room()).toEqual({ left: 0, moreAt })
  app.clock.advance({ days: 1, seconds: 1 })
  admin = anApiClient(server, (await aSession(app, user)).headers)
  expect(await mail(unpaid)).toEqual(['mailed', 'mailed'])
})

test('without billing the number of mailboxes counts when the workspace is three days old', async () => {
  app.config.billing = 'off'
  await mailboxes('active', 3)
  expect((await room()).left).toBe(100)
  app.clock.advance({ days: 3, seconds: 1 })
  admin = anApiClient(server, (await aSession(app, user)).headers)
  expect((await room()).left).toBe(103)
  app.config.billing = 'invoice'
})

test('a link that is refused uses up no room of its address, and an address that has enough says so', async () => {
  const paid = await mailboxes('active', 7)
  const address = `one-person-${user.id}`
  await mailed(107)
  for (let round = 0; round < 6; round++)
    expect((await mail(paid.slice(0, 1), () => address))[0]).toContain('today until')
  app.clock.advance({ days: 1, seconds: 1 })
  admin = anApiClient(server, (await aSession(app, user)).headers)
  const answers = await mail(paid, () => address)
  expect(answers.slice(0, 5)).toEqual(Array(5).fill('mailed'))
  expect(answers[5]).toContain('Enough links were mailed to this address within an hour until ')
  expect(await mailsTo(app, `${address}@home.example`)).toBe(5)
})
