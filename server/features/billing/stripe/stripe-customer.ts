/** The customer of a workspace at Stripe, and its saved card. What we keep of the card is for the pages; Stripe has the card. */
import type Stripe from 'stripe'
import type { App } from '#server/app.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { lockBillingOf } from '../billing-store.ts'
import { buyerOf } from '../issue-invoice.ts'
import { takeDetails, toldAtFirst } from './buyer-details.ts'
import { type CustomerRow, openCustomer, readCustomer, setCustomer } from './card-store.ts'
import { isMissing, stripeOf } from './stripe-client.ts'

type Paying = Pick<App, 'db' | 'clock' | 'config'>

/** Made when it is first needed; twice at once makes one. @returns its id */
export const requireCustomer = async (app: Paying, workspaceId: string): Promise<string> => {
  const stripe = await stripeOf(app)
  const row = await app.db.transaction().execute(async (tx) => {
    await lockBillingOf(tx, workspaceId)
    return openCustomer(tx, workspaceId, app.clock.now())
  })
  if (row.customerId !== null) return row.customerId
  const { generation } = row
  const made = await stripe.customers.create(
    { metadata: { workspace: workspaceId } },
    { idempotencyKey: `customer-${workspaceId}-${generation}` },
  )
  const name = await app.db.transaction().execute(async (tx) => {
    await lockBillingOf(tx, workspaceId)
    const now = await readCustomer(tx, workspaceId)
    const { buyerName } = await buyerOf(tx, workspaceId)
    const told = toldAtFirst(buyerName)
    if (now?.generation === generation && now.customerId === null)
      await setCustomer(tx, workspaceId, { customerId: made.id, told, updatedAt: app.clock.now() })
    return buyerName
  })
  await stripe.customers.update(made.id, { name })
  return made.id
}

const NO_CARD = { paymentMethodId: null, cardBrand: '', cardLast4: '', cardExpires: '' }

/**
 * Asks Stripe which card, address and VAT ID the customer has now. One that was deleted there is forgotten, with its card. Where
 * another one asked meanwhile, and was told otherwise, the answer may be the older one: it is asked again.
 */
export const refreshCustomer = async (app: Paying, { workspaceId }: CustomerRow): Promise<void> => {
  for (let tries = 0; tries < 5; tries++) {
    const row = await readCustomer(app.db, workspaceId)
    if (row === undefined || (await refreshOnce(app, row))) return
  }
}

const isSame = (a: CustomerRow, b: CustomerRow | undefined): boolean =>
  a.customerId === b?.customerId && a.paymentMethodId === b.paymentMethodId && a.told === b.told

/** @returns false: the answer may be old */
const refreshOnce = async (app: Paying, row: CustomerRow): Promise<boolean> => {
  if (row.customerId === null) return true
  const stripe = await stripeOf(app)
  const customer = await retrieved(stripe, row.customerId)
  const card = customer && (await savedCardOf(stripe, customer))
  return app.db.transaction().execute(async (tx) => {
    const { workspaceId } = row
    await lockBillingOf(tx, workspaceId)
    if (!isSame(row, await readCustomer(tx, workspaceId))) return false
    const updatedAt = app.clock.now()
    await setCustomer(tx, workspaceId, {
      ...(customer
        ? { told: await takeDetails(tx, row, customer, updatedAt) }
        : { customerId: null, generation: row.generation + 1, told: '' }),
      ...{ ...(card ? cardOf(card) : NO_CARD), updatedAt },
    })
    await announceChange(tx, { topic: 'invoices', workspaceId })
    return true
  })
}

const retrieved = async (stripe: Stripe, id: string): Promise<Stripe.Customer | null> => {
  try {
    const expand = ['invoice_settings.default_payment_method', 'tax_ids']
    const customer = await stripe.customers.retrieve(id, { expand })
    return customer.deleted ? null : customer
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** The one that the customer chose, or the newest. */
const savedCardOf = async (
  stripe: Stripe,
  customer: Stripe.Customer,
): Promise<Stripe.PaymentMethod | null> => {
  const chosen = customer.invoice_settings.default_payment_method
  if (chosen !== null && typeof chosen === 'object') return chosen
  const { data } = await stripe.customers.listPaymentMethods(customer.id, {
    ...{ type: 'card', limit: 1 },
  })
  return data[0] ?? null
}

export const cardOf = ({ id, card }: Stripe.PaymentMethod) => ({
  paymentMethodId: id,
  cardBrand: card?.brand ?? 'card',
  cardLast4: card?.last4 ?? '',
  cardExpires: card ? `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}` : '',
})

/** The card of a payment becomes the one of the next months. */
export const saveCard = async (
  app: Paying,
  { workspaceId, customerId }: { workspaceId: string; customerId: string },
  paymentMethodId: string,
): Promise<void> => {
  const row = await readCustomer(app.db, workspaceId)
  if (row?.customerId !== customerId || row.paymentMethodId === paymentMethodId) return
  const stripe = await stripeOf(app)
  try {
    await stripe.customers.update(customerId, {
      invoice_settings: { default_payment_method: paymentMethodId },
    })
  } catch (error) {
    // Taken away at once, or the customer with it: then there is none to save.
    if (!isMissing(error)) throw error
  }
  await refreshCustomer(app, row)
}
