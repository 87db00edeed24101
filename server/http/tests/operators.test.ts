/** Operators: who they are, what they see and do, and that nobody else may. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkTitles } from '#contract/operator/health.ts'
import { issueInvoice } from '#server/features/billing/issue-invoice.ts'
import { firstLink, makeOperatorLink } from '#server/features/operating/first-operator.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
  type User,
  type Workspace,
} from '#test-world/builders.ts'
import { aHolder } from '#test-world/people/holders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'
import { declaredRoutes, nameOf } from './declared-routes.ts'
import { goodBodies } from './good-bodies.ts'

let app: TestApp
let server: FastifyInstance
let first: string | null
let operator: ApiClient
/** A customer: an Admin of a workspace with a domain and a mailbox. */
let ada: User
let workspace: Workspace
let mailbox: Mailbox
let admin: ApiClient
beforeAll(async () => {
  app = await anApp({ config: { operators: ['ops@mailstead.example'] } })
  server = await openHttpServer(app)
  first = await firstLink({ ...app, config: { ...app.config, operators: [] } })
  const olga = await aUser(app, { email: 'ops@mailstead.example' })
  operator = await clientOf(olga)
  ada = await aUser(app, { email: 'ada@engines.example' })
  const members = [{ user: ada, role: 'Admin' as const }]
  workspace = await aWorkspace(app, { name: 'Difference Engines', members })
  const domain = await aDomain(app, {
    workspaceId: workspace.id,
    active: true,
    name: 'engines.test',
  })
  mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, ada.id)
  admin = await clientOf(ada)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

// Each action has a moment of its own.
beforeEach(() => void app.clock.advance({ seconds: 1 }))

const clientOf = async (user: Pick<User, 'id'>): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)

type Way = 'nextCursor' | 'previousCursor'

/** One row at a time, from the first one or from a cursor. */
const walkPages = async (path: string, query: string, way: Way, from = '') => {
  const ids: string[] = []
  let [cursor, lastCursor] = [from, from]
  do {
    const answer = await operator.call('GET', `${path}?${query}&limit=1&cursor=${cursor}`)
    expect(answer.status).toBe(200)
    const [row] = answer.body.items
    if (row !== undefined) ids.push(row._id)
    lastCursor = cursor
    cursor = answer.body[way] ?? ''
  } while (cursor !== '')
  return { ids, lastCursor }
}

const lastAction = async () => (await operator.call('GET', '/operator/actions')).body.items[0]

describe('who operates', () => {
  test('a start without accounts makes a link, which makes an account that is signed in, once', async () => {
    const session = new URL(first ?? '').searchParams.get('token') ?? ''
    const form = {
      ...{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@mailstead.example', session },
      ...{ password: 'Engine-No-1!', confirmPassword: 'Engine-No-1!' },
    }
    const visitor = anApiClient(server)
    const open = () => visitor.call('POST', '/operator/first/open', { session })
    expect((await open()).body).toEqual({ type: 'OPEN' })
    const common = { ...form, password: 'password', confirmPassword: 'password' }
    expect((await visitor.call('POST', '/operator/first', common)).status).toBe(422)
    const { status, body } = await visitor.call('POST', '/operator/first', form)
    expect(status).toBe(201)
    expect(body.user).toMatchObject({ email: 'grace@mailstead.example', isOperator: true })
    const grace = anApiClient(server, { authorization: `Bearer ${body.token}` })
    expect((await grace.call('GET', '/operator/queue')).status).toBe(200)
    expect((await grace.call('GET', '/workspaces')).body).toMatchObject([{ role: 'Admin' }])
    expect((await open()).body).toMatchObject({ type: 'INVALID_SIGNATURE' })
    const again = await visitor.call('POST', '/operator/first', { ...form, email: 'b@example.org' })
    expect(again.body).toMatchObject({ type: 'INVALID_SIGNATURE' })
  })

  test('where somebody has an account, or OPERATORS names one, a start makes no link', async () => {
    expect(await firstLink(app)).toBe(null)
    expect(await firstLink({ ...app, config: { ...app.config, operators: [] } })).toBe(null)
  })

  test('a link works for a week', async () => {
    const link = await makeOperatorLink(app, 'terminal')
    const session = new URL(link).searchParams.get('token')
    const open = () => anApiClient(server).call('POST', '/operator/first/open', { session })
    expect((await open()).body).toEqual({ type: 'OPEN' })
    app.clock.advance({ days: 7, seconds: 1 })
    expect((await open()).body).toMatchObject({ type: 'INVALID_SIGNATURE' })
    operator = await clientOf(await userOf('ops@mailstead.example'))
    admin = await clientOf(ada)
  })

  test('signing in says so to an operator, and to nobody else', async () => {
    const isOperator = async (email: string) => {
      const answer = await anApiClient(server).call('POST', '/auth/login', {
        ...{ email, password: 'Engine-No-1!' },
      })
      return answer.body.user?.isOperator
    }
    expect(await isOperator('grace@mailstead.example')).toBe(true)
    expect(await isOperator(ada.email)).toBe(undefined)
  })
})

const userOf = (email: string) =>
  app.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

test('no Admin and no holder gets anything of an operator', async () => {
  const routes = (await declaredRoutes()).filter(({ access }) => access === 'operator')
  expect(routes.length).toBeGreaterThan(10)
  const holder = await clientOf(await aHolder(app, await aMailbox(app)))
  const before = await app.db.selectFrom('operatorActions').selectAll().execute()
  for (const route of routes)
    for (const client of [admin, holder]) {
      const path = route.path.replace('{id}', workspace.id)
      const { status, body } = await client.call(route.method, path, goodBodies[nameOf(route)])
      expect([status, body.type], nameOf(route)).toEqual([403, 'FORBIDDEN'])
    }
  expect(await app.db.selectFrom('operatorActions').selectAll().execute()).toEqual(before)
})

test('Health is what was found, of each check, and says nothing of tenants', async () => {
  const { status, body } = await operator.call('GET', '/operator/health')
  expect(status).toBe(200)
  const checks = body.items.map(({ check }: { check: string }) => check)
  // Here nobody pays by card.
  const { 'card-payments': _, ...titles } = checkTitles
  expect([...new Set(checks)].toSorted()).toEqual(Object.keys(titles).toSorted())
  expect(JSON.stringify(body)).not.toContain('engines')
})

describe('workspaces', () => {
  test('the list tells sizes and finds by name, domain and member; nothing of mail is in it', async () => {
    for (const q of ['difference', mailbox.email.split('@')[1], ada.email]) {
      const { body } = await operator.call('GET', `/operator/workspaces?q=${q}`)
      expect(
        body.items.map(({ name }: Workspace) => name),
        q,
      ).toEqual(['Difference Engines'])
      expect(body).toMatchObject({ total: 1, nextCursor: null })
      expect(body.items).toEqual([
        {
          ...{
            _id: workspace.id,
            name: 'Difference Engines',
            members: 1,
            domains: 1,
            mailboxes: 1,
          },
          ...{ usedBytes: 0, quotaBytes: expect.any(Number), sent: 0, bounced: 0 },
          ...{ createdAt: expect.any(String), endsAt: null, suspendedAt: null, suspendedFor: '' },
        },
      ])
    }
    const none = await operator.call('GET', '/operator/workspaces?q=%25')
    expect(none.body).toMatchObject({ items: [], total: 0 })
  })

  test('pages follow one another in each order, and back again', async () => {
    await aWorkspace(app, { name: 'difference engines', members: [] })
    const all = await app.db.selectFrom('workspaces').select('id').execute()
    const orders = ['name', 'created', 'mailboxes', 'storage', 'sent', 'bounced']
    for (const order of orders)
      for (const direction of ['up', 'down']) {
        const query = `order=${order}&direction=${direction}`
        const walk = (way: Way, cursor?: string) =>
          walkPages('/operator/workspaces', query, way, cursor)
        const there = await walk('nextCursor')
        expect(there.ids.toSorted(), query).toEqual(all.map(({ id }) => id).toSorted())
        const back = await walk('previousCursor', there.lastCursor)
        expect(back.ids, query).toEqual(there.ids.toReversed())
      }
  })

  test('a suspended one sends nothing to others, reads why, and sends again when it is resumed', async () => {
    const path = `/operator/workspaces/${workspace.id}`
    const reason = 'It sends what nobody asked for'
    const suspended = await operator.call('POST', `${path}/suspend`, { reason })
    expect(suspended.body).toMatchObject({ suspendedFor: reason })
    expect((await admin.call('GET', '/workspaces')).body).toMatchObject([{ suspendedFor: reason }])
    const mail = {
      to: ['bob@example.net'],
      cc: [],
      bcc: [],
      subject: 'Hi',
      text: 'Hi',
      draft: false,
    }
    const send = () => admin.call('POST', `/mailboxes/${mailbox.id}/messages`, mail)
    expect((await send()).body).toMatchObject({
      type: 'WORKSPACE_SUSPENDED',
      message: expect.stringContaining(reason),
    })
    const only = await operator.call('GET', '/operator/workspaces?only=suspended')
    expect(only.body.items).toMatchObject([{ _id: workspace.id }])
    expect(await lastAction()).toMatchObject({
      ...{ operator: 'ops@mailstead.example', verb: 'workspace suspend', detail: reason },
      ...{ workspaceId: workspace.id, subject: 'Difference Engines' },
    })
    app.clock.advance({ seconds: 1 })
    await operator.call('POST', `${path}/resume`)
    expect((await send()).body.type).not.toBe('WORKSPACE_SUSPENDED')
    expect((await operator.call('GET', path)).body).toMatchObject({
      suspendedAt: null,
      people: [{ email: ada.email, role: 'Admin' }],
      domainNames: [{ isActive: true, mailboxes: 1 }],
      actions: [{ verb: 'workspace resume' }, { verb: 'workspace suspend' }],
    })
  })

  test('a quota is what its members see', async () => {
    const body = { quotaBytes: 5_000_000 }
    await operator.call('PUT', `/operator/workspaces/${workspace.id}/quota`, body)
    const figures = (await admin.call('GET', '/workspaces/figures')).body
    expect(figures).toMatchObject([{ storage: { quotaBytes: 5_000_000 } }])
    expect(await lastAction()).toMatchObject({ verb: 'workspace quota', detail: '0.005 GB' })
  })
})

describe('people', () => {
  test('pages follow one another by name and by the last sign-in', async () => {
    await aUser(app, { firstName: 'ada' })
    const all = await app.db.selectFrom('users').select('id').execute()
    for (const order of ['created', 'person', 'seen']) {
      const there = await walkPages('/operator/accounts', `order=${order}`, 'nextCursor')
      expect(there.ids.toSorted(), order).toEqual(all.map(({ id }) => id).toSorted())
    }
    const { body } = await operator.call('GET', '/operator/accounts?order=person&direction=up')
    const names: string[] = body.items.map(({ name }: { name: string }) => name.toLowerCase())
    expect(names).toEqual(names.toSorted())
    expect(body.total).toBe(all.length)
  })

  test('are found by name and address, with what they may do', async () => {
    const { body } = await operator.call('GET', `/operator/accounts?q=${ada.email}`)
    expect(body.items).toMatchObject([
      {
        ...{ _id: ada.id, email: ada.email, isOperator: false, isHolder: false },
        workspaces: [{ _id: workspace.id, role: 'Admin' }],
      },
    ])
  })

  test('a reset link sets a new password, and a holder gets none', async () => {
    const { body } = await operator.call('POST', `/operator/accounts/${ada.id}/reset-link`)
    const session = new URL(body.link).searchParams.get('token')
    const form = { session, password: 'Engine-No-2!', confirmPassword: 'Engine-No-2!' }
    expect((await anApiClient(server).call('POST', '/auth/set-new-password', form)).status).toBe(
      200,
    )
    const login = { email: ada.email, password: 'Engine-No-2!' }
    expect((await anApiClient(server).call('POST', '/auth/login', login)).status).toBe(200)
    const holder = await aHolder(app, await aMailbox(app))
    const refused = await operator.call('POST', `/operator/accounts/${holder.id}/reset-link`)
    expect(refused.body).toMatchObject({ type: 'STATUS_NOT_ALLOWED' })
    admin = await clientOf(ada)
  })

  test('signing out everywhere ends every session', async () => {
    const bob = await aUser(app)
    const client = await clientOf(bob)
    expect((await client.call('GET', '/auth/verify-access')).status).toBe(200)
    await operator.call('POST', `/operator/accounts/${bob.id}/end-sessions`)
    expect((await client.call('GET', '/auth/verify-access')).status).toBe(401)
  })

  test('an account becomes an Admin of a workspace whose Admins have gone', async () => {
    const empty = await aWorkspace(app, { members: [] })
    const path = `/operator/workspaces/${empty.id}/admins`
    const unknown = await operator.call('POST', path, { email: 'nobody@example.org' })
    expect(unknown.status).toBe(404)
    await operator.call('POST', path, { email: ada.email })
    expect((await admin.call('GET', '/workspaces')).body).toContainEqual(
      expect.objectContaining({ _id: empty.id, role: 'Admin' }),
    )
    expect(await lastAction()).toMatchObject({ verb: 'user make-admin', workspaceId: empty.id })
  })
})

describe('mailboxes', () => {
  test('are found by address, and each is told in figures, by its id, its address or an alias', async () => {
    const holder = await aHolder(app, mailbox)
    const [, domain = ''] = mailbox.email.split('@')
    await admin.call('POST', `/mailboxes/${mailbox.id}/app-passwords`, {
      ...{ name: 'Phone', scopes: ['imap'] },
    })
    await admin.call('POST', `/mailboxes/${mailbox.id}/aliases`, { email: `sales@${domain}` })
    const list = await operator.call('GET', `/operator/mailboxes?q=${mailbox.email}`)
    expect(list.body).toMatchObject({
      total: 1,
      items: [{ _id: mailbox.id, workspaceName: 'Difference Engines', status: 'active' }],
    })
    for (const by of [mailbox.id, mailbox.email.toUpperCase(), `sales@${domain}`]) {
      const { body } = await operator.call('GET', `/operator/mailboxes/${by}`)
      expect(body, by).toMatchObject({
        ...{ _id: mailbox.id, email: mailbox.email, usedBytes: expect.any(Number) },
        ...{ appPasswords: 1, readers: 1, aliases: [`sales@${domain}`], catchAllOf: [] },
        holder: { userId: holder.id },
      })
    }
    for (const by of ['nobody@engines.test', 'nonsense', newId()]) {
      const { status } = await operator.call('GET', `/operator/mailboxes/${by}`)
      expect(status, by).toBe(404)
    }
  })

  test('nothing of the mail in one is told', async () => {
    const mail = {
      to: ['bob@example.net'],
      cc: [],
      bcc: [],
      subject: 'Very secret',
      text: 'secret',
    }
    await admin.call('POST', `/mailboxes/${mailbox.id}/messages`, { ...mail, draft: true })
    const { body } = await operator.call('GET', `/operator/mailboxes/${mailbox.id}`)
    expect(body.messages).toBeGreaterThan(0)
    expect(JSON.stringify(body)).not.toContain('secret')
  })
})

test('a person is told with workspaces, mailboxes, browsers and what was done', async () => {
  await operator.call('POST', `/operator/accounts/${ada.id}/end-sessions`)
  admin = await clientOf(ada)
  for (const by of [ada.id, 'ADA@engines.example']) {
    const { body } = await operator.call('GET', `/operator/accounts/${by}`)
    expect(body, by).toMatchObject({
      ...{ _id: ada.id, email: ada.email, sessions: 1 },
      mailboxes: [{ _id: mailbox.id, email: mailbox.email, isHolder: false }],
    })
    expect(body.actions[0]).toMatchObject({ verb: 'user end-sessions', subject: ada.email })
  }
  expect((await operator.call('GET', '/operator/accounts/nobody@example.org')).status).toBe(404)
})

describe('invoices', () => {
  const issue = () =>
    app.db
      .transaction()
      .execute((tx) =>
        issueInvoice(app, tx, workspace.id, [{ id: mailbox.id, email: mailbox.email }]),
      )

  test('are listed by state, shown by number, marked paid and taken back', async () => {
    const [first, second] = [await issue(), await issue()]
    const due = await operator.call('GET', '/operator/invoices?only=Due&order=amount')
    expect(due.body).toMatchObject({ total: 2, items: [{ status: 'Due', mailboxes: 1 }, {}] })
    const { body: found } = await operator.call('GET', `/operator/invoices?q=${second.number}`)
    expect(found.items).toMatchObject([
      { _id: second._id, number: second.number, workspaceName: 'Difference Engines' },
    ])
    const path = `/operator/invoices/${first.number}`
    expect((await operator.call('GET', path)).body).toMatchObject({
      ...{ _id: first._id, document: { openCents: 200, lines: [{ quantity: 1 }] } },
    })
    const paid = await operator.call('POST', `${path}/settle`, { as: 'paid' })
    expect(paid.body).toMatchObject({ number: first.number, status: 'Paid' })
    expect(await lastAction()).toMatchObject({
      ...{ verb: 'invoice paid', subject: first.number, workspaceId: workspace.id },
    })
    const refused = await operator.call('POST', `${path}/settle`, { as: 'void' })
    expect(refused.body).toMatchObject({ type: 'STATUS_NOT_ALLOWED' })
    const credit = await operator.call('POST', `/operator/invoices/${second._id}/settle`, {
      as: 'void',
    })
    expect(credit.body).toMatchObject({ kind: 'credit', status: 'Credited', amountCents: -200 })
    expect((await operator.call('GET', '/operator/invoices?only=Due')).body.total).toBe(0)
    expect((await operator.call('GET', '/operator/invoices/MS-FFFFFF-000001')).status).toBe(404)
  })
})

describe('settings', () => {
  const change = async (body: object) =>
    (await operator.call('PATCH', '/operator/settings', body)).body
  const signUp = () =>
    anApiClient(server).call('POST', '/auth/register', goodBodies['POST /auth/register'])
  const shown = async () => (await anApiClient(server).call('GET', '/installation')).body

  test('who may sign up is chosen at once, for every process, and goes back to what the start says', async () => {
    const chosen = await change({ signUp: 'closed' })
    expect(chosen).toMatchObject({ start: { signUp: 'open' }, chosen: { signUp: 'closed' } })
    expect(await shown()).toMatchObject({ signUp: 'closed' })
    expect((await signUp()).body).toMatchObject({ type: 'SIGN_UP_CLOSED' })
    expect(await lastAction()).toMatchObject({
      ...{ verb: 'setting change', subject: 'SIGNUP', detail: 'closed' },
    })
    app.clock.advance({ seconds: 1 })
    expect(await change({ signUp: null })).toMatchObject({ chosen: { signUp: null } })
    expect(await shown()).toMatchObject({ signUp: 'open' })
    expect((await signUp()).status).toBe(201)
    expect(await lastAction()).toMatchObject({ detail: 'as the start says' })
  })

  test('what is new gets the chosen storage, and a domain the chosen number of mailboxes', async () => {
    await change({ storageQuotaBytes: 5_000_000, domainMailboxLimit: 1 })
    expect(await shown()).toMatchObject({ mailboxLimit: 1 })
    const domain = mailbox.email.split('@')[1]
    const full = await admin.call('POST', '/mailboxes', {
      ...{ firstName: 'Robert', lastName: 'Builder', email: `bob@${domain}`, domain },
      signature: '',
    })
    expect(full.body).toMatchObject({ type: 'MAILBOX_LIMIT' })
    const made = await admin.call('POST', '/workspaces', { name: 'Small' })
    const { body } = await operator.call('GET', `/operator/workspaces/${made.body._id}`)
    expect(body.quotaBytes).toBe(5_000_000)
    await change({ storageQuotaBytes: null, domainMailboxLimit: null })
    expect(await shown()).toMatchObject({ mailboxLimit: 500 })
  })

  test('what is already so leaves no record, and nonsense is refused', async () => {
    const before = await lastAction()
    await change({ signUp: null })
    expect(await lastAction()).toEqual(before)
    const { status } = await operator.call('PATCH', '/operator/settings', { domainMailboxLimit: 0 })
    expect(status).toBe(422)
  })
})

test('alerts and backups that are not set up say so', async () => {
  expect((await operator.call('GET', '/operator/alerts')).body).toMatchObject({
    ways: [{ setting: 'ALERT_URL', to: null }, { to: null }],
    ...{ firing: [], news: [] },
  })
  expect((await operator.call('POST', '/operator/alerts/test')).body).toEqual({ tried: [] })
  expect((await operator.call('GET', '/operator/backups')).body).toMatchObject({ place: null })
  expect((await operator.call('GET', '/operator/backups/kept')).body).toMatchObject({ items: [] })
  const asked = await operator.call('POST', '/operator/backups/ask', { what: 'backup' })
  expect(asked.body).toMatchObject({ type: 'STATUS_NOT_ALLOWED' })
})

describe('finding', () => {
  const find = async (q: string) =>
    (await operator.call('GET', `/operator/find?q=${encodeURIComponent(q)}`)).body.items

  test('leads from an address, an alias, a domain, a name and a number to what is meant', async () => {
    const [, domain = ''] = mailbox.email.split('@')
    const [invoice] = (await operator.call('GET', '/operator/invoices')).body.items
    for (const [q, kind, id] of [
      [mailbox.email.toUpperCase(), 'mailbox', mailbox.id],
      [`sales@${domain}`, 'mailbox', mailbox.id],
      [ada.email, 'person', ada.id],
      [domain, 'domain', workspace.id],
      ['Difference Engines', 'workspace', workspace.id],
      [invoice.number, 'invoice', invoice._id],
      [invoice.number.slice(3).replace('-0000', '-'), 'invoice', invoice._id],
    ])
      expect((await find(q))[0], q).toMatchObject({ kind, _id: id })
  })

  test('finds parts of them, and nothing for nothing', async () => {
    const kinds = (await find('engines')).map(({ kind }: { kind: string }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['mailbox', 'person', 'domain', 'workspace']))
    expect(await find('  ')).toEqual([])
    expect(await find('%')).toEqual([])
    expect(await find("' or 1=1 --")).toEqual([])
  })
})

describe('the queue', () => {
  beforeAll(async () => {
    await app.db.deleteFrom('outboxMessages').execute()
  })

  const enqueue = (recipient: string) =>
    enqueueMessage(app, app.db, {
      ...{ workspaceId: workspace.id, mailboxId: mailbox.id, mailFrom: mailbox.email },
      ...{ recipients: [recipient], raw: Buffer.from('Subject: secret\r\n\r\nsecret\r\n') },
    })
  const change = async (what: string, by: string, value: string) =>
    (await operator.call('POST', '/operator/queue', { change: what, by, value })).body.changed
  const deliveries = async (query = '') =>
    (await operator.call('GET', `/operator/queue/deliveries${query}`)).body.items

  test('is told by destination and reason, and each delivery without a word of the mail', async () => {
    await enqueue('bob@slow.example')
    await enqueue('eve@slow.example')
    await enqueue('joe@other.example')
    const { body } = await operator.call('GET', '/operator/queue')
    expect(body).toMatchObject({
      total: 3,
      items: [
        { destination: 'slow.example', count: 2, held: 0, reason: '' },
        { destination: 'other.example', count: 1 },
      ],
    })
    const answer = await operator.call(
      'GET',
      '/operator/queue/deliveries?by=destination&value=slow.example',
    )
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    expect(answer.body.items).toMatchObject([
      {
        recipient: 'bob@slow.example',
        mailFrom: mailbox.email,
        workspaceName: 'Difference Engines',
      },
      { recipient: 'eve@slow.example', state: 'queued', attempts: 0 },
    ])
  })

  test('holds back, releases and drops what is named by domain, sender, workspace or id', async () => {
    const [{ _id: id }] = await deliveries('?by=destination&value=other.example')
    expect(await change('hold', 'destination', 'SLOW.example')).toBe(2)
    expect(await deliveries('?by=destination&value=slow.example')).toMatchObject([
      { state: 'held' },
      { state: 'held' },
    ])
    expect(await change('release', 'workspace', workspace.id)).toBe(2)
    expect(await change('release', 'workspace', workspace.id)).toBe(0)
    expect(await change('retry', 'delivery', id)).toBe(1)
    expect(await change('hold', 'sender', mailbox.email.toUpperCase())).toBe(3)
    app.clock.advance({ seconds: 1 })
    expect(await change('drop', 'sender', mailbox.email)).toBe(3)
    expect(await deliveries()).toEqual([])
    expect(await lastAction()).toMatchObject({
      ...{ verb: 'queue drop', subject: `sender ${mailbox.email}`, detail: '3 deliveries' },
    })
    expect(await change('drop', 'delivery', "' or 1=1")).toBe(0)
  })
})

test('a listed sender is what was typed, is changed by being listed again, and is removed', async () => {
  const body = { value: '198.51.100.9/24', action: 'block', note: 'Guesses', endsAt: null }
  const added = await operator.call('POST', '/operator/lists', body)
  const listed = { ...body, value: '198.51.100.0/24', kind: 'network' }
  expect(added.body).toMatchObject({ ...listed, madeBy: 'ops@mailstead.example' })
  expect(await lastAction()).toMatchObject({
    ...{ verb: 'blocklist add', subject: '198.51.100.0/24', detail: 'block, Guesses' },
  })
  const endsAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
  const change = { ...body, action: 'allow', endsAt }
  const changed = await operator.call('POST', '/operator/lists', change)
  expect(changed.body).toMatchObject({ ...listed, action: 'allow', endsAt, _id: added.body._id })
  const wrong = await operator.call('POST', '/operator/lists', { ...body, value: '::/0' })
  expect(wrong.body).toMatchObject({
    type: 'VALIDATION',
    data: { value: expect.stringContaining('too wide') },
  })
  expect((await operator.call('GET', '/operator/lists?q=guess')).body.items).toEqual([changed.body])
  const path = `/operator/lists/${added.body._id}`
  expect((await operator.call('DELETE', path)).body.message).toBe(
    '198.51.100.0/24 is not listed any more',
  )
  expect((await operator.call('DELETE', path)).status).toBe(404)
  expect((await operator.call('GET', '/operator/lists')).body.items).toEqual([])
})
