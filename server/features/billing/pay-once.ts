/** Idempotency of payments: a key that was used answers the invoice that it made. */
import { createHash } from 'node:crypto'
import type { Invoice } from '#contract/billing.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { equalBytes } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { insertPayment, lockBillingOf, readInvoice, readPayment } from './billing-store.ts'
import { toInvoice } from './invoices.ts'

/**
 * Runs `pay` unless this key of the workspace has paid already; one payment of a workspace at a time.
 * `request` is what the key stands for. Without a key every call pays.
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
