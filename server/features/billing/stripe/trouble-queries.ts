/** What an operator must know of payments by card: counts, without names. Across workspaces. */
import { sql } from 'kysely'
import { secondsAfter } from '#server/lib/clock.ts'
import type { Db } from '#server/storage/database.ts'

export type CardFigures = {
  /** Invoices of which less, or more, is collected than their payments and credit notes say. */
  wrongInvoices: number
  /** Payments that have been under way for longer than a page of Stripe lives. */
  longPayments: number
  /** Payments in another currency than that of their invoice, which wait for a person. */
  heldPayments: number
  /** Events that were looked at in vain again and again. */
  stuckEvents: number
  /** Payments that were made without an event of Stripe since. */
  untoldPayments: number
}

const DAY_SECONDS = 24 * 3600
/** A page of Stripe lives for a day. */
const LONG_SECONDS = 26 * 3600
/** Events come within seconds. */
const LATE_SECONDS = 3600
const TRIES = 6

/** Due invoices whose card was refused, whose bank asks, or which have no saved card. Orders wait for their buyer. */
export const countUnpayable = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('invoices as i')
    .leftJoin('cardCustomers as c', 'c.workspaceId', 'i.workspaceId')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('i.collection', '=', 'card')
    .where('i.status', '=', 'Due')
    .where((is) =>
      is.or([
        is('i.paymentState', 'in', ['failed', 'needs confirmation']),
        is.and([is('c.paymentMethodId', 'is', null), is('i.reminders', '>', 0)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return count
}

export const readCardFigures = async (db: Db, now: Date): Promise<CardFigures> => {
  const { rows } = await sql<CardFigures>`
    select
      (select count(*)::int from invoices i
        left join lateral (
          select coalesce(sum(greatest(0, paid_cents - refunded_cents - disputed_cents)), 0) as cents
          from card_payments p where p.invoice_id = i.id) kept on true
        where i.kind = 'invoice' and i.collection = 'card'
          and (i.collected_cents < kept.cents or i.collected_cents + i.credited_cents > i.amount_cents)
      ) as "wrongInvoices",
      (select count(*)::int from card_payments where state in ('open', 'confirming')
        and reason = '' and created_at < ${secondsAfter(now, -LONG_SECONDS)}) as "longPayments",
      (select count(*)::int from card_payments where state = 'confirming' and reason <> '') as "heldPayments",
      (select count(*)::int from stripe_events where next_at is not null and tries >= ${TRIES}) as "stuckEvents",
      (select count(*)::int from card_payments p where p.paid_cents > 0
        and p.ended_at between ${secondsAfter(now, -DAY_SECONDS)} and ${secondsAfter(now, -LATE_SECONDS)}
        and not exists (select from stripe_events e where e.received_at >= p.created_at)) as "untoldPayments"`.execute(
    db,
  )
  const [figures] = rows
  if (figures === undefined) throw new Error('a query without its row')
  return figures
}
