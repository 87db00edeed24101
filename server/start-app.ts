/** Puts the product together, from its settings to its open doors, and takes it apart again. */
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { App } from './app.ts'
import type { Config } from './config.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { openDns } from './lib/dns/dns-client.ts'
import type { Dns } from './lib/dns.ts'
import { makeDataFolder } from './lib/files/data-folder.ts'
import { madeOnce } from './lib/files/made-once.ts'
import { openLog } from './lib/log.ts'
import { newReadiness } from './lib/readiness.ts'
import { randomToken, type Secrets, secretsFrom } from './lib/secrets.ts'
import { StartError } from './lib/start-error.ts'
import { type Addresses, type DoorOptions, openDoors } from './open-doors.ts'
import { fileBlobs } from './storage/blobs.ts'
import type { Database } from './storage/database.ts'
import { rememberOnce } from './storage/installation-store.ts'
import { openListener } from './storage/listen.ts'
import { openStorage } from './storage/open-storage.ts'

export type RunningApp = {
  app: App
  addresses: Addresses
  /** Doors first, the database last. */
  close(): Promise<void>
}

/** What tests put in the place of the real thing. */
export type StartOptions = DoorOptions & {
  clock?: Clock
  dns?: Dns
  log?: Logger
  say?: (line: string) => void
  /** The program cannot go on. */
  onFatal?: (error: Error) => void
}

/** Of a disk that fills, for the log that our own PostgreSQL writes before all else, and for whoever tidies up. */
const DATABASE_RESERVE_BYTES = 100_000_000

/** @throws StartError with a sentence for whoever starts it; what had been opened is closed again. */
export const startApp = async (
  settings: Config,
  options: StartOptions = {},
): Promise<RunningApp> => {
  const config = await withFreePort(settings)
  const log = options.log ?? openLog(config.logLevel)
  await using undo = new AsyncDisposableStack()
  makeDataFolder(config.dataDir)
  const storage = await openStorage(config, {
    onError: (error) => log.warn({ err: error }, 'the database broke off'),
    onLost: (error) => (options.onFatal ?? rethrow)(error),
  })
  undo.defer(() => storage.close())
  const { db, connection } = storage
  const secrets = await openSecrets(config, db)
  const listener = openListener(connection, (error) =>
    log.warn({ err: error }, 'the connection that listens broke'),
  )
  undo.defer(() => listener.close())
  const app: App = {
    config,
    db,
    connection,
    listener,
    blobs: fileBlobs(
      join(config.dataDir, 'blobs'),
      config.databaseUrl === null ? DATABASE_RESERVE_BYTES : 0,
    ),
    clock: options.clock ?? systemClock,
    dns: options.dns ?? openDns({ ...config, servers: config.dnsServers, port: config.dnsPort }),
    secrets,
    readiness: newReadiness(),
    log,
    say: options.say ?? ((line) => void process.stdout.write(`${line}\n`)),
  }
  const doors: (() => Promise<void>)[] = []
  undo.defer(async () => {
    await Promise.all(doors.map((close) => close()))
  })
  const addresses = await openDoors(app, (close) => doors.push(close), options)
  const running = undo.move()
  return { app, addresses, close: () => running.disposeAsync() }
}

/** Links that are mailed need to know the port before it is open. */
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

/** Tokens and sealed keys are worthless under another secret, so the database remembers which one is its own. */
const openSecrets = async (config: Config, db: Database): Promise<Secrets> => {
  const file = join(config.dataDir, 'secret')
  const secrets = secretsFrom(config.secret ?? madeOnce(file, randomToken))
  const mark = secrets.mac('installation').toString('base64url')
  if ((await rememberOnce(db, 'secret', mark)) !== mark)
    throw new StartError(
      `${config.secret === null ? `The secret in ${file}` : 'SECRET'} is not the one that this database was made with. Please set SECRET to that one.`,
    )
  return secrets
}

const rethrow = (error: Error): never => {
  throw error
}
