/** With BILLING=stripe: whether Stripe takes the key, and whether its events come (decision 123). */
import { readStripeHealth } from '#server/features/billing/stripe/stripe-health.ts'
import { readCardFigures } from '#server/features/billing/stripe/trouble-queries.ts'
import { timeText } from '#server/lib/clock.ts'
import { cardTrouble } from '../alerts/card-payments.ts'
import { type Check, type Finding, good, page, setting, wrong } from './finding.ts'

const GUIDE = 'docs/operating/billing.md says how.'

export const checkCardPayments: Check = async (app) => {
  if (app.config.stripe === null) return []
  const { key, lastEventAt, missedEventAt, unpayable } = await readStripeHealth(app)
  const trouble = cardTrouble(await readCardFigures(app.db, app.clock.now()))
  const found: Finding[] = []
  if (key !== 'accepted')
    found.push(
      wrong(
        key === 'refused'
          ? 'Stripe refuses the key of this installation.'
          : `Stripe takes the key, but ${key}.`,
        `Make another key at Stripe, set it and restart. ${GUIDE}`,
        setting('STRIPE_SECRET_KEY=sk_...'),
      ),
    )
  if (missedEventAt !== null)
    found.push(
      wrong(
        `An event of Stripe of ${timeText(missedEventAt)} did not come here; ${lastText(lastEventAt)}.`,
        `The endpoint there must be ${app.config.publicUrl}/api/v1/stripe/events, and its signing secret STRIPE_WEBHOOK_SECRET.`,
        page('https://dashboard.stripe.com/webhooks'),
      ),
    )
  if (trouble !== null) found.push(wrong(trouble, 'docs/operating/alerts.md says what to do.'))
  if (found.length > 0) return found
  return [
    good(
      `Stripe takes the key, and ${lastText(lastEventAt)}. Due invoices that no card pays: ${unpayable}.`,
    ),
  ]
}

const lastText = (at: Date | null): string =>
  at === null ? 'no event has come yet' : `the last event came at ${timeText(at)}`
