/** With BILLING=stripe the demo stands up a stage in the place of Stripe, so that nobody needs an account there, and no money moves. */
import type { App } from '#server/app.ts'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import { aStripeStage, type StripeStage } from '#test-world/stripe/stage.ts'
import { billingCalendar } from './billing-calendar.ts'

export type CardStage = {
  /** Its front page, in the place of Stripe's dashboard. */
  url: string
  /** Settings for the product. */
  settings: Record<string, string>
  /** `url`: where events of the stage go. */
  serve(app: App, url: string): void
  close(): Promise<void>
}

/** @returns null: invoices are paid by hand. @throws StartError */
export const openCardStage = async (
  billing = process.env.BILLING ?? 'invoice',
): Promise<CardStage | null> => {
  if (billing === 'invoice') return null
  if (billing !== 'stripe')
    throw new StartError(`BILLING is '${billing}'; the demo knows invoice and stripe.`)
  const stage: StripeStage = await aStripeStage()
  const { secretKey, webhookSecret } = stage.settings
  return {
    url: stage.url,
    settings: {
      ...{ BILLING: 'stripe', STRIPE_API: stage.url },
      ...{ STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret },
    },
    serve: (app, url) => {
      stage.events.deliverTo(url)
      stage.actions = billingCalendar(app)
    },
    close: () => stage.close(),
  }
}
