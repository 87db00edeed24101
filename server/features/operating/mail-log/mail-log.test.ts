import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LogEvents } from '#server/log-events.ts'
import { openDatabase } from '#server/storage/database.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { freePort } from '#test-world/free-port.ts'
import { findMails } from './find-mails.ts'
import { purgeMailLog, storeMailLog } from './store-mail-log.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.mailEvents.take()
  await app.db.deleteFrom('mailLog').execute()
})

const client = (network: string) => ({ ip: network, network, helo: 'mx.partner.example' })

const refuse = (from: string, to: string[], network = '192.0.2.7', reply = '550 5.1.1 No') =>
  app.logEvent('mail-refused', {
    ...{ ...client(network), at: 'recipient', from, to, reply, why: 'rule' },
  })
const accept = (from: string, to: string[], id = 'a1') =>
  app.logEvent('mail-accepted', { ...client('192.0.2.7'), id, from, to, bytes: 100 })
const bounce = (from: string, to: string) => {
  const delivery: LogEvents['mail-bounced'] = {
    ...{ deliveryId: 'd', messageId: 'm', workspaceId: null, from, to, attempts: 1, tls: true },
    ...{ host: 'mx.partner.example', ip: '192.0.2.7', reply: '552 5.2.2 Mailbox full' },
  }
  app.logEvent('mail-bounced', delivery)
}
const found = async (q: string) => {
  const { items } = await findMails(app, { q, limit: 50 })
  return items.map(({ outcome, from, to }) => [outcome, from, to])
}

test('an address or a domain is found as sender and as recipient, two of them as both', async () => {
  accept('billing@partner.example', ['ada@customer.example', 'bob@customer.example'])
  refuse('Billing@news.partner.example', ['ada@customer.example'])
  bounce('ada@customer.example', 'billing@partner.example')
  refuse('eve@notpartner.example', ['ada@customer.example'])
  await storeMailLog(app)
  expect((await found('ada@customer.example')).toSorted()).toEqual([
    ['accepted', 'billing@partner.example', 'ada@customer.example'],
    ['bounced', 'ada@customer.example', 'billing@partner.example'],
    ['refused', 'Billing@news.partner.example', 'ada@customer.example'],
    ['refused', 'eve@notpartner.example', 'ada@customer.example'],
  ])
  expect(await found('BOB@customer.example')).toHaveLength(1)
  expect(await found('partner.example')).toHaveLength(4)
  expect(await found('news.partner.example customer.example')).toEqual([
    ['refused', 'Billing@news.partner.example', 'ada@customer.example'],
  ])
  expect(await found('nobody@partner.example')).toEqual([])
  const [bounced] = (await findMails(app, { q: 'partner.example', limit: 50 })).items.filter(
    ({ outcome }) => outcome === 'bounced',
  )
  expect(bounced).toMatchObject({ reply: '552 5.2.2 Mailbox full', peer: 'mx.partner.example' })
})

test('what was refused before anybody was named is found by its sender; what has no name is not kept', async () => {
  refuse('spam@bulk.example', [])
  refuse('', [])
  await storeMailLog(app)
  expect(await found('bulk.example')).toEqual([['refused', 'spam@bulk.example', '']])
  expect(await app.db.selectFrom('mailLog').selectAll().execute()).toHaveLength(1)
})

test('equal ones are one row, and who guesses addresses fills no table', async () => {
  for (let n = 0; n < 30; n++) refuse('s@guess.example', ['one@customer.example'], '198.51.100.1')
  for (let n = 0; n < 500; n++)
    refuse('s@guess.example', [`guess${n}@customer.example`], '198.51.100.1')
  refuse('s@other.example', ['ada@customer.example'], '198.51.100.2')
  await storeMailLog(app)
  const rows = await app.db.selectFrom('mailLog').selectAll().execute()
  expect(rows.find(({ recipient }) => recipient === 'one@customer.example')?.times).toBe(30)
  expect(rows.filter(({ peer }) => peer === '198.51.100.1')).toHaveLength(100)
  expect(await found('other.example')).toHaveLength(1)
  app.clock.advance({ hours: 1 })
  refuse('s@guess.example', ['later@customer.example'], '198.51.100.1')
  await storeMailLog(app)
  expect(await found('later@customer.example')).toHaveLength(1)
})

test('many networks that are refused fill neither the memory nor the table', async () => {
  for (let n = 0; n < 20_500; n++) {
    refuse('s@many.example', ['ada@customer.example'], `2001:db8:${(n >> 8).toString(16)}:${n}::`)
    if (n % 5_000 === 0) app.mailEvents.take()
  }
  app.mailEvents.take()
  refuse('s@late.example', ['ada@customer.example'], '203.0.113.9')
  expect(app.mailEvents.take()).toEqual([])
  app.clock.advance({ hours: 1 })
  refuse('s@late.example', ['ada@customer.example'], '203.0.113.9')
  expect(app.mailEvents.take()).toHaveLength(1)
})

test('pages follow each other, the newest first, and two weeks are kept', async () => {
  for (let n = 0; n < 5; n++) {
    accept('a@partner.example', ['ada@customer.example'], `id${n}`)
    app.clock.advance({ seconds: 1 })
  }
  await storeMailLog(app)
  const first = await findMails(app, { q: 'partner.example', limit: 3 })
  expect(first.items.map(({ reply }) => reply)).toEqual(['id4', 'id3', 'id2'])
  const second = await findMails(app, {
    ...{ q: 'partner.example', limit: 3, cursor: first.nextCursor ?? '' },
  })
  expect(second.items.map(({ reply }) => reply)).toEqual(['id1', 'id0'])
  expect(second.nextCursor).toBeNull()
  app.clock.advance({ days: 14 })
  accept('a@partner.example', ['ada@customer.example'], 'new')
  await storeMailLog(app)
  await purgeMailLog(app)
  const { items } = await findMails(app, { q: 'partner.example', limit: 50 })
  expect(items.map(({ reply }) => reply)).toEqual(['new'])
})

test('what is no address and no domain is said to be none, whatever it holds', async () => {
  for (const q of ['%', '_', 'a b c', ' ', '@', 'x@', "'; drop table mail_log"])
    await expect(findMails(app, { q, limit: 10 })).rejects.toMatchObject({ type: 'VALIDATION' })
  accept('a@under_score.example', ['ada@customer.example'])
  await storeMailLog(app)
  expect(await found('customer.example')).toHaveLength(1)
})

test('a reply that no database takes is stored without it', async () => {
  bounce('ada@customer.example', 'a@partner.example')
  refuse('s\0@nul.example', ['ada@customer.example'], '192.0.2.9', '550 a\0b \ud800')
  await storeMailLog(app)
  const { items } = await findMails(app, { q: 'nul.example', limit: 10 })
  expect(items).toMatchObject([{ from: 's@nul.example', reply: '550 ab \ufffd' }])
  expect(await found('partner.example')).toHaveLength(1)
})

test('while the database is away, what is to be stored waits', async () => {
  accept('a@partner.example', ['ada@customer.example'], 'waits')
  const connection = { host: '127.0.0.1', port: await freePort(), user: 'nobody' }
  const db = openDatabase({ connection, maxConnections: 1 }, () => {})
  await expect(storeMailLog({ ...app, db })).rejects.toThrow('ECONNREFUSED')
  await db.destroy()
  accept('a@partner.example', ['ada@customer.example'], 'later')
  await storeMailLog(app)
  const { items } = await findMails(app, { q: 'partner.example', limit: 10 })
  expect(items.map(({ reply }) => reply).toSorted()).toEqual(['later', 'waits'])
})
