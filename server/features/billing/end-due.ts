import { tellHolders } from '#server/features/accounts/holders.ts'
import {
  activateMailboxes,
  mailboxRows,
  resumeOverdue,
} from '#server/features/mailboxes/mailbox-queries.ts'
import { announceMailboxes } from '#server/features/mailboxes/place-mailboxes.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import type { InvoiceRow } from './billing-store.ts'
import { readInvoicedMailboxes, readPayableMailboxes } from './unpaid-store.ts'

/** Ends that an invoice is due, and that its mailboxes are suspended for it. */
export const endDue = async <T>(
  tx: Db,
  { id, workspaceId }: Pick<InvoiceRow, 'id' | 'workspaceId'>,
  end: () => Promise<T>,
): Promise<T> => {
  const payable = await readPayableMailboxes(tx, workspaceId, id)
  const ended = await end()
  await announceChange(tx, { topic: 'invoices', workspaceId })
  const resumed = await resumeOverdue(tx, workspaceId, payable)
  await tellHolders(tx, resumed)
  if (resumed.length > 0) await announceMailboxes(tx, workspaceId)
  return ended
}

/**
 * The mailboxes of an invoice that is paid by card work from now on (decision 123), also where their domain has moved to another
 * workspace since, and where they wait for their end.
 */
export const activatePaid = async (
  tx: Db,
  { id, workspaceId, collection }: Pick<InvoiceRow, 'id' | 'workspaceId' | 'collection'>,
): Promise<void> => {
  if (collection !== 'card') return
  const paid = await readInvoicedMailboxes(tx, workspaceId, id)
  if (paid.length === 0) return
  const waiting = await mailboxRows(tx)
    .where('id', 'in', paid)
    .where('status', '=', 'inactive')
    .execute()
  for (const place of new Set(waiting.map((mailbox) => mailbox.workspaceId))) {
    const ids = waiting.filter((mailbox) => mailbox.workspaceId === place).map((each) => each.id)
    await activateMailboxes(tx, place, ids)
    await announceMailboxes(tx, place)
  }
}
