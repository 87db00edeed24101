import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ImportedRow, type ImportRow, importTable } from '#contract/many-mailboxes.ts'
import { limitMailboxes } from '#server/features/domains/limit-mailboxes.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { openHttpServer } from '../http-server.ts'

const LIMIT = 250
let app: TestApp
let server: FastifyInstance
let ada: ApiClient
let workspaceId: string
beforeAll(async () => {
  app = await anApp({ config: { domainMailboxLimit: LIMIT } })
  server = await openHttpServer(app)
  const signedIn = await aVerifiedAccount(app, anApiClient(server), 'ada@example.org')
  ada = anApiClient(server, { authorization: `Bearer ${signedIn.token}` })
  workspaceId = (await ada.call('GET', '/workspaces')).body[0]._id
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const active = () => aDomain(app, { workspaceId, active: true })
const row = (at: number, changes: Partial<Omit<ImportRow, 'row'>> = {}): ImportRow => ({
  row: at,
  firstName: 'Max',
  lastName: 'Weiß',
  email: '',
  domain: '',
  ...changes,
})
const send = (rows: ImportRow[], options: Record<string, unknown> = {}) =>
  ada.call('POST', '/mailboxes/import', {
    table: importTable(rows),
    mode: 'good',
    dryRun: false,
    ...options,
  })
const total = async () => (await ada.call('GET', '/stats')).body.mailboxes.total
const outcome = ({ body }: { body: { rows: ImportedRow[] } }) =>
  body.rows.map(({ row, email, result, reason }) => [row, email, result, reason])

test('each fault is named beside its row, and the good rows become mailboxes', async () => {
  const { name: domain, id } = await active()
  const pending = await aDomain(app, { workspaceId })
  const foreign = await aMailbox(app)
  const taken = await aMailbox(app, { domain: { id, workspaceId, name: domain } as never })
  const answer = await send([
    row(2, { domain: domain.toUpperCase() }),
    row(3, { firstName: '', domain }),
    row(4, { lastName: ' ', domain }),
    row(5, { firstName: 'M', domain }),
    row(6, { domain: 'nobody.example' }),
    row(7),
    row(8, { domain: pending.name }),
    row(9, { email: 'max at home' }),
    row(10, { email: `Boss@${domain}` }),
    row(11, { email: `boss@${domain}` }),
    row(12, { email: taken.email }),
    row(13, { email: foreign.email }),
    row(14, { email: `a@${domain}`, domain: pending.name }),
    row(15, { email: `postmaster@${domain}` }),
    row(16, { firstName: '李小龙', lastName: '王王', domain }),
    row(17, { domain }),
    row(18, { firstName: '=1+1', lastName: '@SUM', email: `f@${domain}` }),
    row(19, { firstName: 'Ana\r\nMaria', lastName: 'Díaz', domain }),
  ])
  expect(answer.status).toBe(200)
  expect(outcome(answer as never)).toEqual([
    [2, `max.weiss@${domain}`, 'created', ''],
    [3, '', 'refused', 'first name is missing'],
    [4, '', 'refused', 'last name is missing'],
    [5, '', 'refused', 'first name needs at least 2 characters'],
    [6, '', 'refused', 'no such domain in this workspace'],
    [7, '', 'refused', 'the domain is missing'],
    [8, '', 'refused', `${pending.name} is not active yet`],
    [9, 'max at home', 'refused', 'the address is not valid'],
    [10, `boss@${domain}`, 'created', ''],
    [11, `boss@${domain}`, 'refused', 'twice in this file: row 10'],
    [12, taken.email, 'refused', 'address is taken'],
    [13, foreign.email, 'refused', 'no such domain in this workspace'],
    [14, `a@${domain}`, 'refused', 'the address must end in the domain of the mailbox'],
    [15, `postmaster@${domain}`, 'refused', expect.stringContaining('postmaster')],
    [16, '', 'refused', expect.stringContaining('an address needs letters')],
    [17, '', 'refused', 'twice in this file: row 2'],
    [18, `f@${domain}`, 'refused', 'first name begins like a formula'],
    [19, `anamaria.diaz@${domain}`, 'created', ''],
  ])
  expect(answer.body.created).toBe(3)
  const { items } = (await ada.call('GET', `/mailboxes?domain=${domain}&q=max.weiss`)).body
  expect(items).toMatchObject([{ fullName: 'Max Weiß', email: `max.weiss@${domain}` }])
})

test('a person who has a mailbox in the domain is no second one, unless an address is given', async () => {
  const { name: domain } = await active()
  const { name: other } = await active()
  await send([row(2, { domain })])
  const again = [
    row(2, { firstName: 'MAX', lastName: '  weiß ', domain }),
    row(3, { domain: other }),
    row(4, { firstName: 'Eva', domain }),
  ]
  const { body } = await send(again)
  expect(body.created).toBe(2)
  expect(
    body.rows.map(({ fault, reason, otherEmail }: ImportedRow) => [fault, reason, otherEmail]),
  ).toEqual([
    [
      'name-taken',
      `a person of this name has the mailbox max.weiss@${domain} in this domain already`,
      `max.weiss2@${domain}`,
    ],
    [null, '', null],
    [null, '', null],
  ])
  const chosen = await send([row(2, { domain, email: `max.weiss2@${domain}` })])
  expect(chosen.body.created).toBe(1)
  // The whole file once more: nothing is made twice.
  const third = await send([row(2, { domain }), ...again.slice(1)])
  expect(third.body.rows.map(({ fault }: ImportedRow) => fault)).toEqual(
    Array(3).fill('name-taken'),
  )
  expect(third.body.rows[0].otherEmail).toBe(`max.weiss3@${domain}`)
  const address = await send([
    row(2, { firstName: 'Ida', domain: 'ida@gmx.example' }),
    row(3, { firstName: 'Ida', email: `ida.roth${domain}`, domain }),
  ])
  expect(outcome(address as never)).toEqual([
    [2, '', 'refused', 'an address stands in the place of the domain'],
    [3, `ida.roth${domain}`, 'refused', 'the address is not valid'],
  ])
})

test('a web site names its domain, and of two people with one address the second gets a new one', async () => {
  const { name: domain } = await active()
  const site = await aDomain(app, { workspaceId, active: true, name: `www.${domain}` })
  const written = [
    `https://${domain}/`,
    `www.${domain}`,
    `HTTP://WWW.${domain}.:80/x?y`,
    `@${domain}.`,
  ]
  const people = written.map((asked, at) =>
    row(at + 2, { firstName: `Max${'abcd'[at]}`, domain: asked }),
  )
  const answer = await send(people, { dryRun: true })
  // The workspace has both, and what is written counts.
  expect(answer.body.rows.map(({ email }: ImportedRow) => email.split('@')[1])).toEqual([
    ...[domain, site.name, site.name, domain],
  ])
  await app.db.deleteFrom('domains').where('id', '=', site.id).execute()
  const mixed = await send(
    [
      ...people,
      row(10, { email: `info@${domain}.`, domain: `www.${domain}` }),
      row(11, { email: `info@${domain}`, firstName: 'Eva', lastName: 'Roth' }),
      row(12, { email: `info@${domain}`, firstName: 'max' }),
    ],
    { dryRun: true },
  )
  expect(
    mixed.body.rows.map(({ email, fault, reason }: ImportedRow) => [email, fault, reason]),
  ).toEqual([
    ...['a', 'b', 'c', 'd'].map((letter) => [`max${letter}.weiss@${domain}`, null, '']),
    [`info@${domain}`, null, ''],
    [`info@${domain}`, 'address-repeated', 'Max Weiß in row 10 has this address'],
    [`info@${domain}`, 'repeated', 'twice in this file: row 10'],
  ])
})

test('a formula is no name, whatever it begins with, and a very long cell ends nothing else', async () => {
  const { name: domain } = await active()
  const names = ['=HYPERLINK("http://x.example")', '+1', '@SUM(A1)', '-2+3', '＝1', '‎=1']
  const rows = [
    ...names.map((firstName, at) => row(at + 2, { firstName, domain })),
    ...names.map((lastName, at) => row(at + 12, { lastName, domain })),
    row(30, { firstName: 'x'.repeat(100_000), domain }),
    row(31, { firstName: '-Ada', lastName: "O'Neil-Smith", domain }),
    row(32, { email: 'boss', domain }),
  ]
  const answer = await send(rows)
  const faults = answer.body.rows.map(({ fault }: ImportedRow) => fault)
  expect(faults).toEqual([...rows.slice(0, 12).map(() => 'name-formula'), 'cell-long', null, null])
  expect(answer.body.rows[12].firstName.length).toBeLessThan(600)
  const made = answer.body.rows.slice(-2)
  expect(made.map(({ email }: ImportedRow) => email)).toEqual([
    `ada.oneil-smith@${domain}`,
    `boss@${domain}`,
  ])
  const { items } = (await ada.call('GET', `/mailboxes?domain=${domain}`)).body
  expect(items.map(({ _id }: { _id: string }) => _id)).toEqual(
    made.map(({ id }: ImportedRow) => id),
  )
})

test('a domain with a limit of its own has no other, and the preview marks rows over it', async () => {
  const [{ name: small }, { name: large }] = [await active(), await active()]
  await limitMailboxes(app.db, small, 2)
  await limitMailboxes(app.db, large, LIMIT + 10)
  const rows = Array.from({ length: LIMIT + 20 }, (_, at) =>
    row(at + 2, { lastName: `Weiß${at}`, domain: at < 10 ? small : large }),
  )
  const faults = (answer: Awaited<ReturnType<typeof send>>) =>
    answer.body.rows.filter(({ fault }: ImportedRow) => fault === 'over-limit')
  const slots = async () => (await ada.call('GET', '/stats')).body.mailboxes.slots
  const before = await slots()
  const preview = await send(rows, { dryRun: true })
  expect(faults(preview)).toHaveLength(8)
  expect(faults(preview)[0].reason).toBe(`over the limit of 2 mailboxes of ${small}`)
  expect((await send(rows)).body.created).toBe(LIMIT + 12)
  expect(await slots()).toBe(before - LIMIT - 12)
  const grace = { firstName: 'Grace', lastName: 'Hopper', domain: small, email: `g@${small}` }
  const refused = await ada.call('POST', '/mailboxes', grace)
  expect(refused.body).toMatchObject({
    type: 'MAILBOX_LIMIT',
    message:
      'This domain has no free mailbox left. It may have 2: the operator of this installation sets this limit and can raise it',
  })
  await limitMailboxes(app.db, small, null)
  expect((await ada.call('POST', '/mailboxes', grace)).status).toBe(201)
})

test('all or nothing: one fault, and none is created; the preview creates none either', async () => {
  const { name: domain } = await active()
  const before = await total()
  const rows = [row(2, { domain }), row(3, { domain: 'nobody.example' })]
  const all = await send(rows, { mode: 'all' })
  expect(all.body).toMatchObject({ created: 0, rows: [{ result: 'ready' }, { result: 'refused' }] })
  const preview = await send(rows, { dryRun: true })
  expect(preview.body).toEqual(all.body)
  expect(await total()).toBe(before)
  expect((await send(rows.slice(0, 1), { mode: 'all' })).body.created).toBe(1)
})

test('an address is proposed: German spelling as asked, hyphens kept, taken ones numbered', async () => {
  const { name: domain } = await active()
  const people = [
    row(1, { firstName: 'Jörg', lastName: 'Müller-Öztürk' }),
    row(2, { email: `max.weiss@${domain}` }),
    row(3, { firstName: 'max', lastName: 'weiss' }),
  ]
  const emails = async (spelling: string) =>
    (await send(people, { domain, spelling, dryRun: true })).body.rows.map(
      ({ email }: ImportedRow) => email.split('@')[0],
    )
  expect(await emails('plain')).toEqual(['jorg.muller-ozturk', 'max.weiss', 'max.weiss2'])
  expect(await emails('german')).toEqual(['joerg.mueller-oeztuerk', 'max.weiss', 'max.weiss2'])
})

test('10,000 rows are created in bulk, within the limit of each domain', async () => {
  const domains: string[] = []
  for (let index = 0; index < 39; index += 1) domains.push((await active()).name)
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    // Namesakes within each domain: none may cost a query of its own.
    row(index + 2, { lastName: `Weiß${index}`, domain: domains[index % 39] ?? '' }),
  )
  const answer = await send(rows)
  const over = answer.body.rows.filter(({ reason }: ImportedRow) =>
    reason.startsWith('over the limit of 250'),
  )
  expect(answer.body.created + over.length).toBe(10_000)
  expect(answer.body.created).toBe(39 * LIMIT)
}, 60_000)

test.each([
  ['no rows', { table: ' ' }],
  ['no cells', { table: 'Max Weiß' }],
  ['10,001 rows', { table: importTable(Array.from({ length: 10_001 }, (_, at) => row(at + 1))) }],
  ['an unknown mode', { mode: 'some' }],
])('a table with %s is refused', async (_what, changes) => {
  const answer = await send([row(1)], changes)
  expect(answer).toMatchObject({ status: 422, body: { type: 'VALIDATION' } })
})

test('a User may not import, and a caller without a session neither', async () => {
  await app.db
    .updateTable('members')
    .set({ role: 'User' })
    .where('workspaceId', '=', workspaceId)
    .execute()
  expect((await send([row(1)])).status).toBe(403)
  const stranger = anApiClient(server, { authorization: `Bearer ${newId()}` })
  expect((await stranger.call('POST', '/mailboxes/import', {})).status).toBe(401)
})
