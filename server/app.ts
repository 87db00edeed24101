/** What features, doors and jobs may use. `start-app.ts` creates it and passes it on. */
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { Caches } from './caches.ts'
import type { Config } from './config.ts'
import type { Clock } from './lib/clock.ts'
import type { Dns } from './lib/dns/dns.ts'
import type { Counters } from './lib/metrics/counters.ts'
import type { Readiness } from './lib/readiness.ts'
import type { Secrets } from './lib/secrets.ts'
import type { Certificates } from './lib/tls/certificates.ts'
import type { LogEvent } from './log-events.ts'
import type { MailEvents } from './mail-events.ts'
import type { BlobStore } from './storage/blobs/blobs.ts'
import type { Database } from './storage/database.ts'
import type { Listener } from './storage/listen.ts'

export type App = {
  config: Config
  db: Database
  /** The database connection settings, for code with a pool of its own: the job runner. */
  connection: ClientConfig
  listener: Listener
  blobs: BlobStore
  caches: Caches
  /** By mailbox id: mailboxes with new mail that this process has not announced yet (`announce-mail.ts`). */
  unannouncedMail: Map<string, { workspaceId: string; mailboxId: string }>
  clock: Clock
  dns: Dns
  secrets: Secrets
  /** Loaded by `openDoors` where a door needs them. */
  certificates: Certificates
  readiness: Readiness
  log: Logger
  /** Of this process, for /metrics. */
  counters: Counters
  /** What this process logged of mails, until a loop stores it. */
  mailEvents: Pick<MailEvents, 'take' | 'giveBack'>
  /** Logs an event of a mail, a sign-in or a right, and counts it. */
  logEvent: LogEvent
  /** Writes a plain line to the operator's terminal, whatever LOG_LEVEL is. */
  say(line: string): void
}
