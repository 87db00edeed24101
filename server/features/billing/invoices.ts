/** Makes invoices: two dollars per mailbox and calendar month. Knows mailboxes only by id. */
import {
  type Invoice,
  type listInvoices as listInvoicesRoute,
  MAILBOX_PRICE_CENTS,
} from '#contract/billing.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { newId } from '#server/lib/ids.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import {
  countInvoices,
  type InvoiceRow,
  insertInvoice,
  lockBillingOf,
  lockInvoiceByNumber,
  readInvoices,
  readUnbilledMailboxes,
  readUnbilledWorkspaces,
  setInvoicePaid,
} from './billing-store.ts'

/** The calendar month of a moment in UTC: its start, and the start of the next month. */
export const monthOf = (at: Date): { start: Date; end: Date } => ({
  start: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)),
  end: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)),
})

/** Invoices these mailboxes for the current month, inside the caller's transaction, which has locked the workspace. */
export const issueInvoice = async (
  app: App,
  db: Db,
  workspaceId: string,
  mailboxes: { id: string; email: string }[],
): Promise<Invoice> => {
  const now = app.clock.now()
  const month = monthOf(now)
  const row = await insertInvoice(
    db,
    {
      id: newId(now.getTime()),
      workspaceId,
      amountCents: mailboxes.length * MAILBOX_PRICE_CENTS,
      mailboxCount: mailboxes.length,
      periodStart: month.start,
      periodEnd: month.end,
      createdAt: now,
    },
    mailboxes.map(({ id, email }) => ({
      id: newId(now.getTime()),
      mailboxId: id,
      email,
      amountCents: MAILBOX_PRICE_CENTS,
    })),
  )
  await announceChange(db, { topic: 'invoices', workspaceId })
  return toInvoice(row)
}

export const invoiceNumber = ({ series, number }: Pick<InvoiceRow, 'series' | 'number'>): string =>
  ['MS', ...(series === '' ? [] : [series]), String(number).padStart(6, '0')].join('-')

export const toInvoice = (row: InvoiceRow): Invoice => ({
  _id: row.id,
  number: invoiceNumber(row),
  productName: `Mailbox x ${row.mailboxCount}`,
  amountCents: row.amountCents,
  amount: row.amountCents / 100,
  date: row.createdAt.toISOString(),
  status: row.status,
})

/**
 * Invoices the current month for every mailbox that is in use and not invoiced for it yet, one invoice per
 * workspace. Running it again, or on two machines at once, invoices nothing twice.
 * @returns how many invoices it made.
 */
export const invoiceMonth = async (app: App): Promise<number> => {
  if (app.config.billing === 'off') return 0
  const { start } = monthOf(app.clock.now())
  let made = 0
  for (const workspaceId of await readUnbilledWorkspaces(app.db, start))
    made += await app.db.transaction().execute(async (tx) => {
      await lockBillingOf(tx, workspaceId)
      // Read again under the lock: another run may have made the invoice meanwhile.
      const mailboxes = await readUnbilledMailboxes(tx, workspaceId, start)
      if (mailboxes.length === 0) return 0
      await issueInvoice(app, tx, workspaceId, mailboxes)
      return 1
    })
  return made
}

/** Invoices are kept when their workspace ends. */
export const hasInvoices = async (db: Db, workspaceId: string): Promise<boolean> =>
  (await countInvoices(db, workspaceId)) > 0

/** The invoices of the workspace, newest first. */
export const listInvoices = async (
  app: App,
  who: Who,
  { limit, cursor }: Input<typeof listInvoicesRoute>['query'],
): Promise<Output<typeof listInvoicesRoute>> => {
  const after = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && after === null) throw invalidField('cursor', 'Not a cursor')
  const rows = await readInvoices(app.db, who.workspaceId, limit + 1, after)
  const page = pageOf(rows, limit, (row) => ({ at: row.createdAt, id: row.id }))
  return { items: page.items.map(toInvoice), nextCursor: page.nextCursor }
}

/**
 * Records that an invoice was paid. `number` as displayed ('MS-9F3A02-000042'), or without MS and zeros ('9F3A02-42').
 * A paid invoice stays as it is.
 * @throws NOT_EXISTS
 */
export const markInvoicePaid = async (
  app: Pick<App, 'db' | 'clock'>,
  number: string,
): Promise<Invoice> => {
  const [, series = '', digits] =
    /^(?:MS-)?(?:([0-9A-F]{6})-)?(\d{1,15})$/i.exec(number.trim()) ?? []
  if (digits === undefined) throw new AppError('NOT_EXISTS')
  return app.db.transaction().execute(async (tx) => {
    const row = await lockInvoiceByNumber(tx, {
      ...{ series: series.toUpperCase(), number: Number(digits) },
    })
    if (!row) throw new AppError('NOT_EXISTS')
    if (row.status === 'Due') {
      await setInvoicePaid(tx, row.id, app.clock.now())
      await announceChange(tx, { topic: 'invoices', workspaceId: row.workspaceId })
    }
    return toInvoice({ ...row, status: 'Paid' })
  })
}
