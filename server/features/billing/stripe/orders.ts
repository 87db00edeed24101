/**
 * With BILLING=stripe an invoice of Pay Now is an order until it is paid: its mailboxes are inactive, and nobody owes for them yet
 * (decision 123). Another choice of mailboxes, or no payment in time, takes it back by a credit note.
 */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { type InvoiceRow, lockBillingOf, readInvoice } from '../billing-store.ts'
import { creditCents } from '../credit-cents.ts'
import { endDue } from '../end-due.ts'
import { monthOf } from '../issue-invoice.ts'
import { invoiceNumber, openCentsOf } from '../to-invoice.ts'
import { hasOtherInvoice, readDueLines, readInvoicedMailboxes } from '../unpaid-store.ts'
import { closePayment, requireNoPayment } from './close-payment.ts'

type Named = Pick<InvoiceRow, 'id' | 'workspaceId'>

/** The unpaid invoices by card for these mailboxes. */
const readOrders = async (db: Db, workspaceId: string, mailboxIds: string[]) => {
  const lines = await readDueLines(db, workspaceId, mailboxIds)
  const ids = [...new Set(lines.map(({ invoiceId }) => invoiceId))]
  const rows = await Promise.all(ids.map((id) => readInvoice(db, workspaceId, id)))
  return rows.filter((row) => row !== undefined && row.collection === 'card') as InvoiceRow[]
}

type Selling = Pick<App, 'clock' | 'config'>

/** For these mailboxes, this month, at the price of now, which the button says, and by card. */
const isFor = async ({ clock, config }: Selling, db: Db, order: InvoiceRow, ids: string[]) => {
  const ordered = await readInvoicedMailboxes(db, order.workspaceId, order.id)
  const isSame = ordered.toSorted().join() === ids.toSorted().join()
  const isNow = order.periodStart.getTime() === monthOf(clock.now()).start.getTime()
  const cents = ids.length * config.mailboxPriceCents
  const isPrice = order.currency === config.currency && openCentsOf(order) === cents
  return isSame && isNow && isPrice && config.billing === 'stripe'
}

/**
 * The order of exactly these mailboxes for this month. The workspace is locked.
 * @throws STATUS_NOT_ALLOWED where one of them is in another order, so that none is paid twice
 */
export const findOrder = async (
  app: Selling,
  tx: Db,
  workspaceId: string,
  mailboxes: { id: string }[],
): Promise<InvoiceRow | null> => {
  const ids = mailboxes.map(({ id }) => id)
  const orders = await readOrders(tx, workspaceId, ids)
  const [order] = orders
  if (order === undefined) return null
  if (orders.length === 1 && (await isFor(app, tx, order, ids))) return order
  throw new AppError('STATUS_NOT_ALLOWED', {
    message: 'An invoice for one of these mailboxes is being paid. Please try again in a minute.',
  })
}

/** Before an order of these mailboxes: what was ordered otherwise before is taken back. */
export const withdrawOtherOrders = async (
  app: Pick<App, 'db' | 'clock' | 'config'>,
  workspaceId: string,
  mailboxIds: string[],
): Promise<void> => {
  if (mailboxIds.length === 0) return
  const inactive = await readInactive(app.db, { workspaceId })
    .where('id', 'in', mailboxIds)
    .execute()
  const ids = inactive.map(({ id }) => id)
  for (const order of await readOrders(app.db, workspaceId, ids))
    if (!(await isFor(app, app.db, order, ids)))
      await withdraw(app, order, 'It was not paid, and the mailboxes were chosen anew.')
}

type Ordered = { workspaceId: string; domainId?: string; mailboxId?: string }

const readInactive = (db: Db, { workspaceId, domainId, mailboxId }: Ordered) =>
  mailboxRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('status', '=', 'inactive')
    .where('endsAt', 'is', null)
    .$if(domainId !== undefined, (rows) => rows.where('domainId', '=', domainId ?? ''))
    .$if(mailboxId !== undefined, (rows) => rows.where('id', '=', mailboxId ?? ''))

/**
 * Before mailboxes are deleted: of a workspace, a domain, or one. What was ordered of them is taken back, so that nobody pays for what
 * is gone. @throws STATUS_NOT_ALLOWED while a payment of an order is under way
 */
export const withdrawOrdersOf = async (
  app: Pick<App, 'db' | 'clock' | 'config'>,
  ordered: Ordered,
): Promise<void> => {
  if (app.config.stripe === null) return
  const ids = (await readInactive(app.db, ordered).execute()).map(({ id }) => id)
  for (const order of await readOrders(app.db, ordered.workspaceId, ids))
    if (await isUndelivered(app.db, order))
      await withdraw(app, order, 'It was not paid, and a mailbox of it was deleted.')
}

const withdraw = async (
  app: Pick<App, 'db' | 'clock' | 'config'>,
  { id, workspaceId }: Named,
  note: string,
): Promise<void> => {
  await closePayment(app, { id, workspaceId })
  await app.db.transaction().execute(async (tx) => {
    await lockBillingOf(tx, workspaceId)
    const order = await readInvoice(tx, workspaceId, id)
    if (order?.status !== 'Due') return
    await requireNoPayment(tx, order)
    await endDue(tx, order, () => creditCents(app, tx, order, openCentsOf(order), note))
    // The payment that chose anew may still be refused, and its line with it.
    const object = invoiceNumber(order)
    await recordBySystem(tx, app.clock.now(), 'orderWithdrawn', { workspaceId, object })
  })
}

/** Takes an overdue order back: nothing was delivered. @returns false where it is none */
export const lapseOrder = async (
  app: Pick<App, 'db' | 'clock' | 'config'>,
  named: Named,
): Promise<boolean> => {
  const invoice = await readInvoice(app.db, named.workspaceId, named.id)
  if (!invoice || !(await isUndelivered(app.db, invoice))) return false
  await withdraw(app, named, 'It was not paid in time, so its mailboxes were not activated.')
  return true
}

/**
 * Takes an order of an earlier month back: its mailboxes have not worked in that month, so nobody pays for it any more.
 * @returns false where it is none. @throws STATUS_NOT_ALLOWED while a payment of it is under way
 */
export const withdrawOutdated = async (
  app: Pick<App, 'db' | 'clock' | 'config'>,
  named: Named,
): Promise<boolean> => {
  const invoice = await readInvoice(app.db, named.workspaceId, named.id)
  if (!invoice || invoice.periodEnd > app.clock.now()) return false
  if (!(await isUndelivered(app.db, invoice))) return false
  await withdraw(app, named, 'Its month ended before it was paid, and its mailboxes did not work.')
  return true
}

/** Nothing of it was paid, and none of its mailboxes has worked for it: to take it back takes nothing from anybody. */
const isUndelivered = async (db: Db, order: InvoiceRow): Promise<boolean> => {
  if (order.status !== 'Due' || order.collection !== 'card') return false
  if (order.collectedCents > 0 || order.paymentState === 'disputed') return false
  const ids = await readInvoicedMailboxes(db, order.workspaceId, order.id)
  if (ids.length === 0) return false
  const delivered = await mailboxRows(db)
    .where('id', 'in', ids)
    .where('status', '!=', 'inactive')
    .executeTakeFirst()
  // One that has gone had worked where another invoice was for it, too.
  return delivered === undefined && !(await hasOtherInvoice(db, order.id, ids))
}
