/** What a feature, a door or a job may ask for. `start-app.ts` makes one and passes it on. */
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Clock } from './lib/clock.ts'
import type { Dns } from './lib/dns/dns.ts'
import type { Readiness } from './lib/readiness.ts'
import type { Secrets } from './lib/secrets.ts'
import type { LogEvent } from './log-events.ts'
import type { BlobStore } from './storage/blobs/blobs.ts'
import type { Database } from './storage/database.ts'
import type { Listener } from './storage/listen.ts'

export type App = {
  config: Config
  db: Database
  /** Of the database, for what keeps a pool of its own: the job runner. */
  connection: ClientConfig
  listener: Listener
  blobs: BlobStore
  clock: Clock
  dns: Dns
  secrets: Secrets
  readiness: Readiness
  log: Logger
  /** One line for what happened to a mail, a sign-in or a right. */
  logEvent: LogEvent
  /** A plain line for the person at the terminal, whatever LOG_LEVEL is. */
  say(line: string): void
}
