import { domainToASCII } from 'node:url'
import { taxIn } from '#contract/money.ts'
import { newId } from '#server/lib/ids.ts'
import { anInvoice } from '#test-world/builders.ts'
import type { Setting } from '../specification/setting.ts'

type Filled = { buyerName: string; domains: readonly string[] }

/** Thirty months of invoices, the newest with a line for each domain. */
export const fillInvoices = async (
  setting: Setting,
  workspaceId: string,
  { buyerName, domains }: Filled,
): Promise<void> => {
  for (let month = 0; month < 30; month++) {
    const periodStart = new Date(Date.UTC(2024, month, 1))
    const count = month ** 3 + 1
    const invoice = await anInvoice(setting, {
      ...{ workspaceId, status: month % 4 === 3 ? 'Due' : 'Paid' },
      ...{ amountCents: 200 * count, mailboxCount: count, series: 'A11CE5', number: month + 1 },
      ...{ taxRate: 1900, taxCents: taxIn(200 * count, 1900), buyerName },
      ...{ periodStart, periodEnd: new Date(Date.UTC(2024, month + 1, 1)), createdAt: periodStart },
    })
    if (month === 29)
      await setting.db
        .insertInto('invoiceLines')
        .values(
          domains.map((domain) => ({
            ...{
              id: newId(),
              workspaceId,
              invoiceId: invoice.id,
              mailboxId: newId(),
            },
            ...{ email: `ada@${domainToASCII(domain)}`, amountCents: 200, creditedLineId: null },
          })),
        )
        .execute()
  }
}
