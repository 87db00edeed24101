import { anApp, type TestApp } from '#test-world/app.ts'
import { aStripeStage, type StripeStage } from './stage.ts'

/** An app whose invoices are paid on a stage of Stripe. `app.close` closes both. */
export const aStripeApp = async (
  given: Parameters<typeof anApp>[0] = {},
): Promise<{ app: TestApp; stage: StripeStage }> => {
  const plain = await anApp(given)
  const stage = await aStripeStage(() => plain.clock.now())
  const config = { ...plain.config, billing: 'stripe' as const, stripe: stage.settings }
  const close = async () => {
    await plain.close()
    await stage.close()
  }
  return { app: { ...plain, config, close }, stage }
}
