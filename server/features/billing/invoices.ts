/** The invoices of a workspace: made each month, listed, opened, marked as paid. Knows mailboxes only by id. */
import type {
  Invoice,
  InvoiceDocument,
  listInvoices as listInvoicesRoute,
} from '#contract/billing.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { resumeOverdue } from '#server/features/mailboxes/mailbox-queries.ts'
import { announceMailboxes } from '#server/features/mailboxes/place-mailboxes.ts'
import { isId } from '#server/lib/ids.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import {
  countInvoices,
  findInvoiceByNumber,
  type InvoiceRow,
  lockBillingOf,
  readInvoice,
  readInvoices,
  readUnbilledMailboxes,
  readUnbilledWorkspaces,
  setInvoice,
} from './billing-store.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { issueInvoice, monthOf } from './issue-invoice.ts'
import { documentOf, toInvoice } from './to-invoice.ts'
import { readPayableMailboxes } from './unpaid-store.ts'

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

/** @throws NOT_EXISTS */
export const getInvoice = async (app: App, who: Who, id: string): Promise<InvoiceDocument> => {
  const row = isId(id) ? await readInvoice(app.db, who.workspaceId, id) : undefined
  if (!row) throw new AppError('NOT_EXISTS')
  return documentOf(app.db, row)
}

/** @throws NOT_EXISTS */
export const getInvoicePdf = async (
  app: App,
  who: Who,
  id: string,
): Promise<{ filename: string; content: Buffer }> => {
  const invoice = await getInvoice(app, who, id)
  return { filename: `${invoice.number}.pdf`, content: await invoicePdf(who.workspaceId, invoice) }
}

/**
 * Records that an invoice was paid. `number` as displayed ('MS-9F3A02-000042'), or without MS and zeros ('9F3A02-42').
 * A paid invoice stays as it is. Mailboxes that were suspended for want of the payment resume.
 * @throws NOT_EXISTS, also for what nobody pays: a credit note, or an invoice that was taken back as a whole
 */
export const markInvoicePaid = async (
  app: Pick<App, 'db' | 'clock'>,
  number: string,
): Promise<Invoice> => {
  const [, series = '', digits] =
    /^(?:MS-)?(?:([0-9A-F]{6})-)?(\d{1,15})$/i.exec(number.trim()) ?? []
  if (digits === undefined) throw new AppError('NOT_EXISTS')
  return app.db.transaction().execute(async (tx) => {
    const asked = { series: series.toUpperCase(), number: Number(digits) }
    const found = await findInvoiceByNumber(tx, asked)
    if (!found) throw new AppError('NOT_EXISTS')
    await lockBillingOf(tx, found.workspaceId)
    const row = await readInvoice(tx, found.workspaceId, found.id)
    if (!row || row.status === 'Credited') throw new AppError('NOT_EXISTS')
    if (row.status === 'Due') await settle(tx, row, app.clock.now())
    return toInvoice({ ...row, status: 'Paid' })
  })
}

const settle = async (tx: Db, row: InvoiceRow, paidAt: Date): Promise<void> => {
  const { id, workspaceId } = row
  await setInvoice(tx, row, { status: 'Paid', paidAt })
  await announceChange(tx, { topic: 'invoices', workspaceId })
  const resumed = await resumeOverdue(
    tx,
    workspaceId,
    await readPayableMailboxes(tx, workspaceId, id),
  )
  if (resumed > 0) await announceMailboxes(tx, workspaceId)
}
