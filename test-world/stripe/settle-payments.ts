/** What a worker does with payments by card, at once. */
import { collectPayments } from '#server/features/billing/stripe/collect-payments.ts'
import { keepEvent, lookAtEvents } from '#server/features/billing/stripe/take-events.ts'
import type { TestApp } from '#test-world/app.ts'
import type { StripeStage } from './stage.ts'

/** What the stage tells comes in, and is looked at. */
export const hearEvents = async (app: TestApp, stage: StripeStage): Promise<void> => {
  for (const event of stage.events.waiting.splice(0)) await keepEvent(app, event)
  await lookAtEvents(app)
}

/** The same, and what is due is charged: the second time what the first one began. */
export const settlePayments = async (app: TestApp, stage: StripeStage): Promise<void> => {
  await hearEvents(app, stage)
  app.clock.advance({ minutes: 2 })
  await collectPayments(app)
  await collectPayments(app)
}
