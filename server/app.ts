/** What a feature, a door or a job may ask for. `main.ts` makes one and passes it on. */
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Clock } from './lib/clock.ts'
import type { Dns } from './lib/dns.ts'
import type { Secrets } from './lib/secrets.ts'
import type { BlobStore } from './storage/blobs.ts'
import type { Database } from './storage/database.ts'

export type App = {
  config: Config
  db: Database
  blobs: BlobStore
  clock: Clock
  dns: Dns
  secrets: Secrets
  log: Logger
}
