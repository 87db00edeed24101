import type { Invoice } from '#contract/billing.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { issueInvoice } from '#server/features/billing/invoices.ts'
import { payOnce } from '#server/features/billing/pay-once.ts'
import { isId } from '#server/lib/ids.ts'
import { activateMailboxes, lockMailboxes } from './mailboxes-store.ts'
import { announceMailboxes } from './place-mailboxes.ts'

/**
 * One invoice for the inactive mailboxes among these, which become active.
 * `key` is the Idempotency-Key of the request: used again, it answers the same invoice.
 * @throws NOT_EXISTS when one of them is not the workspace's, NOTHING_TO_PAY when none is inactive.
 */
export const payForMailboxes = async (
  app: App,
  who: Who,
  mailboxIds: string[],
  key: string | null,
): Promise<Invoice> => {
  if (app.config.billing === 'off') throw new AppError('NOTHING_TO_PAY')
  if (key !== null && !/^[\x21-\x7e]{1,200}$/.test(key))
    throw invalidField('idempotency-key', 'A key has 1 to 200 printable characters')
  if (!mailboxIds.every(isId)) throw new AppError('NOT_EXISTS')
  const ids = [...new Set(mailboxIds.map((id) => id.toLowerCase()))].sort()
  const { workspaceId } = who
  return app.db.transaction().execute((tx) =>
    payOnce(app, tx, workspaceId, { key, request: ids.join() }, async () => {
      const mailboxes = await lockMailboxes(tx, workspaceId, ids)
      if (mailboxes.length < ids.length) throw new AppError('NOT_EXISTS')
      const unpaid = mailboxes.filter((mailbox) => mailbox.status === 'inactive')
      if (unpaid.length === 0) throw new AppError('NOTHING_TO_PAY')
      const invoice = await issueInvoice(app, tx, workspaceId, unpaid)
      await activateMailboxes(
        tx,
        workspaceId,
        unpaid.map((mailbox) => mailbox.id),
      )
      await announceMailboxes(tx, workspaceId)
      return invoice
    }),
  )
}
