import type { App } from '#server/app.ts'
import { lockBillingOf, readUnbilledMailboxes, readUnbilledWorkspaces } from './billing-store.ts'
import { issueInvoice, monthOf } from './issue-invoice.ts'

/**
 * Invoices the current month for every mailbox that is used and not invoiced for it yet, one invoice a
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
      // Read again: while this waited, another run may have made the invoice.
      const mailboxes = await readUnbilledMailboxes(tx, workspaceId, start)
      if (mailboxes.length === 0) return 0
      await issueInvoice(app, tx, workspaceId, mailboxes)
      return 1
    })
  return made
}
