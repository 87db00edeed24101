import type { Invoice } from '#contract/billing.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { lockInvoiceByNumber, setInvoicePaid } from './billing-store.ts'
import { toInvoice } from './issue-invoice.ts'

/**
 * The operator got the money. `number` as shown ('MS-9F3A02-000042'), or without MS and zeros ('9F3A02-42').
 * Marking a paid invoice again changes nothing.
 * @throws NOT_EXISTS
 */
export const markInvoicePaid = async (
  app: Pick<App, 'db' | 'clock'>,
  number: string,
): Promise<Invoice> => {
  const [, series = '', digits] =
    /^(?:MS-)?(?:([0-9A-F]{6})-)?(\d{1,15})$/i.exec(number.trim()) ?? []
  if (digits === undefined) throw new AppError('NOT_EXISTS')
  return app.db.transaction().execute(async (tx) => {
    const row = await lockInvoiceByNumber(tx, {
      ...{ series: series.toUpperCase(), number: Number(digits) },
    })
    if (!row) throw new AppError('NOT_EXISTS')
    if (row.status === 'Due') {
      await setInvoicePaid(tx, row.id, app.clock.now())
      await announceChange(tx, { topic: 'invoices', workspaceId: row.workspaceId })
    }
    return toInvoice({ ...row, status: 'Paid' })
  })
}
