/** What is counted of the log events, for /metrics (decision 102). No label names a tenant, a person or a stranger. */
import type { Counters } from './lib/metrics/counters.ts'
import type { LogEvent, LogEvents } from './log-events.ts'

type Counted = { name: string; labels?: Record<string, string>; amount?: number }
type Count = { [E in keyof LogEvents]: (fields: LogEvents[E]) => Counted[] }

const delivery = (result: string) => (): Counted[] => [{ name: 'deliveries', labels: { result } }]
const certificate = (result: string) => (): Counted[] => [
  { name: 'certificates', labels: { result } },
]

const counts: Count = {
  'mail-accepted': ({ bytes }) => [
    { name: 'mails_accepted' },
    { name: 'mails_accepted_bytes', amount: bytes },
  ],
  'mail-refused': ({ at, why }) => [{ name: 'mails_refused', labels: { at, why } }],
  'mail-submitted': ({ isRepeat }) => [
    { name: 'mails_submitted', labels: { repeat: isRepeat ? 'yes' : 'no' } },
  ],
  'submission-refused': ({ at }) => [{ name: 'submissions_refused', labels: { at } }],
  'mail-delivered': delivery('delivered'),
  'mail-deferred': delivery('deferred'),
  'mail-bounced': delivery('bounced'),
  'complaint-received': () => [{ name: 'complaints' }],
  'signed-in': ({ by }) => [{ name: 'sign_ins', labels: { by } }],
  'program-signed-in': ({ scope }) => [{ name: 'sign_ins', labels: { by: scope } }],
  'program-network-new': () => [],
  'sign-in-failed': ({ why }) => [{ name: 'sign_ins_failed', labels: { why } }],
  'second-factor-changed': () => [],
  'sign-in-throttled': () => [{ name: 'sign_ins_throttled' }],
  'key-refused': ({ why }) => [{ name: 'keys_refused', labels: { why } }],
  'signed-up': () => [{ name: 'sign_ups' }],
  'backup-made': () => [],
  'certificate-issued': certificate('issued'),
  'certificate-refused': certificate('refused'),
  'certificate-revoked': certificate('revoked'),
  'payment-held': () => [{ name: 'payments_held' }],
  'right-changed': ({ what }) => [{ name: 'rights_changed', labels: { what } }],
}

/** Logs and counts. */
export const countingEvents = (counters: Counters, logEvent: LogEvent): LogEvent =>
  ((event, fields) => {
    const counted = (counts[event] as (fields: unknown) => Counted[])(fields)
    for (const { name, labels, amount } of counted) counters.add(name, labels, amount)
    logEvent(event, fields)
  }) as LogEvent
