/**
 * The ledger of a payment by card: what came in and went back, each in its time. Entries are only added, so a month that an accountant
 * has read stays as it was, unless Stripe tells of something in it later.
 */
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import type { LedgerEntriesTable } from '#server/storage/rows/card-tables.ts'
import { insertEntries, type PaymentRow, readEntriesOf } from './card-store.ts'
import type { Facts } from './payment-facts.ts'

type Said = Pick<LedgerEntriesTable, 'kind' | 'cents' | 'at'> & { source: string }

/** Adds what differs between what Stripe says and what is entered. The workspace is locked. */
export const enterPayment = async (
  tx: Db,
  { id: cardPaymentId, workspaceId, invoiceId }: PaymentRow,
  facts: Facts,
  now: Date,
): Promise<void> => {
  const said = new Map(saidBy(facts, now).map((each) => [each.source, each]))
  const entered = await readEntriesOf(tx, { id: cardPaymentId, workspaceId })
  // What Stripe does not count any more came back to us: a refund that failed, a dispute that was won.
  for (const { source, kind } of entered)
    if (source !== null && !said.has(source)) said.set(source, { source, kind, cents: 0, at: now })
  const entries = [...said.values()].flatMap(({ source, kind, cents, at }) => {
    const before = entered.filter((entry) => entry.source === source)
    const difference = cents - before.reduce((sum, entry) => sum + entry.cents, 0)
    if (difference === 0) return []
    const named = { id: newId(now.getTime()), workspaceId, invoiceId, cardPaymentId, source, kind }
    return [{ ...named, cents: difference, at: before.length === 0 ? at : now }]
  })
  await insertEntries(tx, entries)
}

const saidBy = (facts: Facts, now: Date): Said[] => [
  { source: facts.paymentIntentId ?? '', kind: 'card', cents: facts.paidCents, at: now },
  ...facts.refunds.map(({ id, ours, cents, at }) => ({
    ...{ source: id, kind: ours === null ? ('return' as const) : ('refund' as const) },
    ...{ cents: -cents, at },
  })),
  ...facts.disputes.map(({ id, cents, at }) => ({
    ...{ source: id, kind: 'return' as const, cents: -cents, at },
  })),
]
