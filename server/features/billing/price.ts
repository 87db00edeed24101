import type { Price } from '#contract/billing.ts'
import type { App } from '#server/app.ts'

/** What a mailbox costs, as pages say it. */
export const priceOf = (config: App['config']): Price => ({
  cents: config.mailboxPriceCents,
  currency: config.currency,
  taxName: config.tax.name,
  taxRate: config.tax.rate,
  seller: config.seller.name,
  dueDays: config.invoiceDueDays,
})
