/** The invoices of a workspace: made each month, listed, opened. Knows mailboxes only by id. */
import type { InvoiceDocument, listInvoices as listInvoicesRoute } from '#contract/billing.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import { isId } from '#server/lib/ids.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import {
  countInvoices,
  lockBillingOf,
  readInvoice,
  readInvoices,
  readUnbilledMailboxes,
  readUnbilledWorkspaces,
} from './billing-store.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { issueInvoice, monthOf } from './issue-invoice.ts'
import { documentOf, toInvoice } from './to-invoice.ts'

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
      const { number, productName } = await issueInvoice(app, tx, workspaceId, mailboxes)
      const bill = { workspaceId, object: number, details: { for: productName } }
      await recordBySystem(tx, app.clock.now(), 'invoiceMonth', bill)
      return 1
    })
  return made
}

/** Invoices are kept when their workspace ends. */
export const hasInvoices = async (db: Db, workspaceId: string): Promise<boolean> =>
  (await countInvoices(db, workspaceId)) > 0

/** The invoices of the workspace, newest first. */
export const listInvoices = async (
  app: Pick<App, 'db'>,
  who: Pick<Who, 'workspaceId'>,
  { limit, cursor }: Input<typeof listInvoicesRoute>['query'],
): Promise<Output<typeof listInvoicesRoute>> => {
  const after = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && after === null) throw invalidField('cursor', 'Not a cursor')
  const rows = await readInvoices(app.db, who.workspaceId, limit + 1, after)
  const page = pageOf(rows, limit, (row) => ({ at: row.createdAt, id: row.id }))
  return { items: page.items.map(toInvoice), nextCursor: page.nextCursor }
}

/** @throws NOT_EXISTS */
export const getInvoice = async (
  app: Pick<App, 'db'>,
  who: Pick<Who, 'workspaceId'>,
  id: string,
): Promise<InvoiceDocument> => {
  const row = isId(id) ? await readInvoice(app.db, who.workspaceId, id) : undefined
  if (!row) throw new AppError('NOT_EXISTS')
  return documentOf(app.db, row)
}

/** @throws NOT_EXISTS */
export const getInvoicePdf = async (
  app: Pick<App, 'db'>,
  who: Pick<Who, 'workspaceId'>,
  id: string,
): Promise<{ filename: string; content: Buffer }> => {
  const invoice = await getInvoice(app, who, id)
  return { filename: `${invoice.number}.pdf`, content: await invoicePdf(who.workspaceId, invoice) }
}
