/** Opens what the roles of this process need. Each part is loaded only by the processes that have it. */
import type { AddressInfo } from 'node:net'
import type { App } from './app.ts'
import type { ProcessRole } from './config.ts'
import { explainListenError } from './lib/listen-error.ts'

export type Addresses = {
  /** `http://host:port`; null without the role `web`. */
  http: string | null
  /** null without the role `smtp`. */
  smtp: { host: string; port: number } | null
}

type Close = () => Promise<void>
type OpenDoor = (app: App, addresses: Addresses, options: DoorOptions) => Promise<Close>

/** Nothing of the doors is loaded for this type. */
export type DoorOptions = Pick<import('./http/http-server.ts').HttpOptions, 'moreRoutes'>

/** @returns the addresses, filled in as the doors open. A door that opened is told to `onOpen`, also when a later one fails. */
export const openDoors = async (
  app: App,
  onOpen: (close: Close) => unknown,
  options: DoorOptions = {},
): Promise<Addresses> => {
  const addresses: Addresses = { http: null, smtp: null }
  const opening = Object.entries(doors)
    .filter(([role]) => app.config.roles.includes(role as ProcessRole))
    .map(([role, open]) => ({ open, isOpen: app.readiness.waitFor(role) }))
  for (const { open, isOpen } of opening) {
    onOpen(await open(app, addresses, options))
    isOpen()
  }
  return addresses
}

/** In this order: the web door answers 503 until the others are open. */
const doors: Partial<Record<ProcessRole, OpenDoor>> = {
  web: async (app, addresses, { moreRoutes }) => {
    const { openHttpServer } = await import('./http/http-server.ts')
    const server = await openHttpServer(app, { ...(moreRoutes && { moreRoutes }) })
    const { host, port } = app.config
    try {
      await server.listen({ host, port })
    } catch (error) {
      await server.close()
      throw explainListenError(error, { portSetting: 'PORT', hostSetting: 'HOST', port, host })
    }
    addresses.http = urlOf(server.server.address() as AddressInfo)
    return () => server.close()
  },
  smtp: async (app, addresses) => {
    const { openInbound } = await import('./mail/inbound/listener.ts')
    const { mailListen: host, smtpPort: port } = app.config
    const inbound = await openInbound(app).catch((error: unknown) => {
      const settings = { portSetting: 'SMTP_PORT', hostSetting: 'MAIL_LISTEN' }
      throw explainListenError(error, { ...settings, port, host })
    })
    addresses.smtp = { host, port: inbound.port }
    return () => inbound.close()
  },
  worker: async (app) => {
    const { startJobs } = await import('./jobs/runner.ts')
    const { startRechecks } = await import('./jobs/recheck-loop.ts')
    const { startImports, startVacationReplies } = await import('./jobs/mailbox-loops.ts')
    const { startOutbound } = await import('./mail/outbound/worker.ts')
    const jobs = await startJobs(app)
    const loops = [startRechecks(app), startVacationReplies(app), startImports(app)]
    const outbound = startOutbound(app)
    void adviseOperator(app)
    return async () => {
      await Promise.all([outbound, jobs, ...loops].map((part) => part.close()))
    }
  },
}

/** In its own time: mail works, or waits in the queue, whatever DNS says. */
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
