/** Stripe's API as this installation calls it. The package is large, so it is loaded when it is first used. */
import type Stripe from 'stripe'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'

/** A call that takes longer has an unknown outcome, and is made again under the same key. */
const TIMEOUT_MS = 20_000

type StripeSettings = NonNullable<App['config']['stripe']>

const clients = new WeakMap<StripeSettings, Promise<Stripe>>()

type Collecting = { config: Pick<App['config'], 'stripe'> }

/** @throws NOTHING_TO_PAY where BILLING is not stripe */
export const stripeOf = ({ config: { stripe } }: Collecting): Promise<Stripe> => {
  if (stripe === null)
    throw new AppError('NOTHING_TO_PAY', { message: 'Payments by card are not set up here' })
  const client = clients.get(stripe) ?? openClient(stripe)
  clients.set(stripe, client)
  return client
}

const openClient = async ({ secretKey, api }: StripeSettings): Promise<Stripe> => {
  const { default: Client } = await import('stripe')
  const { protocol, hostname, port } = new URL(api)
  const isPlain = protocol === 'http:'
  return new Client(secretKey, {
    ...{ host: hostname, port: port || (isPlain ? 80 : 443), protocol: isPlain ? 'http' : 'https' },
    // We repeat a call ourselves, after a look at what became of it.
    ...{ timeout: TIMEOUT_MS, maxNetworkRetries: 0, telemetry: false },
  })
}

/** What Stripe refused for good: nothing was charged. */
export type Refusal = { code: string; message: string; paymentIntentId: string | null }

/**
 * null: the outcome is not known, or Stripe may answer otherwise later. A used key with other values is no answer, either: what was
 * made under it is there.
 */
export const refusalOf = (error: unknown): Refusal | null => {
  const { type, statusCode, code, decline_code, message, payment_intent } = error as Partial<
    InstanceType<typeof Stripe.errors.StripeError>
  >
  const isCard = type === 'StripeCardError'
  const isRequest = type === 'StripeInvalidRequestError' && statusCode !== 409
  if (!isCard && !isRequest) return null
  return {
    code: decline_code ?? code ?? '',
    message: message ?? '',
    paymentIntentId: payment_intent?.id ?? null,
  }
}

/** The named object is not there (any more). */
export const isMissing = (error: unknown): boolean => refusalOf(error)?.code === 'resource_missing'
