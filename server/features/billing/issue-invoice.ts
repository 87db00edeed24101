/** Makes invoices: two dollars for each mailbox and calendar month. What a mailbox is, is not known here. */
import { type Invoice, MAILBOX_PRICE_CENTS } from '#contract/billing.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { type InvoiceRow, insertInvoice } from './billing-store.ts'

/** The calendar month of a moment, in UTC: its first instant, and the first of the next month. */
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
