/** An agency's domains, many by one call. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AddedRow, DomainHealth } from '#contract/many-domains.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let world: TestDns
let server: FastifyInstance
let ada: ApiClient
let bob: ApiClient
beforeAll(async () => {
  world = await aDnsServer()
  const dns = openDns({ servers: [world.address], port: world.port, allowLoopbackPeers: true })
  app = await anApp({ dns })
  server = await openHttpServer(app)
  ada = await member('ada@example.org')
  bob = await member('bob@example.org')
})
afterAll(async () => {
  await server.close()
  await app.close()
  await world.close()
})

const member = async (email: string) => {
  const { token } = await aVerifiedAccount(app, anApiClient(server), email)
  return anApiClient(server, { authorization: `Bearer ${token}` })
}

const add = async (names: string[], mode: 'all' | 'good' = 'good', by = ada) =>
  (await by.call('POST', '/domains/batch', { names, mode })).body as AddedRow[]
const outcomes = (rows: AddedRow[]) => rows.map(({ name, outcome }) => [name, outcome])
const namesOf = async (by = ada) =>
  (await by.call('GET', '/domains')).body.map(({ name }: { name: string }) => name)

test('each name gets its verdict, and the good ones are added', async () => {
  await ada.call('POST', '/domains', { name: 'there.test' })
  const rows = await add([
    ...[' First.Test. ', 'second.test', 'first.test', 'there.test', 'bücher.test'],
    ...['10.0.0.1', 'co.uk', 'printer.local', 'no domain', 'x'.repeat(60)],
  ])
  expect(outcomes(rows)).toEqual([
    ['first.test', 'added'],
    ['second.test', 'added'],
    ['first.test', 'repeated'],
    ['there.test', 'exists'],
    ['xn--bcher-kva.test', 'added'],
    ['10.0.0.1', 'refused'],
    ['co.uk', 'refused'],
    ['printer.local', 'refused'],
    ['no domain', 'refused'],
    ['x'.repeat(60), 'refused'],
  ])
  for (const { outcome, message, id } of rows) {
    expect(message === '').toBe(outcome === 'added')
    expect(id !== null).toBe(outcome === 'added' || outcome === 'exists')
  }
  expect((await namesOf()).toSorted()).toEqual([
    ...['first.test', 'second.test', 'there.test', 'xn--bcher-kva.test'],
  ])
  const records = await ada.call('GET', `/dns-records/dns/${rows[0]?.id}`)
  expect(records.body.map(({ purpose }: { purpose: string }) => purpose)).toEqual([
    ...['spf', 'dkim', 'dmarc', 'mx'],
  ])
})

test('with all or none, one bad row keeps every other out', async () => {
  const before = await namesOf()
  const rows = await add(['whole.test', 'not a name'], 'all')
  expect(outcomes(rows)).toEqual([
    ['whole.test', 'left'],
    ['not a name', 'refused'],
  ])
  expect(await namesOf()).toEqual(before)
  expect(outcomes(await add(['whole.test'], 'all'))).toEqual([['whole.test', 'added']])
})

test('names are counted by the hour, all of a list or none of it', async () => {
  const { token } = await aVerifiedAccount(app, anApiClient(server), 'eve@example.org')
  const eve = anApiClient(server, { authorization: `Bearer ${token}` })
  const workspaceId = (await eve.call('GET', '/workspaces')).body[0]._id
  await app.db
    .insertInto('throttles')
    .values({
      key: `add-many-domains:${workspaceId}`,
      count: 999,
      windowEndsAt: new Date(app.clock.now().getTime() + 60_000),
    })
    .execute()
  const refused = await eve.call('POST', '/domains/batch', {
    names: ['a1.test', 'a2.test'],
    mode: 'good',
  })
  expect(refused).toMatchObject({ status: 429, body: { type: 'TOO_MANY_REQUESTS' } })
  expect(refused.headers['retry-after']).toBe('60')
  expect(await namesOf(eve)).toEqual([])
  expect(outcomes(await add(['a1.test'], 'good', eve))).toEqual([['a1.test', 'added']])
  const many = Array.from({ length: 501 }, (_, n) => `n${n}.test`)
  expect((await eve.call('POST', '/domains/batch', { names: many, mode: 'good' })).status).toBe(422)
})

type Row = { id: string; isDone: boolean; message: string; outcome?: string }
const run = async (verb: string, ids: string[], by = ada, more: object = {}): Promise<Row[]> =>
  (await by.call('POST', `/domains/batch/${verb}`, { ids, ...more })).body

const publish = async (id: string, by = ada) => {
  const records = [
    (await by.call('GET', `/dns-records/ownership/${id}`)).body,
    ...(await by.call('GET', `/dns-records/dns/${id}`)).body,
  ]
  for (const { name, type, value, priority } of records)
    world.set(name, type, [type === 'MX' ? `${priority} ${value}` : value])
}

test('many are verified at once, and each that is not right says why', async () => {
  const names = ['v1.test', 'v2.test', 'v3.test']
  for (const name of names) world.zone(name)
  const ids = (await add(names)).map(({ id }) => id ?? '')
  const [first = '', second = '', third = ''] = ids
  await publish(first)
  await publish(second)
  world.set('_dmarc.v2.test', 'TXT', ['v=DMARC1; p=nonsense'])
  const foreign = (await add(['foreign.test'], 'good', bob))[0]?.id ?? ''
  const rows = await run('verify', [...ids, first, foreign, newId()])
  expect(rows.map(({ isDone }) => isDone)).toEqual([true, false, false, false, false])
  expect(rows[1]?.message).toMatch(/^DMARC: /)
  expect(rows[2]?.message).toMatch(/^Ownership: .* SPF: .* DKIM: .* DMARC: /)
  expect(rows[3]?.message).toBe('Not found')
  const verified = await ada.call('GET', `/domains/${first}`)
  expect(verified.body).toMatchObject({ isVerified: true, status: 'active' })
  expect((await ada.call('GET', `/domains/${third}`)).body.isVerified).toBe(false)
})

test('what could not be looked up is not done, and is told apart from what is wrong', async () => {
  const names = ['u1.test', 'u2.test', 'u3.test']
  for (const name of names) world.zone(name)
  const ids = (await add(names)).map(({ id }) => id ?? '')
  for (const id of ids) await publish(id)
  world.set('_dmarc.u2.test', 'TXT', ['v=DMARC1; p=nonsense'])
  expect((await run('verify', ids)).map(({ outcome }) => outcome)).toEqual([
    ...['right', 'work', 'right'],
  ])
  world.behave('u3.test', 'servfail')
  const rows = await run('verify', ids)
  expect(rows.map(({ outcome, isDone }) => [outcome, isDone])).toEqual([
    ...[
      ['right', true],
      ['work', false],
      ['unchecked', false],
    ],
  ])
  expect(rows[2]?.message).toMatch(
    /^This record could not be checked: its name servers did not answer \(\S+ answered SERVFAIL\)\.$/,
  )
  // The list, the figures of the workspace and those over all workspaces count alike.
  app.clock.advance({ minutes: 1 })
  await run('verify', ids)
  const list = (await ada.call('GET', '/domains')).body as { needsWork: boolean }[]
  const needWork = list.filter(({ needsWork }) => needsWork).length
  const { domains } = (await ada.call('GET', '/stats')).body
  const [figures] = (await ada.call('GET', '/workspaces/figures')).body
  expect([domains.needWork, figures.domains.needWork]).toEqual([needWork, needWork])
  const [first, second, third] = ids
  const work = (await ada.call('GET', '/domains')).body
    .filter(
      ({ _id, needsWork }: { _id: string; needsWork: boolean }) => needsWork && ids.includes(_id),
    )
    .map(({ _id }: { _id: string }) => _id)
  expect(work.toSorted()).toEqual([second, third].toSorted())
  expect(work).not.toContain(first)
})

test('the list says which record fails and why, where mail goes, and when it changed', async () => {
  world.zone('h1.test')
  world.set('h1.test', 'MX', ['10 aspmx.l.google.com'])
  world.set('h1.test', 'TXT', ['v=spf1 -all', 'v=spf1 include:_spf.google.com ~all'])
  const [id = ''] = (await add(['h1.test'])).map((row) => row.id ?? '')
  await run('verify', [id])
  const list = async (by: ApiClient) =>
    (await by.call('GET', '/domains/health')).body as DomainHealth[]
  const found = (await list(ada)).find(({ _id }) => _id === id)
  expect(found).toMatchObject({ mailTo: 'Google Workspace', isMailOurs: false, provider: null })
  expect(found?.changedAt).not.toBeNull()
  expect(found?.records.map(({ purpose, required }) => [purpose, required])).toEqual([
    ...[
      ['ownership', true],
      ['spf', true],
      ['dkim', true],
      ['dmarc', true],
      ['mx', false],
    ],
  ])
  const spf = found?.records.find(({ purpose }) => purpose === 'spf')
  expect(spf?.state).toBe('conflict')
  expect(spf?.explanation).toMatch(/SPF/)
  expect((await list(bob)).map(({ _id }) => _id)).not.toContain(id)
})

test('many are deleted, each by its own right', async () => {
  const ids = (await add(['d1.test', 'd2.test'])).map(({ id }) => id ?? '')
  const foreign = (await add(['kept.test'], 'good', bob))[0]?.id ?? ''
  const rows = await run('delete', [...ids, foreign])
  expect(rows.map(({ isDone }) => isDone)).toEqual([true, true, false])
  expect(await namesOf(bob)).toContain('kept.test')
  expect(await namesOf()).not.toContain('d1.test')
  expect((await run('delete', ids)).map(({ message }) => message)).toEqual([
    'Not found',
    'Not found',
  ])
})

test('many move to another workspace; what cannot stays, and says why', async () => {
  const made = await ada.call('POST', '/workspaces', { name: 'Client' })
  const to = made.body._id
  const here = (await ada.call('GET', '/workspaces')).body.find(
    ({ _id }: { _id: string }) => _id !== to,
  )._id
  const from = { 'x-workspace-id': here }
  const rows = (
    await ada.call('POST', '/domains/batch', { names: ['m1.test', 'm2.test'], mode: 'good' }, from)
  ).body as AddedRow[]
  await aDomain(app, { workspaceId: to, name: 'm2.test' })
  const ids = rows.map(({ id }) => id ?? '')
  const moved = await ada.call('POST', '/domains/batch/move', { ids, workspaceId: to }, from)
  expect(moved.body).toEqual([
    { id: ids[0], isDone: true, message: '' },
    {
      ...{ id: ids[1], isDone: false },
      message: 'The other workspace has a domain of this name already',
    },
  ])
  const bobs = (await bob.call('GET', '/workspaces')).body[0]._id
  const denied = await ada.call(
    ...(['POST', '/domains/batch/move', { ids: [ids[1]], workspaceId: bobs }, from] as const),
  )
  expect(denied.body[0].isDone).toBe(false)
})

test('the records of many come as one file, without what a spreadsheet would run', async () => {
  const ids = (await add(['e2.test', 'e1.test'])).map(({ id }) => id ?? '')
  const foreign = (await add(['other.test'], 'good', bob))[0]?.id ?? ''
  const file = await ada.call('POST', '/domains/batch/records', {
    ids: [...ids, foreign],
    format: 'csv',
  })
  expect(file.headers['content-disposition']).toContain('dns-records.csv')
  const lines = file.body.split('\r\n').slice(0, -1)
  expect(lines[0]).toBe(
    '\uFEFF"Domain","Record","State","Type","Host","Full name","Value","Priority","TTL"',
  )
  expect(lines).toHaveLength(11)
  expect(lines[1]).toMatch(
    /^"e1.test","Ownership","waiting","TXT","_mailstead","_mailstead.e1.test",/,
  )
  expect(file.body).not.toContain('other.test')
  // For a spreadsheet of a country that writes 1,5.
  const divided = { ids, format: 'csv', separator: ';' }
  const other = await ada.call('POST', '/domains/batch/records', divided)
  expect(other.body).toContain('"e1.test";"Ownership";"waiting";"TXT";"_mailstead"')
  const zone = await ada.call('POST', '/domains/batch/records', { ids, format: 'zone' })
  expect(zone.body.indexOf('DNS records of e1.test')).toBeLessThan(
    zone.body.indexOf('DNS records of e2.test'),
  )
  const none = await ada.call('POST', '/domains/batch/records', { ids: [foreign], format: 'csv' })
  expect(none.status).toBe(404)
})
