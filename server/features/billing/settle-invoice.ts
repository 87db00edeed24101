/** What the operator does with an invoice from a terminal: marks it as paid, or takes it back. Writes no mail there. */
import type { Invoice } from '#contract/billing.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { tellHolders } from '#server/features/accounts/holders.ts'
import { resumeOverdue } from '#server/features/mailboxes/mailbox-queries.ts'
import { announceMailboxes } from '#server/features/mailboxes/place-mailboxes.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import {
  findInvoiceByNumber,
  type InvoiceRow,
  lockBillingOf,
  readInvoice,
  setInvoice,
} from './billing-store.ts'
import { fileCredit } from './issue-invoice.ts'
import { invoiceNumber, readInvoiceNumber, toInvoice } from './to-invoice.ts'
import { readOpenLines, readPayableMailboxes } from './unpaid-store.ts'

type Operator = Pick<App, 'db' | 'clock'>

/**
 * Records that an invoice was paid. `number` as displayed ('MS-9F3A02-000042'), or without MS and zeros ('9F3A02-42').
 * A paid invoice stays as it is. Mailboxes that were suspended for want of the payment resume.
 * @throws NOT_EXISTS, also for what nobody pays: a credit note, or an invoice that was taken back as a whole
 */
export const markInvoicePaid = (app: Operator, number: string): Promise<Invoice> =>
  withInvoice(app, number, async (tx, row) => {
    if (row.status === 'Due') {
      const paid = { status: 'Paid' as const, paidAt: app.clock.now() }
      await settle(tx, row, () => setInvoice(tx, row, paid))
    }
    return { ...row, status: 'Paid' }
  })

/**
 * Takes back all that is still due of an invoice, by a credit note that a loop mails (decision 061). Its mailboxes stay as they
 * are, and those that were suspended for want of the payment resume. @returns the credit note
 * @throws NOT_EXISTS as `markInvoicePaid` does; STATUS_NOT_ALLOWED for one that is paid
 */
export const voidInvoice = (app: Operator, number: string): Promise<Invoice> =>
  withInvoice(app, number, async (tx, row) => {
    if (row.status === 'Paid')
      throw new AppError('STATUS_NOT_ALLOWED', {
        message: `${invoiceNumber(row)} is paid, so it cannot be taken back.`,
      })
    const lines = await readOpenLines(tx, row.workspaceId, row.id)
    return settle(tx, row, () =>
      fileCredit(app, tx, row, {
        lines: lines.map((line) => ({ ...line, creditedLineId: null })),
        ...{ note: VOID, mailWaits: true },
      }),
    )
  })

const VOID = 'The invoice was taken back as a whole.'

/** The invoice is locked, and read again under the lock. */
const withInvoice = async (
  { db }: Operator,
  number: string,
  change: (tx: Db, row: InvoiceRow) => Promise<InvoiceRow>,
): Promise<Invoice> => {
  const asked = readInvoiceNumber(number)
  if (asked === null) throw new AppError('NOT_EXISTS')
  return db.transaction().execute(async (tx) => {
    const found = await findInvoiceByNumber(tx, asked)
    if (!found) throw new AppError('NOT_EXISTS')
    await lockBillingOf(tx, found.workspaceId)
    const row = await readInvoice(tx, found.workspaceId, found.id)
    if (!row || row.status === 'Credited') throw new AppError('NOT_EXISTS')
    return toInvoice(await change(tx, row))
  })
}

/** Ends that an invoice is due, and that its mailboxes are suspended for it. */
const settle = async <T>(
  tx: Db,
  { id, workspaceId }: InvoiceRow,
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
