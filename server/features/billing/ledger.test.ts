/** What the ledger takes over of payments from before it, and of the version before, which knows nothing of it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/lib/ids.ts'
import { openDatabase } from '#server/storage/database.ts'
import { withOlderDatabase } from '#server/storage/scratch-tables.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { anInvoice, aWorkspace } from '#test-world/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const PAID_AT = new Date('2026-11-25T10:00:00Z')

test('takes over what was paid and given back before it', async () => {
  await withOlderDatabase(app.connection, '0095-keys-of-holders', async (client, migrate) => {
    const connection = { ...app.connection, database: client.database }
    const db = openDatabase({ connection, maxConnections: 1 }, () => {})
    const old = { ...app, db }
    const { id: workspaceId } = await aWorkspace(old)
    const paid = { workspaceId, status: 'Paid', paidAt: PAID_AT } as const
    // As the version before 0089 leaves it, when it marks one paid after 0089 ran.
    const { id: byHand } = await anInvoice(old, { ...paid, number: 1 })
    const byCard = await anInvoice(old, { ...paid, number: 2, collectedCents: 150 })
    const payment = { id: newId(), workspaceId, invoiceId: byCard.id, currency: 'usd' }
    await db
      .insertInto('cardPayments')
      .values({
        ...{ ...payment, attempt: 1, kind: 'checkout', state: 'paid', amountCents: 200 },
        ...{ paymentIntentId: 'pi_1', paidCents: 200, refundedCents: 50 },
        ...{ createdAt: PAID_AT, endedAt: PAID_AT },
      })
      .execute()
    const refund = { cardPaymentId: payment.id, amountCents: 50, note: '', askedBy: 'terminal' }
    const at = new Date('2026-12-02T10:00:00Z')
    await db
      .insertInto('cardRefunds')
      .values({
        ...{ id: newId(), workspaceId, ...refund, state: 'done', refundId: 're_1', createdAt: at },
      })
      .execute()
    await db.updateTable('invoices').set({ creditedCents: 50 }).where('number', '=', 2).execute()
    await migrate()
    const entries = await db
      .selectFrom('ledgerEntries')
      .select(['invoiceId', 'kind', 'cents', 'at', 'source'])
      .orderBy('at')
      .orderBy('kind')
      .execute()
    expect(entries).toEqual([
      { invoiceId: byCard.id, kind: 'card', cents: 200, at: PAID_AT, source: 'pi_1' },
      { invoiceId: byHand, kind: 'hand', cents: 200, at: PAID_AT, source: null },
      { invoiceId: byCard.id, kind: 'refund', cents: -50, at, source: 're_1' },
    ])
    const collected = await db
      .selectFrom('invoices')
      .select('collectedCents')
      .orderBy('number')
      .execute()
    expect(collected.map(({ collectedCents }) => collectedCents)).toEqual([200, 150])
    await db.destroy()
  })
})

test('counts what the version before marks paid, while both run, and nothing else', async () => {
  const { id: workspaceId } = await aWorkspace(app)
  const { id } = await anInvoice(app, { workspaceId, creditedCents: 30 })
  const mark = (state: { status: 'Paid'; collectedCents?: number }) =>
    app.db
      .updateTable('invoices')
      .set({ ...state, paidAt: PAID_AT })
      .where('workspaceId', '=', workspaceId)
      .where('status', '=', 'Due')
      .execute()
  await mark({ status: 'Paid' })
  await anInvoice(app, { workspaceId, number: 2 })
  // This version says the sum itself, with the entry.
  await mark({ status: 'Paid', collectedCents: 200 })
  const entries = await app.db
    .selectFrom('ledgerEntries')
    .select(['invoiceId', 'kind', 'cents', 'at'])
    .where('workspaceId', '=', workspaceId)
    .execute()
  expect(entries).toEqual([{ invoiceId: id, kind: 'hand', cents: 170, at: PAID_AT }])
  const fixed = 'an entry of the ledger does not change'
  const ofInvoice = ['invoiceId', '=', id] as const
  const changed = app.db
    .updateTable('ledgerEntries')
    .set({ cents: 1 })
    .where(...ofInvoice)
  await expect(changed.execute()).rejects.toThrow(fixed)
  const deleted = app.db.deleteFrom('ledgerEntries').where(...ofInvoice)
  await expect(deleted.execute()).rejects.toThrow(fixed)
  const rows = await app.db
    .selectFrom('invoices')
    .select('collectedCents')
    .where('workspaceId', '=', workspaceId)
    .orderBy('number')
    .execute()
  expect(rows.map(({ collectedCents }) => collectedCents)).toEqual([170, 200])
})
