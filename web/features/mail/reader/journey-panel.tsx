/** The delivery of a message that was sent from here: one line, and on demand each step for each recipient. */
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { getJourney, type Journey } from '#contract/mail/sending.ts'
import type { Message } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { JourneySteps } from '#web/mail-content/journey-steps.tsx'
import { cn } from '#web/ui/cn.ts'
import { Badge, type Tone } from '#web/ui/data/badge.tsx'

export function JourneyPanel({ mailboxId, message }: { mailboxId: string; message: Message }) {
  const [isOpen, setIsOpen] = useState(false)
  const stepsId = useId()
  // Received mail has authentication results; mail without them was sent from here.
  const query = useApi(
    getJourney,
    { params: { id: mailboxId, messageId: message._id } },
    { enabled: message.authentication === null && message.folder !== 'drafts' },
  )
  const journey = query.data
  if (!journey || journey.deliveries.length === 0) return null
  const { tone, text } = journeySummary(journey.deliveries)
  return (
    <section aria-label="Journey" className="px-5 pb-4 sm:px-6">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={stepsId}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-6 items-center gap-1.5 rounded text-soft text-xs hover:text-ink"
      >
        <Badge tone={tone}>{text}</Badge>
        Journey
        <ChevronDown
          className={cn('size-3.5 transition-transform', isOpen && 'rotate-180')}
          aria-hidden
        />
      </button>
      <div id={stepsId} hidden={!isOpen}>
        {isOpen && <WholeJourney journey={journey} />}
      </div>
    </section>
  )
}

/** All deliveries of a message in one line. */
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

function WholeJourney({ journey: { steps, deliveries } }: { journey: Journey }) {
  return (
    <div className="mt-3 grid gap-4 rounded-xl bg-sunken px-4 py-3 text-xs">
      <JourneySteps steps={steps} />
      {deliveries.map((delivery) => (
        <section key={delivery.recipient} className="grid gap-2">
          <h3 className="wrap-anywhere font-medium">{delivery.recipient}</h3>
          {delivery.steps.length === 0 ? (
            <p className="text-soft">Waiting for the first try.</p>
          ) : (
            <JourneySteps steps={delivery.steps} />
          )}
        </section>
      ))}
    </div>
  )
}
