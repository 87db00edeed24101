/** Opens the doors that the roles of this process need. Each is imported only when its role needs it. */
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { App } from './app.ts'
import type { ProcessRole } from './config.ts'
import { explainListenError, listenAt } from './lib/ports/bound-ports.ts'

export type Addresses = {
  /** `http://host:port`; null without the role `web`. */
  http: string | null
  /** The ports over TLS, and where browsers are sent on to it; null without HTTPS_PORT and HTTP_PORT. */
  https: number | null
  redirect: number | null
  /** null without the role `smtp`. */
  smtp: { host: string; port: number } | null
  /** Where mail programs send, with STARTTLS and over TLS; null without the role `smtp`. */
  submission: { host: string; port: number; tlsPort: number } | null
  /** null without the role `imap`. */
  imap: { host: string; port: number; tlsPort: number } | null
  /** null without METRICS_LISTEN. */
  metrics: string | null
}

type Close = () => Promise<void>
type OpenDoor = (app: App, addresses: Addresses, options: DoorOptions) => Promise<Close>

/** A type import, so that no door is loaded. */
export type DoorOptions = Pick<import('./http/http-server.ts').HttpOptions, 'moreRoutes'>

/** Calls `onOpen` for each opened door, also when a later one fails. @returns the addresses, filled in as doors open */
export const openDoors = async (
  app: App,
  onOpen: (close: Close) => unknown,
  options: DoorOptions = {},
): Promise<Addresses> => {
  const addresses: Addresses = {
    ...{
      http: null,
      https: null,
      redirect: null,
      smtp: null,
      submission: null,
      imap: null,
      metrics: null,
    },
  }
  const opening = Object.entries(doors)
    .filter(([role]) => app.config.roles.includes(role as ProcessRole))
    .map(([role, open]) => ({ open, isOpen: app.readiness.waitFor(role) }))
  const { metricsListen } = app.config
  if (metricsListen) onOpen(await openMetrics(app, addresses, metricsListen))
  for (const { open, isOpen } of opening) {
    onOpen(await open(app, addresses, options))
    isOpen()
  }
  return addresses
}

/** Imports the doors before the program becomes another user, who cannot write the compile cache. */
export const loadDoors = async (roles: readonly ProcessRole[]): Promise<void> => {
  if (roles.includes('web'))
    await Promise.all([
      import('./http/http-server.ts'),
      import('./http/doors/secure-door.ts'),
      import('./http/doors/plain-door.ts'),
    ])
  if (roles.includes('smtp'))
    await Promise.all([
      import('./mail/inbound/listener.ts'),
      import('./mail/submission/listener.ts'),
    ])
  if (roles.includes('imap')) await import('./mail/imap/listener.ts')
  if (roles.includes('worker'))
    await Promise.all([import('./jobs/runner.ts'), import('./mail/outbound/worker.ts')])
}

/** Opened first, so that it reports which parts are not open yet. */
const openMetrics = async (
  app: App,
  addresses: Addresses,
  { host, port }: { host: string; port: number },
): Promise<Close> => {
  const { metricsServer } = await import('./http/metrics-door.ts')
  const server = metricsServer(app)
  await listenAt(server, port, host).catch((error: unknown) => {
    const settings = { portSetting: 'METRICS_LISTEN', hostSetting: 'METRICS_LISTEN' }
    throw explainListenError(error, { ...settings, port, host })
  })
  addresses.metrics = urlOf(server.address() as AddressInfo)
  return () => closeNow(server)
}

/** HTTPS_PORT and HTTP_PORT, where they are set; the doors without TLS are closed again when one cannot open. */
const openWebDoors = async (
  app: App,
  web: FastifyInstance,
  addresses: Addresses,
): Promise<Close> => {
  const { httpsPort, httpPort, webListen: host } = app.config
  await using doors = new AsyncDisposableStack()
  const listen = (server: Server, portSetting: string, port: number) =>
    listenAt(server, port, host).catch((error: unknown) => {
      throw explainListenError(error, { portSetting, hostSetting: 'HOST', port, host })
    })
  try {
    if (httpsPort !== null) {
      const { openSecureDoor } = await import('./http/doors/secure-door.ts')
      const door = await openSecureDoor(app, web, web.connections)
      await listen(door.server, 'HTTPS_PORT', httpsPort)
      doors.defer(door.close)
      addresses.https = portOf(door.server)
    }
    if (httpPort !== null) {
      const { plainDoor } = await import('./http/doors/plain-door.ts')
      const server = plainDoor(app, web, web.connections)
      await listen(server, 'HTTP_PORT', httpPort)
      doors.defer(() => closeNow(server))
      addresses.redirect = portOf(server)
    }
  } catch (error) {
    await web.close()
    throw error
  }
  const opened = doors.move()
  return () => opened.disposeAsync()
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const closeNow = async (server: HttpServer): Promise<void> => {
  const closed = new Promise((done) => server.close(done))
  server.closeAllConnections()
  await closed
}

/** In this order: the web door answers 503 until the others are open. */
const doors: Partial<Record<ProcessRole, OpenDoor>> = {
  web: async (app, addresses, { moreRoutes }) => {
    const { openHttpServer } = await import('./http/http-server.ts')
    const { keepFilesShared } = await import('./http/pages/share-files.ts')
    const server = await openHttpServer(app, { ...(moreRoutes && { moreRoutes }) })
    const { host, port } = app.config
    try {
      const endSharing = await keepFilesShared(app)
      server.addHook('onClose', async () => endSharing())
      await server.ready()
      await listenAt(server.server, port, host)
    } catch (error) {
      await server.close()
      throw explainListenError(error, { portSetting: 'PORT', hostSetting: 'HOST', port, host })
    }
    addresses.http = urlOf(server.server.address() as AddressInfo)
    const closeDoors = await openWebDoors(app, server, addresses)
    return async () => {
      await Promise.all([closeDoors(), server.close()])
    }
  },
  smtp: async (app, addresses) => {
    const { openInbound } = await import('./mail/inbound/listener.ts')
    const { mailListen: host, smtpPort: port } = app.config
    const inbound = await openInbound(app).catch((error: unknown) => {
      const settings = { portSetting: 'SMTP_PORT', hostSetting: 'MAIL_LISTEN' }
      throw explainListenError(error, { ...settings, port, host })
    })
    addresses.smtp = { host, port: inbound.port }
    const { openSubmission } = await import('./mail/submission/listener.ts')
    const submission = await openSubmission(app).catch(async (error: unknown) => {
      await inbound.close()
      throw error
    })
    addresses.submission = { host, port: submission.starttls, tlsPort: submission.tls }
    const { startMailLoops } = await import('./jobs/mail-loop.ts')
    const loops = startMailLoops(app)
    return async () => {
      await Promise.all([inbound.close(), submission.close(), ...loops.map((loop) => loop.close())])
    }
  },
  imap: async (app, addresses) => {
    const { openImap } = await import('./mail/imap/listener.ts')
    const opened = await openImap(app)
    addresses.imap = { host: app.config.mailListen, port: opened.imap, tlsPort: opened.imaps }
    return () => opened.close()
  },
  worker: async (app) => {
    const { startJobs } = await import('./jobs/runner.ts')
    const { startLoops } = await import('./jobs/loops.ts')
    const { startOutbound } = await import('./mail/outbound/worker.ts')
    const { startWebhooks } = await import('./jobs/webhook-worker.ts')
    const jobs = await startJobs(app)
    const loops = [...startLoops(app), startWebhooks(app)]
    const outbound = startOutbound(app)
    void adviseOperator(app)
    void sayMissingKey(app)
    return async () => {
      await Promise.all([outbound, jobs, ...loops].map((part) => part.close()))
    }
  },
}

/** Any worker may be the one that makes the next backup. Not awaited: the backup itself would fail and say so. */
const sayMissingKey = async (app: App): Promise<void> => {
  const { missingKey } = await import('./features/backups/backup-key.ts')
  const missing = await missingKey(app).catch(() => null)
  if (missing !== null) app.say(missing)
}

/** Not awaited: mail is delivered or queued, whatever DNS answers. */
const adviseOperator = async (app: App): Promise<void> => {
  if (app.config.systemMail === 'outbox') return
  const { checkMailHost } = await import('./features/domains/mail-host.ts')
  try {
    for (const line of await checkMailHost(app)) app.say(line)
  } catch (error) {
    app.log.warn({ err: error }, 'the records of MAIL_HOST could not be checked')
  }
}

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
