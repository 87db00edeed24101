import {
  type CardFigures,
  readCardFigures,
} from '#server/features/billing/stripe/trouble-queries.ts'
import type { Condition } from './condition.ts'

export const cardPayments: Condition = {
  name: 'card-payments',
  afterMinutes: 15,
  mend: 'docs/operating/billing.md says how events reach this installation. The log says which calls to Stripe failed.',
  look: async ({ config, db, clock }) =>
    config.stripe === null ? null : cardTrouble(await readCardFigures(db, clock.now())),
}

/** null: none. */
export const cardTrouble = (figures: CardFigures): string | null => {
  const { wrongInvoices, longPayments, heldPayments, stuckEvents, untoldPayments } = figures
  const said = [
    wrongInvoices > 0 &&
      `Invoices whose sum is not what their payments by card say: ${wrongInvoices}.`,
    longPayments > 0 &&
      `Payments by card that have been under way for more than a day: ${longPayments}.`,
    heldPayments > 0 &&
      `Payments in another currency than that of their invoice, to be given back at Stripe: ${heldPayments}.`,
    stuckEvents > 0 && `Events of Stripe that cannot be looked at: ${stuckEvents}.`,
    untoldPayments > 0 && `Payments by card of which Stripe sent no event: ${untoldPayments}.`,
  ].filter((sentence) => sentence !== false)
  return said.length === 0 ? null : said.join(' ')
}
