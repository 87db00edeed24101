import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { linesBySystem } from '#test-world/audit-lines.ts'
import { aMailbox, anInvoice } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { invoiceMonth, listInvoices } from './invoices.ts'
import { issueInvoice } from './issue-invoice.ts'
import { markInvoicePaid } from './settle-invoice.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const invoicesOf = async (who: Who) => (await listInvoices(app, who, { limit: 50 })).items
const issued = (who: Who) =>
  app.db
    .transaction()
    .execute((tx) =>
      issueInvoice(app, tx, who.workspaceId, [{ id: who.userId, email: 'a@b.example' }]),
    )

it('an invoice has a line for each mailbox, of which there may be more than fit in a statement', async () => {
  const who = await aMember(app)
  const mailboxes = Array.from({ length: 11_000 }, (_, n) => ({
    id: newId(n),
    email: `${n}@b.example`,
  }))
  await app.db.transaction().execute((tx) => issueInvoice(app, tx, who.workspaceId, mailboxes))
  const { count } = await app.db
    .selectFrom('invoiceLines')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspaceId', '=', who.workspaceId)
    .executeTakeFirstOrThrow()
  expect(count).toBe(11_000)
})

describe('the next month', () => {
  beforeEach(async () => {
    await app.db.deleteFrom('mailboxes').execute()
    app.clock.set(new Date('2026-11-20T12:00:00Z'))
  })

  it('is invoiced once for what is still there, a workspace at a time', async () => {
    const [one, two] = [await aMember(app), await aMember(app)]
    const domain = await anActiveDomain(app, one)
    await aMailbox(app, { domain })
    await aMailbox(app, { domain, status: 'suspended' })
    await aMailbox(app, { domain, status: 'inactive' })
    await aMailbox(app, { domain: await anActiveDomain(app, two) })
    await invoiceMonth(app)

    app.clock.set(new Date('2026-12-01T00:12:00Z'))
    const made = await Promise.all([invoiceMonth(app), invoiceMonth(app), invoiceMonth(app)])
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(2)
    const numbers = (await invoicesOf(one)).map(({ number }) => ['invoiceMonth', number])
    expect(await linesBySystem(app, one)).toEqual(numbers.toReversed())
    expect((await invoicesOf(one)).map((invoice) => invoice.productName)).toEqual([
      'Mailbox x 2',
      'Mailbox x 2',
    ])
    expect((await invoicesOf(two)).map((invoice) => invoice.date)).toEqual([
      '2026-12-01T00:12:00.000Z',
      '2026-11-20T12:00:00.000Z',
    ])
    app.clock.set(new Date('2026-12-31T23:59:59Z'))
    expect(await invoiceMonth(app)).toBe(0)
    app.clock.set(new Date('2027-01-01T00:00:00Z'))
    expect(await invoiceMonth(app)).toBe(2)
  })

  it('leaves out what was deleted, and everything with BILLING=off', async () => {
    const who = await aMember(app)
    const mailbox = await aMailbox(app, { domain: await anActiveDomain(app, who) })
    const free = await anApp({ config: { billing: 'off' }, database: app.database })
    expect(await invoiceMonth(free)).toBe(0)
    await free.close()
    await app.db.deleteFrom('mailboxes').where('id', '=', mailbox.id).execute()
    expect(await invoiceMonth(app)).toBe(0)
    expect(await invoicesOf(who)).toEqual([])
  })
})

it('pages through the invoices of the workspace, newest first', async () => {
  const who = await aMember(app)
  const newestFirst: string[] = []
  for (let i = 0; i < 5; i++) {
    if (i % 2 === 0) app.clock.advance({ seconds: 1 })
    newestFirst.push((await issued(who)).number)
  }
  await issued(await aMember(app))
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof listInvoices>> = await listInvoices(app, who, {
      limit: 2,
      ...(cursor !== null && { cursor }),
    })
    seen.push(...page.items.map((invoice) => invoice.number))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(seen.toSorted()).toEqual(newestFirst.toSorted())
  expect(seen[0]).toBe(newestFirst[4])
  await expect(listInvoices(app, who, { limit: 2, cursor: '!' })).rejects.toMatchObject({
    data: { cursor: expect.any(String) },
  })
})

it('is numbered without gaps in its workspace, and tells nothing of others', async () => {
  const [one, other] = [await aMember(app), await aMember(app)]
  const numbers = []
  for (const who of [one, other, one]) numbers.push((await issued(who)).number)
  const of = ({ workspaceId }: Who) => `MS-${workspaceId.slice(-6).toUpperCase()}`
  expect(numbers).toEqual([`${of(one)}-000001`, `${of(other)}-000001`, `${of(one)}-000002`])
})

it('keeps the number that it was issued with before there were series', async () => {
  const who = await aMember(app)
  const { id: _id } = await anInvoice(app, {
    workspaceId: who.workspaceId,
    ...{ series: '', number: 42 },
  })
  expect((await invoicesOf(who))[0]?.number).toBe('MS-000042')
  for (const asTyped of ['42', 'MS-000042'])
    expect(await markInvoicePaid(app, asTyped)).toMatchObject({ _id, status: 'Paid' })
})

it('is marked paid by the operator, by its number as shown or bare', async () => {
  const who = await aMember(app)
  const [first, second] = [await issued(who), await issued(who)]
  expect(await markInvoicePaid(app, first.number)).toEqual({ ...first, status: 'Paid' })
  await markInvoicePaid(app, second.number.slice(3).toLowerCase())
  const paidAt = app.clock.now()
  app.clock.advance({ days: 1 })
  await markInvoicePaid(app, first.number)
  const rows = await app.db
    .selectFrom('invoices')
    .select(['status', 'paidAt'])
    .where('workspaceId', '=', who.workspaceId)
    .execute()
  expect(rows).toEqual([
    { status: 'Paid', paidAt },
    { status: 'Paid', paidAt },
  ])
  for (const wrong of ['MS-999999', 'x', '', '-1', '1; drop table invoices'])
    await expect(markInvoicePaid(app, wrong)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})
