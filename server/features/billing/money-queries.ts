/** What was asked for, paid and given back in a time, across workspaces. For the accountant's table of operators. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

export type Period = { from: Date; until: Date }

/** Invoices and credit notes that were issued in it. */
export const readDocuments = (db: Db, { from, until }: Period) =>
  db
    .selectFrom('invoices')
    .select(['kind', 'series', 'number', 'createdAt as at', 'buyerName', 'buyerVatId'])
    .select(['amountCents', 'taxCents', 'currency', 'status'])
    .where('createdAt', '>=', from)
    .where('createdAt', '<', until)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Payments by card that were made in it; `otherCents`: given back at Stripe, or taken by a bank, whenever that was. */
export const readCardPayments = (db: Db, { from, until }: Period) =>
  db
    .selectFrom('cardPayments as p')
    .innerJoin('invoices as i', 'i.id', 'p.invoiceId')
    .select(['i.series', 'i.number', 'i.buyerName', 'i.buyerVatId', 'p.endedAt as at'])
    .select(['p.paidCents', 'p.currency', 'p.paymentIntentId', 'p.isDisputed'])
    .select(
      sql<number>`p.refunded_cents + p.disputed_cents - coalesce((select sum(r.amount_cents)
        from card_refunds r where r.card_payment_id = p.id and r.state = 'done'), 0)`.as(
        'otherCents',
      ),
    )
    .where('p.paidCents', '>', 0)
    .where('p.endedAt', '>=', from)
    .where('p.endedAt', '<', until)
    .orderBy('p.endedAt')
    .orderBy('p.id')
    .execute()

/** What operators gave back in it. */
export const readCardRefunds = (db: Db, { from, until }: Period) =>
  db
    .selectFrom('cardRefunds as r')
    .innerJoin('cardPayments as p', 'p.id', 'r.cardPaymentId')
    .innerJoin('invoices as i', 'i.id', 'p.invoiceId')
    .select(['i.series', 'i.number', 'i.buyerName', 'i.buyerVatId', 'r.createdAt as at'])
    .select(['r.amountCents', 'p.currency', 'p.paymentIntentId', 'r.state'])
    .where('r.state', '!=', 'refused')
    .where('r.createdAt', '>=', from)
    .where('r.createdAt', '<', until)
    .orderBy('r.createdAt')
    .orderBy('r.id')
    .execute()

/** Invoices that were paid in it in another way, and how much of them. */
export const readHandPayments = (db: Db, { from, until }: Period) =>
  db
    .selectFrom('invoices as i')
    .select(['i.series', 'i.number', 'i.buyerName', 'i.buyerVatId', 'i.paidAt as at', 'i.currency'])
    .select(
      sql<number>`i.collected_cents - coalesce((select sum(greatest(0, paid_cents - refunded_cents - disputed_cents))
        from card_payments p where p.invoice_id = i.id), 0)`.as('cents'),
    )
    .where('i.paidAt', '>=', from)
    .where('i.paidAt', '<', until)
    .orderBy('i.paidAt')
    .orderBy('i.id')
    .execute()
