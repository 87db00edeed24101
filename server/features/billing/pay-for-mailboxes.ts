import { createHash } from 'node:crypto'
import type { Invoice } from '#contract/billing.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { activateMailboxes, lockMailboxes } from '#server/features/mailboxes/mailbox-queries.ts'
import { announceMailboxes } from '#server/features/mailboxes/place-mailboxes.ts'
import { readWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { isId } from '#server/lib/ids.ts'
import { equalBytes } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { insertPayment, lockBillingOf, readInvoice, readPayment } from './billing-store.ts'
import { issueInvoice } from './issue-invoice.ts'
import { findOrder, withdrawOtherOrders } from './stripe/orders.ts'
import { toInvoice } from './to-invoice.ts'

/**
 * One invoice for the inactive mailboxes among these, which become active: at once, or with BILLING=stripe when it is paid.
 * `key` is the Idempotency-Key of the request: used again, it answers the same invoice.
 * @throws STATUS_NOT_ALLOWED while a payment for a part of them is under way; WORKSPACE_DELETED, NOT_EXISTS when one of them is not the workspace's, NOTHING_TO_PAY when none is inactive.
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
  const isByCard = app.config.billing === 'stripe'
  // A repeated request makes nothing, so it must not take back what was ordered since.
  const isRepeated = key !== null && (await readPayment(app.db, workspaceId, key)) !== undefined
  if (!isRepeated) await withdrawOtherOrders(app, workspaceId, ids)
  return app.db.transaction().execute((tx) =>
    payOnce(app, tx, workspaceId, { key, request: ids.join() }, async () => {
      // Holds it, because `payOnce` has locked the workspace.
      if ((await readWorkspace(tx, workspaceId)).endsAt !== null)
        throw new AppError('WORKSPACE_DELETED')
      const mailboxes = await lockMailboxes(tx, workspaceId, ids)
      if (mailboxes.length < ids.length) throw new AppError('NOT_EXISTS')
      const unpaid = mailboxes.filter((mailbox) => mailbox.status === 'inactive')
      if (unpaid.length === 0) throw new AppError('NOTHING_TO_PAY')
      const ordered = isByCard ? await findOrder(app, tx, workspaceId, unpaid) : null
      if (ordered) return toInvoice(ordered)
      const invoice = await issueInvoice(app, tx, workspaceId, unpaid)
      if (isByCard) return invoice
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

/**
 * Idempotent payments: a repeated key answers the invoice that it made.
 * Runs `pay` unless this key of the workspace has already paid. One payment per workspace at a time.
 * `request` is the payment that the key stands for. Without a key every call pays.
 * @throws IDEMPOTENCY_MISMATCH when the key was used for another request.
 */
export const payOnce = async (
  app: App,
  db: Db,
  workspaceId: string,
  { key, request }: { key: string | null; request: string },
  pay: () => Promise<Invoice>,
): Promise<Invoice> => {
  await lockBillingOf(db, workspaceId)
  if (key === null) return pay()
  const requestHash = createHash('sha256').update(request).digest()
  const earlier = await readPayment(db, workspaceId, key)
  if (earlier) {
    if (!equalBytes(earlier.requestHash, requestHash)) throw new AppError('IDEMPOTENCY_MISMATCH')
    const invoice = await readInvoice(db, workspaceId, earlier.invoiceId)
    if (!invoice) throw new AppError('NOT_EXISTS')
    return toInvoice(invoice)
  }
  const invoice = await pay()
  await insertPayment(db, {
    workspaceId,
    key,
    requestHash,
    invoiceId: invoice._id,
    createdAt: app.clock.now(),
  })
  return invoice
}
