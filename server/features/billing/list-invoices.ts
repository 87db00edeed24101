import type { listInvoices as listInvoicesRoute } from '#contract/billing.ts'
import { invalidField } from '#contract/errors.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { readInvoices } from './billing-store.ts'
import { toInvoice } from './issue-invoice.ts'

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
