/** The log has a line for each right that changes, with who did it, and none for what was rolled back. */
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { afterCommit, inTransaction } from '#server/storage/after-commit.ts'
import { type ApiClient, anApiClient, mailedToken } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, type User } from '#test-world/builders.ts'
import { acceptBody, accessTokenFrom } from '#test-world/people/holders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let admin: User
let colleague: User
let workspaceId: string
let ada: ApiClient
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})
beforeEach(async () => {
  app.clock.advance({ minutes: 2 })
  admin = await aUser(app)
  colleague = await aUser(app)
  const members = [admin, colleague].map((user) => ({ user, role: 'Admin' as const }))
  workspaceId = (await aWorkspace(app, { members })).id
  ada = await signedInAs(admin)
})

const signedInAs = async (user: User): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)

const rightsDuring = async (act: () => Promise<unknown>) => {
  const before = app.logged('right-changed').length
  await act()
  return app
    .logged('right-changed')
    .slice(before)
    .map(({ level: _level, event: _event, ...right }) => right)
}

const ok = async (client: ApiClient, ...call: Parameters<ApiClient['call']>) => {
  const { status, body } = await client.call(...call)
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

const anInvitation = (email: string, by = ada) =>
  ok(by, 'POST', '/invitations', { email, role: 'Editor' })
const aDnsLink = (domainId: string, by = ada) =>
  ok(by, 'POST', `/domains/${domainId}/dns-links`, { days: 7 })

test('invitations: made, declined, revoked, and joined', async () => {
  const email = `grace-${workspaceId.slice(-6)}@example.org`
  const by = admin.id
  const line = { workspaceId, what: 'invitation', objectId: expect.any(String), whose: email }
  const declined = await rightsDuring(async () => {
    await anInvitation(email)
    const session = await mailedToken(app, email, 'invitation')
    await ok(anApiClient(server), 'POST', '/invitations/decline', { session })
  })
  expect(declined).toEqual([
    { ...line, change: 'invited as Editor', by },
    { ...line, change: 'declined', by: email },
  ])
  app.clock.advance({ minutes: 2 })
  const revoked = await rightsDuring(async () => {
    const { _id } = await anInvitation(email)
    await ok(ada, 'DELETE', `/invitations/${_id}`)
  })
  expect(revoked[1]).toEqual({ ...line, change: 'revoked', by })
})

test('links to the records of a domain, and the move of one', async () => {
  const domain = await aDomain(app, { workspaceId })
  const line = { workspaceId, what: 'dns-link', objectId: expect.any(String), by: admin.id }
  const lines = await rightsDuring(async () => {
    const { _id } = await aDnsLink(domain.id)
    await ok(ada, 'POST', `/dns-links/${_id}/mail`, { email: 'dns@elsewhere.example' })
    await ok(ada, 'DELETE', `/dns-links/${_id}`)
  })
  expect(lines).toEqual([
    { ...line, change: 'link-made', whose: '' },
    { ...line, change: 'link-mailed', whose: 'dns@elsewhere.example' },
    { ...line, change: 'revoked', whose: '' },
  ])
  const other = await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
  const move = () => ok(ada, 'POST', `/domains/${domain.id}/move`, { workspaceId: other.id })
  expect(await rightsDuring(move)).toEqual([
    { ...line, what: 'domain', objectId: domain.id, change: `moved to ${other.id}`, whose: '' },
  ])
})

test('a mailbox and its link', async () => {
  const domain = await aDomain(app, { workspaceId })
  const mailbox = await aMailbox(app, { domain })
  const lines = await rightsDuring(async () => {
    const session = await accessTokenFrom(ada, mailbox.id)
    await ok(anApiClient(server), 'POST', '/access/accept', acceptBody(session))
  })
  expect(lines).toMatchObject([
    { workspaceId, what: 'mailbox', objectId: mailbox.id, change: 'link-made' },
    { workspaceId, what: 'mailbox', objectId: mailbox.id, change: 'accepted' },
  ])
})

test('a role that goes takes the ways in along, and each has its line', async () => {
  const domain = await aDomain(app, { workspaceId })
  const mailbox = await aMailbox(app, { domain })
  const bob = await signedInAs(colleague)
  const email = `mary-${workspaceId.slice(-6)}@example.org`
  const { _id: invitation } = await anInvitation(email, bob)
  const { _id: dnsLink } = await aDnsLink(domain.id, bob)
  await accessTokenFrom(bob, mailbox.id)
  await ok(bob, 'POST', `/mailboxes/${mailbox.id}/readers/me`, { reason: 'Vacation' })
  const lines = await rightsDuring(() => ok(ada, 'DELETE', `/members/${colleague.id}`))
  const line = { workspaceId, by: admin.id, whose: colleague.id }
  expect(lines).toEqual([
    { ...line, what: 'member', objectId: colleague.id, change: 'removed' },
    { ...line, what: 'invitation', objectId: invitation, change: 'revoked', whose: email },
    { ...line, what: 'dns-link', objectId: dnsLink, change: 'revoked' },
    { ...line, what: 'mailbox', objectId: mailbox.id, change: 'link-withdrawn' },
    { ...line, what: 'mailbox', objectId: mailbox.id, change: 'taken-back' },
  ])
})

test('what is rolled back has no line, and a transaction that nobody follows says so', async () => {
  const said: string[] = []
  const broken = inTransaction(app, async (tx) => {
    afterCommit(tx, () => said.push('rolled back'))
    throw new Error('no')
  })
  await expect(broken).rejects.toThrow('no')
  await inTransaction(app, async (tx) => {
    afterCommit(tx, () => said.push('committed'))
    expect(said).toEqual([])
  })
  expect(said).toEqual(['committed'])
  const alone = app.db.transaction().execute(async (tx) => afterCommit(tx, () => {}))
  await expect(alone).rejects.toThrow('nobody hears')
})

test('what fails after a commit is logged, and neither the answer nor the next callback is lost', async () => {
  const said: string[] = []
  const log = { error: ({ err }: { err: Error }) => void said.push(err.message) }
  const answer = await inTransaction(
    { db: app.db, log: log as Pick<Logger, 'error'> },
    async (tx) => {
      afterCommit(tx, () => {
        throw new Error('at once')
      })
      afterCommit(tx, () => Promise.reject(new Error('later')))
      afterCommit(tx, () => said.push('third'))
      return 'done'
    },
  )
  expect([answer, ...said]).toEqual(['done', 'at once', 'later', 'third'])
})
