import type { Socket } from 'node:net'
import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { BlobStoreAway } from '#server/lib/files/blob-trouble.ts'
import { isDiskFull } from '#server/lib/files/data-folder.ts'
import { parseSmtpPath } from '#server/standards/smtp-path.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'

/** A reply that refuses. smtp-server writes `responseCode` in front of the text and adds no code of its own to one it does not know. */
export class SmtpRefusal extends Error {
  /** Reply code and RFC 3463 code, such as '550 5.1.1'. */
  readonly responseCode: string

  constructor(code: string, text: string) {
    super(text)
    this.name = 'SmtpRefusal'
    this.responseCode = code
  }
}

/** For whatever goes wrong on our side: the sender keeps the message and tries again. */
export const tryLater = (): SmtpRefusal =>
  new SmtpRefusal('451 4.3.0', 'Temporary trouble here, please try again later')

/** Of what strangers wrote: replies are one line of ASCII, and short. */
export const printable = (text: string, most = 100): string =>
  text.replace(/[^\x20-\x7e]+/g, '?').slice(0, most)

/** What a client is told of an error, and what the log is. */
export const refusalOf = (app: App, error: unknown): SmtpRefusal => {
  if (error instanceof SmtpRefusal) return error
  if (error instanceof AppError && error.type === 'STORAGE_FULL')
    return new SmtpRefusal('452 4.2.2', 'The storage of this mailbox is full')
  if (isClientGone(error)) app.log.debug({ err: error }, 'the client left in the middle of a mail')
  else if (isDatabaseAway(error)) app.log.warn({ err: error }, 'mail was put off: no database')
  // The store of blobs says itself that it is away, once.
  else if (!(error instanceof BlobStoreAway)) app.log.error({ err: error }, 'mail was put off')
  if (isDiskFull(error)) return new SmtpRefusal('452 4.3.1', 'The disk of this server is full')
  return tryLater()
}

const isClientGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNECTION' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')

export type Refusal = {
  ip: string
  helo: string
  at: 'connection' | 'sender' | 'recipient' | 'data'
  from: string
  to: readonly string[]
  /** As the client reads it. */
  reply: string
  session: SMTPServerSession
}

/** `error` is empty until a command was refused; the session lacks the rest until the greeting. */
type Session = Partial<SMTPServerSession> & { error?: string }
type Connection = {
  _server: SMTPServer
  _socket: Socket | undefined
  _closing: boolean
  _upgrading: boolean
  remoteAddress: string
  session: Session
  _onCommand(command: Buffer | string, done?: () => void): unknown
  send(code: number | string, text: unknown, context?: unknown): void
}

const listeners = new WeakMap<SMTPServer, (refusal: Refusal) => void>()
const lastCommands = new WeakMap<Connection, string>()

/**
 * smtp-server refuses much by itself (sizes, syntax, too many clients, silence) and asks no handler, so every reply that
 * refuses mail is heard here, whoever thought of it. Loading this module mends the library for the process; it fails at
 * start when a new version writes replies elsewhere.
 * `hear` is told of each reply that refuses a mail, or a connection that might have brought one.
 */
export const onRefusal = (server: SMTPServer, hear: (refusal: Refusal) => void): void => {
  listeners.set(server, hear)
}

const verbs = { MAIL: 'sender', RCPT: 'recipient', DATA: 'data' } as const
/** A sender that keeps its connection open after its mail hears these in the end: nothing was refused. */
const PARTING = /Timeout - closing connection|Server shutting down/

const refusalIn = (
  { session, remoteAddress }: Connection,
  command: string,
  reply: string,
): Refusal | null => {
  const { envelope, hostNameAppearsAs } = session
  const accepted = envelope?.rcptTo?.map(({ address: to }) => to) ?? []
  const isMailUnderWay = Boolean(envelope?.mailFrom)
  const verb = /^(MAIL|RCPT|DATA)\b/i.exec(command)?.[1]?.toUpperCase() as keyof typeof verbs
  const isCut = reply.startsWith('421')
  if (isCut ? PARTING.test(reply) && !isMailUnderWay : verb === undefined) return null
  const at = verb === undefined || (isCut && !isMailUnderWay) ? 'connection' : verbs[verb]
  const address = parseSmtpPath(command.replace(/^[^:]*:\s*/, ''))?.address ?? ''
  return {
    ...{ at, reply, ip: remoteAddress, helo: hostNameAppearsAs || '' },
    from: envelope?.mailFrom ? envelope.mailFrom.address : at === 'sender' ? address : '',
    // Of one that was accepted the refusal is about the mail, and so about all of them.
    to: at === 'recipient' && !accepted.includes(address) ? [address] : accepted,
    session: session as SMTPServerSession,
  }
}

const library = SMTPConnection.prototype as unknown as Connection
const { send, _onCommand } = library
if (typeof send !== 'function' || typeof _onCommand !== 'function')
  throw new Error('this version of smtp-server writes its replies elsewhere')

library._onCommand = function remembering(this: Connection, command, done) {
  lastCommands.set(this, command?.toString() ?? '')
  return _onCommand.call(this, command, done)
}

library.send = function heard(this: Connection, code, text, context) {
  const isHeard =
    !this._closing &&
    !this._upgrading &&
    this._socket?.readyState === 'open' &&
    /^[45]/.test(`${code}`)
  send.call(this, code, text, context)
  if (!isHeard) return
  // To its own numbers the library adds an RFC 3463 code, and keeps what it made of them.
  const reply = typeof code === 'number' ? (this.session.error ?? '') : `${code} ${text}`
  const refusal = refusalIn(this, lastCommands.get(this) ?? '', reply)
  if (refusal) listeners.get(this._server)?.(refusal)
}
