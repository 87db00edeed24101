/** The SMTP listener for mail from other servers (port 25 in production): protocol only, no AUTH, no relaying. */

import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { MAX_MESSAGE_BYTES } from '#contract/fields.ts'
import { MAX_RECIPIENTS } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { watchSenderList } from '#server/features/junk/sender-list.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { newId } from '#server/lib/ids.ts'
import { behindBalancers } from '#server/lib/ports/behind-balancers.ts'
import { listenAt } from '#server/lib/ports/bound-ports.ts'
import { acceptMessage, type Envelope } from './accept-message.ts'
import './address-commands.ts'
import { refusalOfNetwork } from './listed-senders.ts'
import { logAccepted, logRefusals, noteReason } from './log-mail.ts'
import { patience, TOO_SLOW } from './patience.ts'
import { openPlaces, PLACE_LIMITS, type PlaceLimits, type Places } from './places.ts'
import { type DataLimits, type DataReader, openDataReader } from './read-data.ts'
import { accepted, mailFromOf, recipientHandler } from './recipient-handler.ts'
import { refusalOf } from './smtp-refusal.ts'

/** The timeout of RFC 5321 §4.5.3.2.7. */
const IDLE_MS = 300_000
/** 25 MB at 14 kB a second. */
const MESSAGE_MS = 1_800_000
/** Connections beyond the places: those that are about to enter or leave. */
const MORE_CLIENTS = 500
const CLOSE_MS = 5_000

/** Tests set these lower. */
export type Limits = Partial<
  DataLimits & PlaceLimits & { idleMs: number; messageMs: number; guesses: number; clients: number }
>

export const openInbound = async (
  app: App,
  given: Limits = {},
): Promise<{ port: number; close: () => Promise<void> }> => {
  const { idleMs = IDLE_MS, messageMs = MESSAGE_MS } = given
  await app.certificates.load()
  const cut = (id: string, reason: string) => {
    for (const connection of server.connections)
      if (connection.id === id) connection.send(421, reason)
  }
  const placeLimits = { ...PLACE_LIMITS, ...given }
  const places = openPlaces(placeLimits, cut)
  const slow = patience(cut, messageMs)
  const data = await openDataReader(app, given)
  const server: SMTPServer = new SMTPServer({
    ...limits,
    maxClients: given.clients ?? placeLimits.places + MORE_CLIENTS,
    socketTimeout: idleMs,
    ...app.certificates.usual(),
    SNICallback: app.certificates.forName,
    name: app.config.mailHost,
    onConnect: (session, done) => {
      slow.begin(session)
      const refusal = places.enter(session)
      if (refusal !== null) return done(Object.assign(new Error(refusal), { responseCode: 421 }))
      void refusalOfNetwork(app, session.remoteAddress).then((blocked) => {
        if (blocked) noteReason(session, blocked)
        done(blocked)
      })
    },
    onClose: (session, done) => {
      slow.end(session)
      places.leave(session.id)
      done()
    },
    onMailFrom: (_address, session, done) => {
      places.heard(session.id, 'waiting')
      done()
    },
    onRcptTo: recipientHandler(app, places, given.guesses),
    onData: dataHandler(app, { data, places, cut, heard: slow.heard }),
  })
  logRefusals(app, server)
  server.server.maxConnections = placeLimits.places + 4 * MORE_CLIENTS
  // Broken connections of clients are not errors of this server.
  server.on('error', (error) => app.log.debug({ err: error }, 'an incoming connection broke'))
  behindBalancers(server.server, app)
  const port = await listen(app, server)
  const stopWatching = app.certificates.onChange((usual) => server.updateSecureContext(usual))
  const stopWatchingList = await watchSenderList(app)
  return {
    port,
    close: () => {
      stopWatching()
      stopWatchingList()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const dataHandler =
  (app: App, receiving: Receiving): NonNullable<SMTPServerOptions['onData']> =>
  (stream, session, done) => {
    receiver(app, receiving)(stream, session).then(
      (id) => done(null, `Accepted as ${id}`),
      (error: unknown) => {
        noteReason(session, error)
        done(refusalOf(app, error))
      },
    )
  }

type Receiving = {
  data: DataReader
  places: Places
  cut(id: string, reason: string): void
  heard(session: SMTPServerSession): void
}

/** Returns the id of the stored message. @throws SmtpRefusal, and every error of blob store and database */
const receiver =
  (app: App, { data, places, cut, heard }: Receiving) =>
  async (
    stream: Parameters<NonNullable<SMTPServerOptions['onData']>>[0],
    session: SMTPServerSession,
  ): Promise<string> => {
    const envelope = envelopeOf(session, newId())
    const arriving = {
      network: networkOf(envelope.ip),
      workspaceIds: workspacesOf(envelope),
      cut: () => cut(session.id, TOO_SLOW),
    }
    let bytes = 0
    places.heard(session.id, 'data')
    try {
      await data.withData(stream, arriving, async (raw) => {
        heard(session)
        await acceptMessage(app, raw, envelope)
        bytes = raw.length
      })
      logAccepted(app, session, { id: envelope.id, bytes })
      places.delivered(session.id)
    } finally {
      places.heard(session.id, 'waiting')
    }
    return envelope.id
  }

const workspacesOf = ({ recipients }: Envelope): string[] => [
  ...new Set(recipients.flatMap(({ workspaceId }) => workspaceId ?? [])),
]

const limits: SMTPServerOptions = {
  banner: 'Mailstead',
  size: MAX_MESSAGE_BYTES,
  maxRecipients: MAX_RECIPIENTS,
  disabledCommands: ['AUTH'],
  hideENHANCEDSTATUSCODES: false,
  // DNS look-ups go only through DNS_SERVERS, and a reverse name proves nothing.
  disableReverseLookup: true,
  closeTimeout: CLOSE_MS,
  maxCommandLength: 2_048,
  logger: false,
}

/** Returns the port. @throws the error of net.Server when it cannot be opened */
const listen = async (app: App, server: SMTPServer): Promise<number> => {
  await listenAt(server.server, app.config.smtpPort, app.config.mailListen)
  return (server.server.address() as AddressInfo).port
}

const envelopeOf = (session: SMTPServerSession, id: string): Envelope => {
  const { rcptTo } = session.envelope
  const [only] = rcptTo
  return {
    id,
    mailFrom: mailFromOf(session),
    helo: session.hostNameAppearsAs,
    ip: session.remoteAddress,
    protocol: session.transmissionType,
    recipients: rcptTo.flatMap((address) => accepted.get(address) ?? []),
    onlyRecipient: rcptTo.length === 1 && only !== undefined ? only.address : null,
  }
}
