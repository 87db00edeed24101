import type { App } from '#server/app.ts'
import type { Db } from '#server/storage/database.ts'
import type { InvoiceRow } from './billing-store.ts'
import { fileCredit } from './issue-invoice.ts'
import { readOpenLines } from './unpaid-store.ts'

/**
 * A credit note for a sum: whole lines of the invoice first, and a part of one for the rest. A loop mails it. The invoice is locked.
 * @returns the credit note
 */
export const creditCents = async (
  app: Pick<App, 'clock'>,
  tx: Db,
  invoice: InvoiceRow,
  cents: number,
  note: string,
): Promise<InvoiceRow> => {
  const open = await readOpenLines(tx, invoice.workspaceId, invoice.id)
  return fileCredit(app, tx, invoice, {
    lines: linesFor(open, cents).map((line) => ({ ...line, creditedLineId: null })),
    ...{ note, mailWaits: true },
  })
}

type Line = { id: string; mailboxId: string; email: string; amountCents: number }

export const linesFor = <Open extends Line>(
  open: readonly Open[],
  cents: number,
): (Open & { isPart: boolean })[] => {
  let left = cents
  return open.flatMap((line) => {
    if (left === 0 || line.amountCents <= 0) return []
    const amountCents = Math.min(line.amountCents, left)
    left -= amountCents
    return [{ ...line, amountCents, isPart: amountCents < line.amountCents }]
  })
}
