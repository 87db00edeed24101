/**
 * The audit log: every route that changes something of a workspace is called, and its line is looked for. A new one turns this red
 * until it is called here, too.
 */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuditEntry, auditTopicOf } from '#contract/workspace/audit-log.ts'
import { kindsIn } from '#server/features/audit-names/name-objects.ts'
import { nameFinders } from '#server/features/audit-names/names-store.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  type Domain,
  letRead,
  type Mailbox,
  type User,
  type Workspace,
} from '#test-world/builders.ts'
import { setUpTotp } from '#test-world/people/factors.ts'
import { aHolder, HOLDERS_PASSWORD } from '#test-world/people/holders.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'
import { declaredRoutes } from './declared-routes.ts'
import { goodBodies } from './good-bodies.ts'

const routes = await declaredRoutes()
const recorded = routes.filter((route) => auditTopicOf(route) !== null)

let app: TestApp
let server: FastifyInstance
let user: User
let mary: User
let workspace: Workspace
let second: Workspace
let domain: Domain
let box: Mailbox
let ada: ApiClient
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  user = await aUser(app, { passwordHash: quickHash(HOLDERS_PASSWORD), email: 'a.byron@x.example' })
  mary = await aUser(app, { email: 'mary@x.example' })
  const members = [
    { user, role: 'Admin' as const },
    { user: mary, role: 'User' as const },
  ]
  workspace = await aWorkspace(app, { name: 'Engines', members })
  second = await aWorkspace(app, { name: 'Second', members: members.slice(0, 1) })
  domain = await aDomain(app, { workspaceId: workspace.id, name: 'ours.example', active: true })
  box = await aMailbox(app, { domain, localPart: 'a.lovelace' })
  await letRead(app, box, user.id)
})
const headersIn = async ({ id }: Workspace) => {
  const { headers } = await aSession(app, user)
  return { ...headers, 'x-workspace-id': id, 'user-agent': FIREFOX }
}
beforeEach(async () => {
  ada = anApiClient(server, await headersIn(workspace))
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const log = async (query = '', client = ada): Promise<AuditEntry[]> => {
  const { status, body } = await client.call('GET', `/audit-log?limit=200${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items
}

const called = new Set<string>()

/** Calls a route, and returns its answer and the one line that it left. */
const change = async (
  name: string,
  params: Record<string, string> = {},
  given?: Record<string, unknown>,
) => {
  const route = routes.find((each) => each.name === name)
  if (route === undefined) throw new Error(`there is no route ${name}`)
  app.clock.advance({ seconds: 31 })
  const known = new Set((await log()).map(({ _id }) => _id))
  const body = route.body && { ...goodBodies[`${route.method} ${route.path}`], ...given }
  const path = route.path.replace(/\{(\w+)\}/g, (_all, param: string) => params[param] ?? '')
  const answer = await ada.call(route.method, path, body)
  expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  const lines = (await log()).filter(({ _id }) => !known.has(_id))
  expect(lines, name).toHaveLength(1)
  const [line] = lines as [AuditEntry]
  expect(line).toMatchObject({
    ...{ action: name, topic: auditTopicOf(route), isDone: true },
    ...{ email: user.email, by: 'Firefox on Linux', ip: '127.0.0.1' },
  })
  expect(JSON.stringify(line)).not.toMatch(/Night-Train|Engine-No|token=|<p>|Back in January/)
  called.add(name)
  return { body: answer.body, line }
}

test('the names of what paths of recorded routes are about are known', () => {
  const unknown = recorded
    .flatMap((route) => kindsIn(route.path))
    .filter(({ kind }) => nameFinders[kind] === undefined)
  expect(unknown).toEqual([])
})

test('a route that anybody may call names its workspace itself, or is not recorded', () => {
  expect(recorded.filter(({ access }) => access === 'anyone').map(({ name }) => name)).toEqual([])
})

test('members and invitations', async () => {
  const { body, line } = await change('inviteMember')
  expect(line).toMatchObject({ object: 'grace@example.org', details: { role: 'Editor' } })
  await change('resendInvitation', { id: body._id })
  expect((await change('revokeInvitation', { id: body._id })).line.object).toBe('grace@example.org')
  expect((await change('changeRole', { id: mary.id })).line).toMatchObject({
    ...{ object: 'mary@x.example', what: 'Change the role of a member' },
    details: { role: 'User → Editor' },
  })
})

test('domains', async () => {
  expect((await change('addDomain')).line.object).toBe('new.example')
  const { line } = await change('addManyDomains', {}, { names: ['b.example', 'new.example'] })
  expect(line).toMatchObject({ object: 'b.example', details: { done: '1 of 2' } })
  const link = (await change('makeDnsLink', { id: domain.id })).body
  expect((await change('mailDnsLink', { id: link._id })).line.object).toBe('ours.example')
  expect((await change('revokeDnsLink', { id: link._id })).line.object).toBe('ours.example')
  await change('makeManyDnsLink', {}, { ids: [domain.id] })
  expect(
    (await change('setCatchAll', { id: domain.id }, { mailboxId: box.id })).line,
  ).toMatchObject({
    ...{ object: 'ours.example', details: { mailbox: 'a.lovelace@ours.example' } },
  })
  await change('removeCatchAll', { id: domain.id })
  const [one, other, held] = await Promise.all(
    ['one.example', 'other.example', 'held.example'].map((name) =>
      aDomain(app, { workspaceId: workspace.id, name, active: name !== 'held.example' }),
    ),
  )
  await app.db
    .insertInto('domainClaims')
    .values({
      ...{ id: newId(), domainId: held?.id ?? '', workspaceId: workspace.id },
      ...{ holderDomainId: (await aDomain(app, { name: 'held.example', active: true })).id },
      ...{
        isHolderProven: true,
        remindedAt: null,
        outcome: null,
        endedAt: null,
        startedAt: app.clock.now(),
        decidesAt: app.clock.now(),
      },
      ...{ nextLookAt: app.clock.now() },
    })
    .execute()
  expect((await change('withdrawClaim', { id: held?.id ?? '' })).line.object).toBe('held.example')
  const to = { workspaceId: second.id }
  expect((await change('moveDomain', { id: one?.id ?? '' }, to)).line).toMatchObject({
    ...{ object: 'one.example', details: { workspace: 'Second' } },
  })
  const [came] = await log('', anApiClient(server, await headersIn(second)))
  expect(came).toMatchObject({
    ...{ action: 'moveDomain', what: 'Get a domain from another workspace' },
    ...{ object: 'one.example', details: { workspace: 'Engines' }, by: 'Firefox on Linux' },
  })
  await change('moveManyDomains', {}, { ids: [other?.id ?? ''], ...to })
  const gone = await aDomain(app, { workspaceId: workspace.id, name: 'gone.example', active: true })
  await aMailbox(app, { domain: gone })
  expect((await change('deleteDomain', { id: gone.id })).line.object).toBe('gone.example')
  expect((await change('restoreDeleted', { id: gone.id })).line.object).toBe('gone.example')
  const { line: many } = await change('deleteManyDomains', {}, { ids: [gone.id] })
  expect(many).toMatchObject({ object: 'gone.example', details: { done: '1 of 1' } })
  await change('endDeleted', { id: gone.id })
})

test('mailboxes and what they do', async () => {
  expect((await change('createMailbox')).line.object).toBe('grace@ours.example')
  await change('generateMailboxes')
  const { body: imported, line } = await change('importMailboxes')
  expect(line.object).toBe('grete.hermann@ours.example')
  const id = imported.rows[0].id
  await change('pay', {}, { mailboxIds: [id] })
  expect(
    (await change('editMailbox', { id }, { email: undefined, domain: undefined })).line,
  ).toMatchObject({
    ...{ object: 'grete.hermann@ours.example' },
    details: { status: 'active → suspended', firstName: 'Grete → Grace', fields: 'signature' },
  })
  await change('changeManyMailboxes', {}, { ids: [id], status: 'active' })
  const crowd: Mailbox[] = []
  for (let nth = 10; nth < 22; nth++)
    crowd.push(await aMailbox(app, { domain, localPart: `crowd${nth}` }))
  const ids = crowd.map((each) => each.id)
  const { line: bulk } = await change('changeManyMailboxes', {}, { ids, status: 'active' })
  expect(bulk.object).toMatch(/crowd\d+@ours\.example and 2 more$/)
  for (const { email } of crowd) expect(bulk.details.all).toContain(email)
  const alias = (await change('addAlias', { id })).body
  expect((await change('removeAlias', { id, aliasId: alias._id })).line.object).toBe(
    'grete.hermann@ours.example: countess@ours.example',
  )
  await change('changeMailboxSettings', { id: box.id })
  expect((await change('setVacation', { id: box.id })).line.details).toMatchObject({
    ...{ isOn: 'true', fields: 'timeZone, subject, text' },
  })
  await app.db
    .insertInto('sendingStops')
    .values({
      ...{ id: newId(), mailboxId: box.id, workspaceId: workspace.id, resumedAt: null },
      ...{ stoppedAt: app.clock.now(), failed: 12, ended: 30, example: '550 No such user' },
    })
    .execute()
  await change('resumeSending', { id: box.id })
  await change('deleteMailbox', { id })
  const other = await aMailbox(app, { domain, localPart: 'other' })
  expect((await change('deleteManyMailboxes', {}, { ids: [other.id] })).line).toMatchObject({
    ...{ object: 'other@ours.example', details: { done: '1 of 1' } },
  })
})

test('access to mail, keys and archives', async () => {
  const free = await aMailbox(app, { domain, localPart: 'info' })
  const named = { id: free.id }
  expect((await change('makeAccessLink', named)).line.object).toBe('info@ours.example')
  await change('withdrawAccessLink', named)
  await change('makeAccessLinks', {}, { links: [{ mailboxId: free.id }] })
  expect((await change('giveMailbox', named, { userId: mary.id })).line).toMatchObject({
    ...{ object: 'info@ours.example', details: { user: 'mary@x.example', canSend: 'false' } },
  })
  expect((await change('takeMailboxBack', { ...named, userId: mary.id })).line.object).toBe(
    'info@ours.example: mary@x.example',
  )
  expect((await change('takeRight', named)).line).toMatchObject({
    ...{ what: 'Give yourself the right to read a mailbox', object: 'info@ours.example' },
    details: { reason: 'She is on leave' },
  })
  await aHolder(app, free)
  await change('handOver', named, { userId: mary.id })
  const left = await aMailbox(app, { domain, localPart: 'left' })
  await aHolder(app, left)
  await change('revokeAccess', { id: left.id })
  const { body } = await change('makeAppPassword', { id: box.id })
  const password = { id: box.id, appPasswordId: body._id }
  expect((await change('endAppPassword', password)).line).toMatchObject({
    ...{ topic: 'keys', object: 'a.lovelace@ours.example: My phone' },
  })
  const archive = (await change('askWorkspaceExport', {}, { password: HOLDERS_PASSWORD })).body
  await app.db
    .updateTable('workspaceExports')
    .set({ state: 'done', expiresAt: new Date(app.clock.now().getTime() + 86_400_000) })
    .where('id', '=', archive._id)
    .execute()
  await change('linkToWorkspaceExport', { id: archive._id })
  await change('removeWorkspaceExport', { id: archive._id })
})

/** Logged in, with an authenticator app. */
const setUpFactor = async ({ email }: Pick<User, 'email'>) => {
  const client = anApiClient(server)
  const form = { email, password: HOLDERS_PASSWORD }
  const { body } = await client.call('POST', '/auth/login', form)
  await setUpTotp(app, client, { authorization: `Bearer ${body.token}` })
}

test('keys, webhooks and lost second factors', async () => {
  const { body: key, line: made } = await change(
    'makeApiKey',
    {},
    {
      ...{ name: 'Onboarding', domains: [domain.id], mailboxes: null },
    },
  )
  expect(JSON.stringify(made)).not.toContain(key.key)
  const id = { id: key._id }
  expect((await change('editApiKey', id, { domains: null, mailboxes: [box.id] })).line.object).toBe(
    'Onboarding',
  )
  await change('endApiKey', id)
  const { body: webhook, line } = await change('addWebhook')
  expect(JSON.stringify(line)).not.toContain('whsec_')
  const hook = { id: webhook._id }
  expect((await change('changeWebhook', hook)).line.object).toBe(webhook.url)
  await change('rotateWebhookSecret', hook)
  await change('deleteWebhook', hook)

  const lost = await aUser(app, { passwordHash: quickHash(HOLDERS_PASSWORD) })
  await app.db
    .insertInto('members')
    .values({
      ...{ workspaceId: workspace.id, userId: lost.id, role: 'User' },
      createdAt: app.clock.now(),
    })
    .execute()
  await setUpFactor(lost)
  expect((await change('resetMemberFactor', { id: lost.id })).line.object).toBe(lost.email)
  const held = await aMailbox(app, { domain, localPart: 'held' })
  await setUpFactor(await aHolder(app, held))
  expect((await change('resetHolderFactor', { id: held.id })).line.object).toBe(held.email)
})

test('settings, and the end', async () => {
  expect((await change('saveCompany')).line.details).toMatchObject({ name: 'Analytical Engines' })
  await change('saveBuyer')
  expect((await change('saveProgramRules')).line.details).toEqual({ needsAppPasswords: 'true' })
  await setUpTotp(app, ada, {})
  expect((await change('saveFactorRule')).line.details).toEqual({ graceDays: '7' })
  await ada.call('DELETE', '/second-factor/totp')
  expect((await change('renameWorkspace', { id: workspace.id })).line).toMatchObject({
    ...{ object: 'Engines', objectAfter: 'Renamed' },
  })
  await change('removeMember', { id: mary.id })
  const leaver = await aUser(app)
  await app.db
    .insertInto('members')
    .values({
      workspaceId: workspace.id,
      userId: leaver.id,
      role: 'User',
      createdAt: app.clock.now(),
    })
    .execute()
  const { headers } = await aSession(app, leaver)
  const left = await anApiClient(server, headers).call('POST', `/workspaces/${workspace.id}/leave`)
  expect(left.status).toBe(200)
  expect((await log())[0]).toMatchObject({
    ...{ action: 'leaveWorkspace', topic: 'members', what: 'Leave a workspace', isDone: true },
    ...{ email: leaver.email, object: 'Renamed' },
  })
  called.add('leaveWorkspace')
  const end = { name: 'Renamed', password: HOLDERS_PASSWORD }
  await change('deleteWorkspace', { id: workspace.id }, end)
})

test('a workspace of others is answered as one that does not exist, and has no line', async () => {
  const { id: foreign } = await aWorkspace(app)
  for (const id of ['-1', 'x', newId(), foreign]) {
    const renamed = await ada.call('PATCH', `/workspaces/${id}`, { name: 'Taken' })
    expect.soft(renamed.status, id).toBe(404)
    expect.soft((await ada.call('POST', `/workspaces/${id}/leave`)).status, id).toBe(404)
  }
})

test('every recorded route was called', () => {
  expect(recorded.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([])
})
