/** Payments by card, which Stripe collects (decision 123). Our invoice stays what is owed. */
import { z } from 'zod'
import { pageElsewhere } from '../auth.ts'
import { invoiceDocument } from '../billing.ts'
import { route } from '../route.ts'

const byId = z.object({ id: z.string() })
/** A page of Stripe, for the browser to go to. */

export const openCheckout = route({
  name: 'openCheckout',
  method: 'POST',
  path: '/invoices/{id}/checkout',
  summary: 'A page of Stripe where an invoice is paid by card; it leads back to the invoice',
  access: 'manage-billing',
  changes: ['invoices'],
  notAudited: 'It leads to a page of Stripe; the log has what was paid there',
  params: byId,
  output: pageElsewhere,
  errors: ['NOT_EXISTS', 'NOTHING_TO_PAY'],
})

export const lookAtInvoice = route({
  name: 'lookAtInvoice',
  method: 'POST',
  path: '/invoices/{id}/look',
  summary: 'Ask Stripe now what became of the payment of an invoice',
  access: 'manage-billing',
  changes: ['invoices', 'mailboxes'],
  notAudited: 'It asks what became of a payment; the log has what was paid',
  params: byId,
  output: invoiceDocument,
  errors: ['NOT_EXISTS'],
})

export const savedCard = z.object({
  /** 'Visa'. */
  brand: z.string(),
  last4: z.string(),
  /** '2028-04'. */
  expires: z.string(),
})
export type SavedCard = z.infer<typeof savedCard>

export const savedCardAnswer = z.object({ card: savedCard.nullable() })

export const getSavedCard = route({
  name: 'getSavedCard',
  method: 'GET',
  path: '/billing/card',
  summary: 'The card that pays the next invoices',
  access: 'manage-billing',
  reads: ['invoices'],
  output: savedCardAnswer,
  errors: [],
})

export const openPortal = route({
  name: 'openPortal',
  method: 'POST',
  path: '/billing/portal',
  summary: 'A page of Stripe where the saved card and the VAT ID are changed',
  access: 'manage-billing',
  changes: ['invoices'],
  notAudited: 'It leads to a page of Stripe',
  output: pageElsewhere,
  errors: ['NOTHING_TO_PAY'],
})

export const refreshSavedCard = route({
  name: 'refreshSavedCard',
  method: 'POST',
  path: '/billing/card/refresh',
  summary: 'Ask Stripe now which card is saved',
  access: 'manage-billing',
  changes: ['invoices'],
  notAudited: 'It asks which card Stripe has',
  output: savedCardAnswer,
  errors: [],
})

export const takeStripeEvent = route({
  name: 'takeStripeEvent',
  method: 'POST',
  path: '/stripe/events',
  summary: "Stripe's events, with its signature; what they say is asked of Stripe and not believed",
  access: 'anyone',
  changes: ['invoices', 'mailboxes'],
  notAudited: 'Stripe tells it; the log has what was paid',
  output: z.object({ received: z.boolean() }),
  errors: ['NOT_EXISTS'],
  takesBytes: true,
  bodyLimitBytes: 256 * 1024,
})
