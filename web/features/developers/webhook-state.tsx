import type { OffReason, Webhook } from '#contract/developers/webhooks.ts'
import { Status } from '#web/ui/data/badge.tsx'

export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (!webhook.isOn) return <Status>Off</Status>
  return webhook.failingSince === null ? (
    <Status tone="good">On</Status>
  ) : (
    <Status tone="warn">Failing</Status>
  )
}

export const whyOff: Record<OffReason, string> = {
  admin: 'An Admin switched it off.',
  gone: 'It answered 410, which says that it wants no more events.',
  failing: 'No event arrived there for three days.',
  full: 'Too many events waited for it.',
  'maker-left':
    'The Admin who made it has left or is no Admin any more. Switch it on to take it over, and make a new secret.',
}
