import { expect, test } from 'vitest'
import type { Journey } from '#contract/mail/sending.ts'
import { journeySummary } from './journey-panel.tsx'

type Delivery = Journey['deliveries'][number]

const delivery = (
  status: Delivery['status'],
  ...kinds: Delivery['steps'][number]['kind'][]
): Delivery => ({
  recipient: 'ada@example.com',
  status,
  steps: kinds.map((kind) => ({ at: '2026-11-21T12:00:00Z', kind, text: '', reply: '' })),
})
const delivered = delivery('delivered', 'delivered')
const failed = delivery('failed', 'failed')
const waiting = delivery('queued', 'deferred', 'next')

test.each([
  [[delivered], 'good', 'Delivered'],
  [[delivered, delivered], 'good', 'Delivered to 2'],
  [[failed], 'bad', 'Not delivered'],
  [[failed, delivered, waiting], 'bad', 'Not delivered to 1 of 3'],
  [[delivery('queued')], 'neutral', 'On its way'],
  [[delivery('sending')], 'neutral', 'On its way'],
  [[waiting], 'warn', 'On its way'],
  [[delivered, waiting], 'warn', 'Delivered to 1 of 2'],
] as const)('%#: %s %s', (deliveries, tone, text) => {
  expect(journeySummary([...deliveries])).toEqual({ tone, text })
})
