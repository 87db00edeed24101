import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { listInvoices } from '#server/features/billing/invoices.ts'
import { listMailboxes } from '#server/features/mailboxes/read-mailboxes.ts'
import { newId } from '#server/lib/ids.ts'
import { CHANGED_CHANNEL } from '#server/storage/notifications.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { payForMailboxes } from './pay-for-mailboxes.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const unpaid = async (who: Who, count: number): Promise<string[]> => {
  const domain = await anActiveDomain(app, who)
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await aMailbox(app, { domain, status: 'inactive' })).id)
  return ids
}
const invoicesOf = async (who: Who) => (await listInvoices(app, who, { limit: 50 })).items
const statusesOf = async (who: Who) =>
  (await listMailboxes(app, who, { limit: 50 })).items.map((mailbox) => mailbox.status).sort()

describe('paying', () => {
  it('invoices the inactive ones, once each, for this month, and activates them', async () => {
    const who = await aMember(app)
    const [first = '', second = ''] = await unpaid(who, 2)
    const domain = await anActiveDomain(app, who)
    const active = await aMailbox(app, { domain })
    const suspended = await aMailbox(app, { domain, status: 'suspended' })
    const topics: string[] = []
    const stop = await app.listener.subscribe(CHANGED_CHANNEL, (payload) => {
      topics.push(JSON.parse(payload ?? '{}').topic)
    })
    const ids = [first, active.id, second, suspended.id, first.toUpperCase()]
    const invoice = await payForMailboxes(app, who, ids, null)
    expect(invoice).toEqual({
      _id: expect.any(String),
      number: expect.stringMatching(/^MS-[0-9A-F]{6}-000001$/),
      kind: 'invoice',
      productName: 'Mailbox x 2',
      amount: 4,
      amountCents: 400,
      currency: 'usd',
      date: app.clock.now().toISOString(),
      dueAt: '2026-12-04T23:59:59.999Z',
      status: 'Due',
      ...{ isByCard: false, payment: null },
    })
    expect(await invoicesOf(who)).toEqual([invoice])
    expect(await statusesOf(who)).toEqual(['active', 'active', 'active', 'suspended'])
    await expect.poll(() => topics.sort()).toEqual(['invoices', 'mailboxes'])
    stop()
    const row = await app.db
      .selectFrom('invoices')
      .select(['periodStart', 'periodEnd'])
      .where('id', '=', invoice._id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({
      periodStart: new Date('2026-11-01T00:00:00Z'),
      periodEnd: new Date('2026-12-01T00:00:00Z'),
    })
    await expect(payForMailboxes(app, who, ids, null)).rejects.toMatchObject({
      type: 'NOTHING_TO_PAY',
    })
    expect(await invoicesOf(who)).toHaveLength(1)
  })

  it('changes nothing when one id is unknown, foreign or malformed', async () => {
    const who = await aMember(app)
    const ids = await unpaid(who, 1)
    const foreign = await aMailbox(app, { status: 'inactive' })
    for (const wrong of [newId(), foreign.id, 'x', ''])
      await expect(payForMailboxes(app, who, [...ids, wrong], null)).rejects.toMatchObject({
        type: 'NOT_EXISTS',
        data: {},
      })
    expect(await statusesOf(who)).toEqual(['inactive'])
    expect(await invoicesOf(who)).toEqual([])
  })

  it('answers the same invoice to the same key, in any order of the mailboxes', async () => {
    const who = await aMember(app)
    const ids = await unpaid(who, 3)
    const [first = '', ...others] = ids
    const invoice = await payForMailboxes(app, who, [first], 'key-1')
    expect(await payForMailboxes(app, who, [first], 'key-1')).toEqual(invoice)
    await expect(payForMailboxes(app, who, ids, 'key-1')).rejects.toMatchObject({
      type: 'IDEMPOTENCY_MISMATCH',
    })
    const second = await payForMailboxes(app, who, others, 'key-2')
    expect(await payForMailboxes(app, who, others.toReversed(), 'key-2')).toEqual(second)
    expect(await invoicesOf(who)).toHaveLength(2)
    // A key is the workspace's own.
    const stranger = await aMember(app)
    const theirs = await payForMailboxes(app, stranger, await unpaid(stranger, 1), 'key-1')
    expect(theirs._id).not.toBe(invoice._id)
  })

  it('lets a key that failed be used again', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    const active = await aMailbox(app, { domain })
    await expect(payForMailboxes(app, who, [active.id], 'again')).rejects.toMatchObject({
      type: 'NOTHING_TO_PAY',
    })
    const ids = await unpaid(who, 1)
    expect((await payForMailboxes(app, who, ids, 'again')).productName).toBe('Mailbox x 1')
  })

  it.each(['', ' ', 'a b', 'ä', 'x'.repeat(201)])('refuses the key %j', async (key) => {
    const who = await aMember(app)
    await expect(payForMailboxes(app, who, await unpaid(who, 1), key)).rejects.toMatchObject({
      type: 'VALIDATION',
      data: { 'idempotency-key': expect.any(String) },
    })
  })

  it.each(['once', null])(
    'makes one invoice when pressed ten times at once, with key %s',
    async (key) => {
      const who = await aMember(app)
      const ids = await unpaid(who, 4)
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, () => payForMailboxes(app, who, ids, key)),
      )
      const answers = results.map((result) =>
        result.status === 'fulfilled' ? result.value.number : result.reason.type,
      )
      const [invoice] = await invoicesOf(who)
      expect(await invoicesOf(who)).toHaveLength(1)
      expect(invoice?.amountCents).toBe(800)
      expect(answers.filter((answer) => answer === invoice?.number)).toHaveLength(key ? 10 : 1)
      expect(new Set(answers).size).toBe(key ? 1 : 2)
    },
  )

  it('has nothing to take money for with BILLING=off', async () => {
    const free = await anApp({ config: { billing: 'off' }, database: app.database })
    const who = await aMember(app)
    await expect(payForMailboxes(free, who, await unpaid(who, 1), null)).rejects.toMatchObject({
      type: 'NOTHING_TO_PAY',
    })
    await free.close()
  })
})
