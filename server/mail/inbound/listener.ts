/** The SMTP door for mail from other servers (port 25 in production): protocol only, no AUTH, no relaying. */
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { MAX_RECIPIENTS } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { openTls } from '#server/lib/tls/tls.ts'
import { acceptMessage, type Envelope } from './accept-message.ts'
import { fairShare } from './clients/fair-share.ts'
import { patience } from './clients/patience.ts'
import { MAX_MESSAGE_BYTES, withData } from './read-data.ts'
import { accepted, mailFromOf, recipientHandler } from './recipient-handler.ts'
import { refusalOf } from './refusal-of.ts'

/** RFC 5321 §4.5.3.2.7. */
const IDLE_MS = 300_000
/** 25 MB at 14 kB a second. */
const MESSAGE_MS = 1_800_000
/** An idle one costs 20 kB. */
const MAX_CLIENTS = 2_000
const CLOSE_MS = 5_000

/** Tests do not wait for minutes. */
export type Waits = { idleMs?: number; messageMs?: number }

export const openInbound = async (
  app: App,
  { idleMs = IDLE_MS, messageMs = MESSAGE_MS }: Waits = {},
): Promise<{ port: number; close: () => Promise<void> }> => {
  const tls = openTls({
    certFile: app.config.tlsCertFile,
    keyFile: app.config.tlsKeyFile,
    dataDir: app.config.dataDir,
    mailHost: app.config.mailHost,
    onWarning: (sentence) => app.log.warn(sentence),
  })
  const share = fairShare()
  const slow = patience(() => server, messageMs)
  const server: SMTPServer = new SMTPServer({
    ...limits,
    socketTimeout: idleMs,
    ...(await tls.load()),
    name: app.config.mailHost,
    onConnect: (session, done) => {
      slow.begin(session)
      share.onConnect(session, done)
    },
    onClose: (session, done) => {
      slow.end(session)
      share.onClose(session, done)
    },
    onRcptTo: recipientHandler(app),
    onData: (stream, session, done) => {
      const id = newId()
      const accept = (raw: Buffer) => {
        slow.heard(session)
        return acceptMessage(app, raw, envelopeOf(session, id))
      }
      withData(stream, accept).then(
        () => done(null, `Accepted as ${id}`),
        (error: unknown) => done(refusalOf(app, error)),
      )
    },
  })
  // Broken connections of strangers are no fault of ours.
  server.on('error', (error) => app.log.debug({ err: error }, 'an incoming connection broke'))
  const port = await listen(app, server)
  const stopWatching = tls.onChange((renewed) => server.updateSecureContext(renewed))
  return {
    port,
    close: () => {
      stopWatching()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const limits: SMTPServerOptions = {
  banner: 'Mailstead',
  size: MAX_MESSAGE_BYTES,
  maxRecipients: MAX_RECIPIENTS,
  maxClients: MAX_CLIENTS,
  disabledCommands: ['AUTH'],
  hideENHANCEDSTATUSCODES: false,
  // Look-ups go through DNS_SERVERS only, and a reverse name proves nothing.
  disableReverseLookup: true,
  closeTimeout: CLOSE_MS,
  maxCommandLength: 2_048,
  logger: false,
}

/** Answers the port. @throws what net.Server says when it cannot be opened. */
const listen = async (app: App, server: SMTPServer): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(app.config.smtpPort, app.config.mailListen, () => {
      server.server.off('error', reject)
      resolve()
    })
  })
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
