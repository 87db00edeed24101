/** The SMTP door for mail from other servers (port 25 in production): protocol only, no AUTH, no relaying. */
import type { AddressInfo } from 'node:net'
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'
import { MAX_RECIPIENTS } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { openTls } from '#server/lib/tls/tls.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { acceptMessage, type Envelope } from './accept-message.ts'
import { type AcceptedRecipient, acceptRecipient } from './accept-recipient.ts'
import { fairShare } from './fair-share.ts'
import { MAX_MESSAGE_BYTES, withData } from './read-data.ts'
import { SmtpRefusal, tryLater } from './smtp-refusal.ts'

/** RFC 5321 §4.5.3.2.7. */
const IDLE_MS = 300_000
const MAX_CLIENTS = 500
const CLOSE_MS = 5_000
const MAX_REFUSED_RECIPIENTS = 20

/** What RCPT found out, for DATA. */
const accepted = new WeakMap<SMTPServerAddress, AcceptedRecipient>()

export const openInbound = async (
  app: App,
): Promise<{ port: number; close: () => Promise<void> }> => {
  const tls = openTls({
    certFile: app.config.tlsCertFile,
    keyFile: app.config.tlsKeyFile,
    dataDir: app.config.dataDir,
    mailHost: app.config.mailHost,
    onWarning: (sentence) => app.log.warn(sentence),
  })
  const server = new SMTPServer({
    ...limits,
    ...(await tls.load()),
    name: app.config.mailHost,
    ...fairShare(),
    onRcptTo: recipientHandler(app),
    onData: (stream, session, done) => {
      const id = newId()
      withData(stream, (raw) => acceptMessage(app, raw, envelopeOf(session, id))).then(
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
  socketTimeout: IDLE_MS,
  closeTimeout: CLOSE_MS,
  maxCommandLength: 2_048,
  logger: false,
}

const recipientHandler = (app: App): NonNullable<SMTPServerOptions['onRcptTo']> => {
  const refusedOf = new WeakMap<SMTPServerSession, number>()
  return (address, session, done) => {
    acceptRecipient(app, address.address, declaredBytes(session)).then(
      (recipient) => {
        accepted.set(address, recipient)
        done()
      },
      (error: unknown) => {
        const refused = (refusedOf.get(session) ?? 0) + 1
        refusedOf.set(session, refused)
        // Somebody is guessing addresses.
        if (refused > MAX_REFUSED_RECIPIENTS) done(closing('Too many unknown recipients'))
        else done(refusalOf(app, error))
      },
    )
  }
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
  const { mailFrom, rcptTo } = session.envelope
  const [only] = rcptTo
  return {
    id,
    mailFrom: mailFrom === false ? '' : mailFrom.address,
    helo: session.hostNameAppearsAs,
    ip: session.remoteAddress,
    protocol: session.transmissionType,
    recipients: rcptTo.flatMap((address) => accepted.get(address) ?? []),
    onlyRecipient: rcptTo.length === 1 && only !== undefined ? only.address : null,
  }
}

/** What MAIL said with SIZE. Without it a full mailbox is one that has no byte left. */
const declaredBytes = ({ envelope }: SMTPServerSession): number => {
  const { mailFrom } = envelope
  const size = mailFrom === false ? undefined : (mailFrom.args as Record<string, unknown>)?.SIZE
  return Number(size) || 1
}

const refusalOf = (app: App, error: unknown): SmtpRefusal => {
  if (error instanceof SmtpRefusal) return error
  if (isClientGone(error)) app.log.debug({ err: error }, 'the client left in the middle of a mail')
  else if (isDatabaseAway(error)) app.log.warn({ err: error }, 'mail was put off: no database')
  else app.log.error({ err: error }, 'mail was put off')
  return tryLater()
}

const isClientGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNECTION' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')

/** With 421 the connection ends. */
const closing = (text: string): Error => Object.assign(new Error(text), { responseCode: 421 })
