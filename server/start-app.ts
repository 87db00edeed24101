/** Assembles the product, from its settings to its open doors, and closes it again. */
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { App } from './app.ts'
import { openCaches } from './caches.ts'
import type { Config } from './config.ts'
import { countingEvents } from './count-events.ts'
import { backUpBeforeUpdate } from './features/backups/back-up-before-update.ts'
import { certificatesOf } from './features/certificates/stored-certificates.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import type { Dns } from './lib/dns/dns.ts'
import { openDns } from './lib/dns/dns-client.ts'
import type { BlobMissing } from './lib/files/blob-trouble.ts'
import { madeOnce, makeDataFolder } from './lib/files/data-folder.ts'
import { refuseHalfRestored } from './lib/files/half-restored.ts'
import { openLog } from './lib/log/log.ts'
import { newCounters } from './lib/metrics/counters.ts'
import { addOwnAddresses } from './lib/network-guard.ts'
import { reasonOf, StartError } from './lib/ports/bound-ports.ts'
import { newReadiness, type Readiness } from './lib/readiness.ts'
import { randomToken, type Secrets, secretsFrom } from './lib/secrets.ts'
import { sweepBuffers } from './lib/sweep-buffers.ts'
import { openLogEvents } from './log-events.ts'
import { openMailEvents } from './mail-events.ts'
import { type Addresses, type DoorOptions, openDoors } from './open-doors.ts'
import { openBlobs } from './storage/blobs/open-blobs.ts'
import {
  CONNECTIONS_MENDING,
  connectionTrouble,
  countConnections,
  mostConnections,
  watchName,
} from './storage/connection-count.ts'
import type { Database } from './storage/database.ts'
import { isDatabaseAway } from './storage/database-away.ts'
import { newDatabaseWatch } from './storage/database-watch.ts'
import { recall, rememberOnce } from './storage/installation.ts'
import { openListener } from './storage/listen.ts'
import { openStorage } from './storage/open-storage.ts'

export type RunningApp = {
  app: App
  addresses: Addresses
  /** Closes the doors first, the database last. */
  close(): Promise<void>
}

/** Replacements that tests use. */
export type StartOptions = DoorOptions & {
  clock?: Clock
  dns?: Dns
  log?: Logger
  say?: (line: string) => void
  /** Milliseconds between two checks of the blob store. */
  blobLookMs?: number
}

const troubleTo = (log: Logger) => (error: Error) =>
  log.error({ reason: reasonOf(error) }, 'PostgreSQL is started again until it starts')

/** @throws StartError with a sentence for the operator; everything that was opened is closed again. */
export const startApp = async (
  settings: Config,
  options: StartOptions = {},
): Promise<RunningApp> => {
  const config = await withFreePort(settings)
  const { log, flush } = logOf(config, options.log)
  const events = openLogEvents(log)
  await using undo = new AsyncDisposableStack()
  undo.defer(() => {
    events.flush()
    flush()
  })
  prepareFolder(config.dataDir)
  const readiness = newReadiness()
  const watch = newDatabaseWatch(log, readiness)
  const { report: onError, isSilent } = watch
  const clock = options.clock ?? systemClock
  const say = options.say ?? sayToTerminal
  const told = { onError, isSilent, onTrouble: troubleTo(log), say }
  const storage = await openStorage(config, told, (old) =>
    backUpBeforeUpdate({ config, clock, say, ...old }),
  )
  undo.defer(() => storage.close())
  undo.defer(sweepBuffers())
  const { db, connection } = storage
  const secrets = await openSecrets(config, db)
  const { blobs, close: unwatch } = await openBlobs(
    config,
    db,
    blobEvents(readiness, log),
    options.blobLookMs,
  )
  undo.defer(unwatch)
  watch.start(storage, watchName(await boundOf(config, db, say)))
  undo.defer(() => watch.close())
  const listener = openListener(connection, (error) => {
    watch.report(error)
    log.warn({ err: error }, 'the connection that listens broke')
  })
  undo.defer(() => listener.close())
  const counters = newCounters()
  const mailEvents = openMailEvents(clock, events.logEvent)
  const certificates = certificatesOf({ config, db, listener, secrets, clock, log })
  undo.defer(() => certificates.close())
  const app: App = {
    ...{ config, db, connection, listener, blobs, clock, secrets, certificates, readiness, log },
    caches: openCaches(),
    unannouncedMail: new Map(),
    dns: options.dns ?? openDns({ ...config, servers: config.dnsServers, port: config.dnsPort }),
    ...{ counters, mailEvents },
    logEvent: countingEvents(counters, mailEvents.note),
    say,
  }
  if (!config.allowLoopbackPeers) addOwnAddresses(config.mailIps)
  const doors: (() => Promise<void>)[] = []
  undo.defer(() => Promise.all(doors.map((close) => close())).then(() => {}))
  const addresses = await openDoors(app, (close) => doors.push(close), options)
  const running = undo.move()
  return { app, addresses, close: () => running.disposeAsync() }
}

const sayToTerminal = (line: string): void => void process.stdout.write(`${line}\n`)

/** How many connections it may open, which are said to be too many before it is counted among the others. */
const boundOf = async (
  config: Config,
  db: Database,
  say: (line: string) => void,
): Promise<number> => {
  const most = mostConnections(config)
  const others = await countConnections(db)
  const trouble = connectionTrouble({ ...others, mayOpen: others.mayOpen + most })
  if (trouble !== null) say(`${trouble} ${CONNECTIONS_MENDING}`)
  return most
}

const prepareFolder = (dataDir: string): void => {
  makeDataFolder(dataDir)
  refuseHalfRestored(dataDir)
}

const logOf = (config: Config, given: Logger | undefined) =>
  given
    ? { log: given, flush: () => {} }
    : // The database watch reports it once for all.
      openLog(config.logLevel, { isSaid: isDatabaseAway })

const blobEvents = (readiness: Readiness, log: Logger) => ({
  onAway: (error: Error) => {
    readiness.setAway('blobs', true)
    log.error({ reason: error.message }, 'the blobs are out of reach: mail waits')
  },
  onBack: () => {
    readiness.setAway('blobs', false)
    log.info('the blobs are back')
  },
  onMissing: ({ hash, message }: BlobMissing) => {
    readiness.warn('blob-missing')
    log.error({ event: 'blob-missing', hash }, message)
  },
})

/** Mailed links need the port before it is open. */
const withFreePort = async (config: Config): Promise<Config> => {
  if (config.port !== 0) return config
  const port = await freePort(config.host)
  const publicUrl = config.publicUrl.replace(/:0$/, `:${port}`)
  return { ...config, port, publicUrl }
}

const freePort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() =>
        resolve(address !== null && typeof address === 'object' ? address.port : 0),
      )
    })
  })

/** Tokens and encrypted keys are useless under another secret, so the database stores a mark of its own. */
const openSecrets = async (config: Config, db: Database): Promise<Secrets> => {
  const file = join(config.dataDir, 'secret')
  // A second host would make one of its own, and keep it (decision 133).
  const isMissing = config.secret === null && !existsSync(file)
  if (isMissing && (await recall(db, SECRET_MARK)) !== null)
    throw new StartError(`This database was made with a secret that is not here. ${SET_SECRET}`)
  const secrets = secretsFrom(config.secret ?? madeOnce(file, randomToken))
  const mark = secrets.mac('installation').toString('base64url')
  if ((await rememberOnce(db, SECRET_MARK, mark)) !== mark)
    throw new StartError(
      `${config.secret === null ? `The secret in ${file}` : 'SECRET'} is not the one that this database was made with. ${SET_SECRET}`,
    )
  return secrets
}

const SECRET_MARK = 'secret'
const SET_SECRET =
  'Please set SECRET to that one: if it was never set, it is in the file named secret in the DATA_DIR of the first start.'
