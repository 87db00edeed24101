/** The product without its doors: a real database, real files, and a clock that the test moves. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { App } from '#server/app.ts'
import { openCaches } from '#server/caches.ts'
import type { Config } from '#server/config.ts'
import { countingEvents } from '#server/count-events.ts'
import { certificatesOf } from '#server/features/certificates/stored-certificates.ts'
import type { Dns } from '#server/lib/dns/dns.ts'
import { newCounters } from '#server/lib/metrics/counters.ts'
import { newReadiness } from '#server/lib/readiness.ts'
import { secretsFrom } from '#server/lib/secrets.ts'
import { type LogEvents, openLogEvents } from '#server/log-events.ts'
import { openMailEvents } from '#server/mail-events.ts'
import { segmentBlobs } from '#server/storage/blobs/segment-blobs.ts'
import { openListener } from '#server/storage/listen.ts'
import { aClock, type TestClock } from './clock.ts'
import { aDatabase, type TestDatabase } from './database.ts'

export type TestApp = App & {
  clock: TestClock
  database: TestDatabase
  /** Lines that the product wrote to the terminal. */
  said: string[]
  /** `warnings`: texts of the warnings; `logged`: log lines of this event, in order. */
  warnings(): string[]
  logged(event: keyof LogEvents): Record<string, unknown>[]
  close(): Promise<void>
}

export type TestAppOptions = {
  config?: Partial<Config>
  dns?: Dns
  clock?: TestClock
  /** The database of another app, for a second process; the other app drops it. */
  database?: TestDatabase
}

export const anApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const database = options.database ?? (await aDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'mailstead-test-app-'))
  const listener = openListener(database.connection, () => {})
  const config = { ...testConfig(dataDir), ...options.config }
  const said: string[] = []
  const logged: Record<string, unknown>[] = []
  const write = (line: string) => void logged.push(JSON.parse(line))
  const blobs = segmentBlobs(join(dataDir, 'blobs'))
  const log = pino({ base: null, timestamp: false }, { write })
  const clock = options.clock ?? aClock()
  const counters = newCounters()
  const secrets = secretsFrom('a secret for tests, forty characters long')
  const world = { config, db: database.db, listener, secrets, clock, log }
  const certificates = certificatesOf(world)
  const mailEvents = openMailEvents(clock, openLogEvents(log).logEvent)
  return {
    config,
    db: database.db,
    database,
    connection: database.connection,
    listener,
    blobs,
    caches: openCaches(),
    unannouncedMail: new Map(),
    clock,
    dns: options.dns ?? noDns,
    secrets,
    certificates,
    readiness: newReadiness(),
    said,
    say: (line) => void said.push(line),
    log,
    counters,
    mailEvents,
    logEvent: countingEvents(counters, mailEvents.note),
    warnings: () => logged.filter(({ level }) => level === 40).map(({ msg }) => String(msg)),
    logged: (event) => logged.filter((line) => line.event === event),
    close: async () => {
      certificates.close()
      await listener.close()
      await blobs.close()
      if (!options.database) await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Ports chosen by the system, peers on loopback, mail held in the local outbox. */
export const testConfig = (dataDir: string): Config => ({
  port: 0,
  host: '127.0.0.1',
  ...{ mailListen: '127.0.0.1', webListen: '127.0.0.1' },
  ...{ httpsPort: null, httpPort: null, acme: null },
  publicUrl: 'http://localhost:8080',
  isLocal: true,
  dataDir,
  ...{ databaseUrl: null, databasePoolUrl: null, databaseConnections: 20 },
  blobs: { url: null, from: null, cacheBytes: 100_000_000 },
  secret: null,
  dnsServers: [],
  dnsPort: 53,
  mailHost: 'mail.mailstead.test',
  mailIps: ['127.0.0.1'],
  spfInclude: null,
  operatorMail: null,
  ...{ smtpPort: 0, submissionPort: 0, submissionsPort: 0, imapPort: 0, imapsPort: 0 },
  greylist: false,
  dnsbl: [],
  backup: { place: null, at: '03:00', key: null },
  tlsCertFile: null,
  tlsKeyFile: null,
  relayUrl: null,
  mxPort: 25,
  systemFrom: 'no-reply@mail.mailstead.test',
  systemMail: 'outbox',
  google: null,
  ...{ billing: 'invoice', stripe: null },
  mailboxPriceCents: 200,
  currency: 'usd',
  tax: { name: 'VAT', rate: 0 },
  seller: {
    ...{ name: 'Post Office', address: '1 High Street\nLondon', vatId: 'GB 999 9999 73' },
    ...{ email: 'money@post-office.example', paymentDetails: 'IBAN GB33 BUKB 2020 1555 5555 55' },
  },
  invoiceDueDays: 14,
  domainMailboxLimit: 500,
  storageQuotaBytes: 75_000_000_000,
  sendLimit: 500,
  newRecipientLimit: 100,
  undoSeconds: 10,
  operators: [],
  signUp: 'open',
  termsUrl: null,
  privacyUrl: null,
  operatorName: null,
  operatorContact: 'postmaster@mail.test',
  trustedProxies: [],
  proxyProtocol: [],
  allowLoopbackPeers: true,
  metricsListen: null,
  ...{ alertUrl: null, alertRelay: null },
  runAs: null,
  roles: ['web', 'smtp', 'imap', 'worker'],
  logLevel: 'silent',
})

/** Fails every look-up. A test that needs answers passes a Dns with a test server. */
const noDns: Dns = {
  lookUp: async () => noAnswer,
  lookUpAtSource: async () => noAnswer,
  observe: async (name, type) => ({ name, type, zone: null, authorities: [], resolvers: [] }),
  resolve: async () => {
    throw Object.assign(new Error('this test has no DNS'), { code: 'ESERVFAIL' })
  },
}

const noAnswer = { outcome: 'failed' as const, reason: 'this test has no DNS', servers: [] }
