/** The customer of a workspace at Stripe, its payments by card, and what was given back of them. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type {
  CardCustomersTable,
  CardPaymentsTable,
  CardRefundsTable,
  LedgerEntriesTable,
} from '#server/storage/rows/card-tables.ts'

export type CustomerRow = Selectable<CardCustomersTable>
export type PaymentRow = Selectable<CardPaymentsTable>
export type RefundRow = Selectable<CardRefundsTable>

export const readCustomer = (db: Db, workspaceId: string): Promise<CustomerRow | undefined> =>
  db
    .selectFrom('cardCustomers')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()

/** By the id of the customer, or of the saved card, at Stripe. Across workspaces. */
export const findCustomer = (db: Db, stripeId: string): Promise<CustomerRow | undefined> =>
  db
    .selectFrom('cardCustomers')
    .selectAll()
    .where((is) => is.or([is('customerId', '=', stripeId), is('paymentMethodId', '=', stripeId)]))
    .executeTakeFirst()

/** The row of the workspace, which must be locked. */
export const openCustomer = async (db: Db, workspaceId: string, at: Date): Promise<CustomerRow> =>
  (await readCustomer(db, workspaceId)) ??
  (await db
    .insertInto('cardCustomers')
    .values({ workspaceId, updatedAt: at })
    .returningAll()
    .executeTakeFirstOrThrow())

export const setCustomer = async (
  db: Db,
  workspaceId: string,
  state: Updateable<CardCustomersTable>,
): Promise<void> => {
  await db.updateTable('cardCustomers').set(state).where('workspaceId', '=', workspaceId).execute()
}

export const insertPayment = (db: Db, payment: Insertable<CardPaymentsTable>) =>
  db.insertInto('cardPayments').values(payment).returningAll().executeTakeFirstOrThrow()

/** The payments of an invoice, oldest first. */
export const readPayments = (
  db: Db,
  { workspaceId, invoiceId }: Pick<PaymentRow, 'workspaceId' | 'invoiceId'>,
): Promise<PaymentRow[]> =>
  db
    .selectFrom('cardPayments')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('invoiceId', '=', invoiceId)
    .orderBy('attempt')
    .execute()

/** The payments of a workspace that have not ended. */
export const readUnderWay = (db: Db, workspaceId: string): Promise<PaymentRow[]> =>
  db
    .selectFrom('cardPayments')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['open', 'confirming'])
    .orderBy('id')
    .execute()

/** By its id, which only Stripe and we know. Across workspaces. */
export const findPayment = (db: Db, id: string): Promise<PaymentRow | undefined> =>
  db.selectFrom('cardPayments').selectAll().where('id', '=', id).executeTakeFirst()

export const setPayment = async (
  db: Db,
  { id, workspaceId }: Pick<PaymentRow, 'id' | 'workspaceId'>,
  state: Updateable<CardPaymentsTable>,
): Promise<void> => {
  await db
    .updateTable('cardPayments')
    .set(state)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Where nothing is made for it yet. @returns the payment as it is now */
export const setMade = async (
  db: Db,
  payment: PaymentRow,
  made: Pick<PaymentRow, 'sessionId' | 'sessionUrl' | 'paymentIntentId'>,
): Promise<PaymentRow> => {
  const { id, workspaceId } = payment
  const set = await db
    .updateTable('cardPayments')
    .set(made)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('sessionId', 'is', null)
    .where('paymentIntentId', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return set ?? (await findPayment(db, id)) ?? payment
}

/** Payments of which Stripe is to be asked, across workspaces. */
export const readPaymentsToLookAt = (db: Db, now: Date): Promise<PaymentRow[]> =>
  db
    .selectFrom('cardPayments')
    .selectAll()
    .where('lookAt', '<=', now)
    .orderBy('lookAt')
    .limit(100)
    .execute()

export const insertRefund = (db: Db, refund: Insertable<CardRefundsTable>) =>
  db.insertInto('cardRefunds').values(refund).returningAll().executeTakeFirstOrThrow()

export const readRefunds = (
  db: Db,
  { workspaceId, id }: Pick<PaymentRow, 'workspaceId' | 'id'>,
): Promise<RefundRow[]> =>
  db
    .selectFrom('cardRefunds')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('cardPaymentId', '=', id)
    .orderBy('id')
    .execute()

/** Refunds that Stripe may not have been asked for yet, with those asked a moment ago. Across workspaces. */
export const readOpenRefunds = (db: Db): Promise<RefundRow[]> =>
  db
    .selectFrom('cardRefunds')
    .selectAll()
    .where('state', '=', 'open')
    .orderBy('id')
    .limit(100)
    .execute()

export const setRefund = async (
  db: Db,
  { id, workspaceId }: Pick<RefundRow, 'id' | 'workspaceId'>,
  state: Updateable<CardRefundsTable>,
): Promise<void> => {
  await db
    .updateTable('cardRefunds')
    .set(state)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export const insertEntries = async (
  db: Db,
  entries: Insertable<LedgerEntriesTable>[],
): Promise<void> => {
  if (entries.length > 0) await db.insertInto('ledgerEntries').values(entries).execute()
}

/** Of one payment. */
export const readEntriesOf = (
  db: Db,
  { workspaceId, id }: Pick<PaymentRow, 'workspaceId' | 'id'>,
) =>
  db
    .selectFrom('ledgerEntries')
    .select(['source', 'kind', 'cents'])
    .where('workspaceId', '=', workspaceId)
    .where('cardPaymentId', '=', id)
    .execute()

/** One whose mail waits, locked; another worker takes the others. Across workspaces. */
export const lockPaymentToMail = (db: Db): Promise<PaymentRow | undefined> =>
  db
    .selectFrom('cardPayments')
    .selectAll()
    .where('mailWaits', 'is not', null)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** Due invoices that the saved card of their workspace may pay, and how often it was refused. Across workspaces. */
export const readChargeable = (db: Db) =>
  db
    .selectFrom('invoices as i')
    .innerJoin('cardCustomers as c', 'c.workspaceId', 'i.workspaceId')
    .innerJoin(workspaceRows(db).as('w'), 'w.id', 'i.workspaceId')
    .select(['i.id as invoiceId', 'i.workspaceId', 'i.dueAt', 'c.paymentMethodId'])
    .select((from) =>
      from
        .selectFrom('cardPayments as p')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('p.invoiceId', '=', 'i.id')
        .whereRef('p.paymentMethodId', '=', 'c.paymentMethodId')
        .where('p.state', '=', 'failed')
        .as('refusals'),
    )
    .where('i.status', '=', 'Due')
    .where('i.collection', '=', 'card')
    .where('w.endsAt', 'is', null)
    .where('c.paymentMethodId', 'is not', null)
    .where('c.customerId', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('cardPayments as p')
            .select('p.id')
            .whereRef('p.invoiceId', '=', 'i.id')
            // What was paid and given back is not charged again by itself.
            .where((is) =>
              is.or([is('p.state', 'in', ['open', 'confirming']), is('p.paidCents', '>', 0)]),
            ),
        ),
      ),
    )
    .orderBy('i.id')
    .execute()
