/**
 * What an operator's monitoring reads (decision 102): counters of this process, and the state of the installation, read when it is
 * asked for. Nothing names a tenant. `docs/operating/metrics.md` lists them.
 */
import type { App } from '#server/app.ts'
import { readLastWhole } from '#server/features/backups/backup-queries.ts'
import { countInTrouble } from '#server/features/certificates/trouble-queries.ts'
import { readQueueState } from '#server/features/outbox/ledger-queries.ts'
import { diskSpaceOf } from '#server/lib/files/data-folder.ts'
import type { Metric, Sample } from '#server/lib/metrics/open-metrics.ts'
import { processMetrics } from '#server/lib/metrics/process-metrics.ts'

type Described = Omit<Metric, 'samples'>

/** By the names that `app.counters` has. */
const counted: Record<string, Described> = {
  mails_accepted: counter('mails_accepted', 'Mails from other servers that got their 250'),
  mails_accepted_bytes: counter('mails_accepted_bytes', 'Size of those mails', 'bytes'),
  mails_refused: counter('mails_refused', 'Refusals to other servers, by moment and reason'),
  mails_submitted: counter('mails_submitted', 'Mails that mail programs handed in'),
  submissions_refused: counter('submissions_refused', 'Refusals to mail programs that send'),
  deliveries: counter('deliveries', 'Attempts to deliver, by result'),
  complaints: counter('complaints', 'Complaints about mail from here that other servers passed on'),
  sign_ins: counter('sign_ins', 'Sign-ins, by way; those of mail programs are imap and smtp'),
  sign_ins_failed: counter('sign_ins_failed', 'Sign-ins that failed, by reason'),
  sign_ins_throttled: counter('sign_ins_throttled', 'Sign-ins that have to wait'),
  payments_held: counter('payments_held', 'Payments by card that wait for an operator'),
  keys_refused: counter('keys_refused', 'Requests with an API key that was refused, by reason'),
  sign_ups: counter('sign_ups', 'New accounts'),
  rights_changed: counter('rights_changed', 'Changes of rights, by kind'),
  certificates: counter('certificates', 'Answers of the directory of certificates, by result'),
  webhook_attempts: counter('webhook_attempts', 'Events posted to webhooks, by result'),
  jobs: counter('jobs', 'Runs of the scheduled jobs, by job and result'),
}

function counter(name: string, help: string, unit?: Metric['unit']): Described {
  return { name: `mailstead_${name}`, type: 'counter', help, ...(unit && { unit }) }
}

function gauge(name: string, help: string, unit?: Metric['unit']): Described {
  return { name: `mailstead_${name}`, type: 'gauge', help, ...(unit && { unit }) }
}

const states = {
  up: gauge('up', '1 while the database answers and every part of the process works, else 0'),
  queue: gauge('queue_deliveries', 'Deliveries that wait or are under way'),
  queueAge: gauge('queue_oldest_seconds', 'Age of the oldest delivery that waits', 'seconds'),
  diskFree: gauge('disk_free_bytes', 'Free space where DATA_DIR is', 'bytes'),
  diskSize: gauge('disk_size_bytes', 'Size of that disk', 'bytes'),
  certificate: gauge(
    'certificate_expiry_seconds',
    'Time until the certificate that MAIL_HOST shows runs out, negative afterwards',
    'seconds',
  ),
  backupAge: gauge(
    'backup_age_seconds',
    'Time since the last whole backup began; there once one was made',
    'seconds',
  ),
  certificatesWaiting: gauge(
    'certificates_in_trouble',
    'Names whose last order the directory refused',
  ),
}

/** `missing`: the parts that do not work, as /healthz has them. Without a database, what is in it is left out. */
export const metricsOf = async (app: App, missing: readonly string[]): Promise<Metric[]> => {
  const state = missing.includes('database') ? [] : await installationState(app)
  return [
    { ...states.up, samples: [{ value: missing.length === 0 ? 1 : 0 }] },
    ...Object.entries(counted).map(([name, described]) => ({
      ...{ ...described, samples: startedAtZero(app.counters.samplesOf(name), name) },
    })),
    ...(await diskState(app)),
    ...certificateExpiry(app),
    ...state,
    ...processMetrics(),
  ]
}

/** A counter without labels is there from the start, so that its growth is seen. */
const startedAtZero = (samples: Sample[], name: string): Sample[] =>
  samples.length === 0 && WITHOUT_LABELS.has(name) ? [{ value: 0 }] : samples

const WITHOUT_LABELS = new Set([
  ...['mails_accepted', 'mails_accepted_bytes', 'sign_ins_throttled', 'sign_ups', 'complaints'],
])

const installationState = async (app: App): Promise<Metric[]> => {
  const now = app.clock.now()
  const queue = await readQueueState(app.db)
  const oldest = queue.map(({ oldestAt }) => oldestAt.getTime())
  const ageSeconds = oldest.length === 0 ? 0 : (now.getTime() - Math.min(...oldest)) / 1000
  const inTrouble = app.config.acme === null ? 0 : await countInTrouble(app.db)
  const backupAt = await readLastWhole(app.db)
  return [
    {
      ...states.backupAge,
      samples:
        backupAt === null
          ? []
          : [{ value: Math.round((now.getTime() - backupAt.getTime()) / 1000) }],
    },
    {
      ...states.queue,
      samples: ['queued', 'sending'].map((status) => ({
        labels: { state: status },
        value: queue.find((each) => each.status === status)?.count ?? 0,
      })),
    },
    { ...states.queueAge, samples: [{ value: Math.max(0, ageSeconds) }] },
    { ...states.certificatesWaiting, samples: [{ value: inTrouble }] },
  ]
}

const diskState = async ({ config }: App): Promise<Metric[]> => {
  const { freeBytes, sizeBytes } = await diskSpaceOf(config.dataDir)
  return [
    { ...states.diskFree, samples: [{ value: freeBytes }] },
    { ...states.diskSize, samples: [{ value: sizeBytes }] },
  ]
}

/** Of the doors of this process; none where it has no door with TLS. */
const certificateExpiry = ({ certificates, clock }: App): Metric[] => {
  const expiresAt = certificates.expiresAt()
  if (expiresAt === null) return []
  const seconds = (expiresAt.getTime() - clock.now().getTime()) / 1000
  return [{ ...states.certificate, samples: [{ value: Math.round(seconds) }] }]
}
