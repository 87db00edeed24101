/** The SMTP listeners for mail programs that send: with STARTTLS, and over TLS (RFC 6409, 8314). Protocol only. */
import { type AddressInfo, createServer, type Server } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { MAX_MESSAGE_BYTES } from '#contract/fields.ts'
import { MAX_RECIPIENTS } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { behindBalancers } from '#server/lib/ports/behind-balancers.ts'
import { explainListenError, listenAt } from '#server/lib/ports/bound-ports.ts'
import '../inbound/address-commands.ts'
import { patience } from '../inbound/patience.ts'
import { type DataLimits, openDataReader } from '../inbound/read-data.ts'
import { onRefusal } from '../inbound/smtp-refusal.ts'
import { hideAuthBeforeTls } from './before-tls.ts'
import { CLIENT_LIMITS, type ClientLimits, type Clients, openClients } from './clients.ts'
import { signInHandler } from './sign-in.ts'
import { mailHandlers, type Taking } from './take-mail.ts'

/** The timeout of RFC 5321 §4.5.3.2.7. */
const IDLE_MS = 300_000
/** 25 MB at 14 kB a second. */
const MESSAGE_MS = 1_800_000
const CLOSE_MS = 5_000
/** RFC 4954 §4. */
const MAX_LINE = 12_288

/** Tests set these lower. */
export type SubmissionLimits = ClientLimits & DataLimits & { idleMs: number; messageMs: number }

/** `starttls` and `tls`: the ports. */
export type OpenSubmission = { starttls: number; tls: number; close: () => Promise<void> }

export const openSubmission = async (
  app: App,
  given: Partial<SubmissionLimits> = {},
): Promise<OpenSubmission> => {
  const limits = { ...CLIENT_LIMITS, idleMs: IDLE_MS, messageMs: MESSAGE_MS, ...given }
  const { certificates } = app
  await certificates.load()
  const hangUp = (id: string, reason: string): boolean => {
    const found = servers.flatMap(({ connections }) =>
      [...connections].filter((connection) => connection.id === id),
    )
    for (const connection of found) connection.send(421, reason)
    return found.length > 0
  }
  const clients = await openClients(app, limits, hangUp)
  const slow = patience(hangUp, limits.messageMs)
  const data = await openDataReader(app, { folder: 'submitting', ...given })
  const options = {
    ...handlersOf(app, { clients, data, slow, cut: hangUp }),
    ...certificates.usual(),
    SNICallback: certificates.forName,
  }
  const servers = serversOf(app, clients, { ...options, socketTimeout: limits.idleMs })
  const [plain, secure] = servers
  const starttls = createServer((socket) =>
    clients.accept(socket, {
      ...{ certificates: null, serve: (top, id) => plain.connect(top, { id }) },
    }),
  )
  const overTls = createServer((socket) =>
    clients.accept(socket, {
      certificates,
      serve: (top, id) => secure.connect(top, { id }),
    }),
  )
  const doors = [starttls, overTls]
  for (const door of doors) {
    door.maxConnections = limits.places + limits.signedIn
    behindBalancers(door, app)
  }
  await listen(app, starttls, 'SUBMISSION_PORT', app.config.submissionPort)
  await listen(app, overTls, 'SUBMISSIONS_PORT', app.config.submissionsPort)
  const stopWatching = certificates.onChange((usual) => plain.updateSecureContext(usual))
  return {
    starttls: portOf(starttls),
    tls: portOf(overTls),
    close: async () => {
      stopWatching()
      clients.close()
      const closed = doors.map((door) => new Promise((done) => door.close(done)))
      // From now on they answer each command with 421, and finish the mails that they have.
      for (const server of servers) server.close(() => {})
      const forced = setTimeout(clients.destroy, CLOSE_MS)
      await Promise.all(closed)
      clearTimeout(forced)
    },
  }
}

const fixed: SMTPServerOptions = {
  banner: 'Mailstead',
  size: MAX_MESSAGE_BYTES,
  maxRecipients: MAX_RECIPIENTS,
  authMethods: ['PLAIN', 'LOGIN'],
  // The library answers some in jest, and trusts proxies that are not there.
  disabledCommands: ['VRFY', 'HELP', 'WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD'],
  // AUTH LOGIN takes three lines.
  maxAllowedUnauthenticatedCommands: 20,
  hideENHANCEDSTATUSCODES: false,
  // DNS look-ups go only through DNS_SERVERS, and a reverse name proves nothing.
  disableReverseLookup: true,
  closeTimeout: CLOSE_MS,
  maxCommandLength: MAX_LINE,
  logger: false,
}

const handlersOf = (app: App, taking: Taking): SMTPServerOptions => ({
  onConnect: (session, done) => {
    taking.slow.begin(session)
    done()
  },
  onClose: (session, done) => {
    taking.slow.end(session)
    taking.clients.leave(session.id)
    done()
  },
  onAuth: signInHandler(app, taking.clients),
  ...mailHandlers(app, taking),
})

/** The second one does no TLS of its own: its sockets have begun it. */
const serversOf = (
  app: App,
  clients: Clients,
  handlers: SMTPServerOptions,
): [plain: SMTPServer, secure: SMTPServer] => {
  const serverOf = (how: SMTPServerOptions): SMTPServer => {
    const server = new SMTPServer({ ...fixed, ...handlers, name: app.config.mailHost, ...how })
    hideAuthBeforeTls(server)
    logRefusals(app, clients, server)
    // Broken connections of clients are not errors of this server.
    server.on('error', (error) => app.log.debug({ err: error }, 'a mail program broke off'))
    return server
  }
  return [serverOf({}), serverOf({ secure: true, secured: true })]
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const listen = async (
  app: App,
  server: Server,
  portSetting: string,
  port: number,
): Promise<void> => {
  const host = app.config.mailListen
  await listenAt(server, port, host).catch((error: unknown) => {
    throw explainListenError(error, { portSetting, hostSetting: 'MAIL_LISTEN', port, host })
  })
}

const logRefusals = (app: App, clients: Clients, server: SMTPServer): void =>
  onRefusal(server, ({ session, ip, ...refusal }) => {
    const mailboxId = clients.signInOf(session.id)?.mailboxId ?? null
    app.logEvent('submission-refused', { ...refusal, mailboxId, ip, network: networkOf(ip) })
  })
