/** All the deliveries of a message in one line. */
import type { Journey } from '#contract/journey.ts'
import type { Tone } from '#web/ui/data/badge.tsx'

export type JourneySummary = { tone: Tone; text: string }

export function journeySummary(deliveries: Journey['deliveries']): JourneySummary {
  const count = (status: 'delivered' | 'failed') =>
    deliveries.filter((delivery) => delivery.status === status).length
  const all = deliveries.length
  const [delivered, failed] = [count('delivered'), count('failed')]
  if (delivered === all)
    return { tone: 'good', text: all === 1 ? 'Delivered' : `Delivered to ${all}` }
  if (failed > 0)
    return {
      tone: 'bad',
      text: all === 1 ? 'Not delivered' : `Not delivered to ${failed} of ${all}`,
    }
  const isTriedAgain = deliveries.some(({ steps }) => steps.some(({ kind }) => kind === 'deferred'))
  const text = delivered > 0 ? `Delivered to ${delivered} of ${all}` : 'On its way'
  return { tone: isTriedAgain ? 'warn' : 'neutral', text }
}
