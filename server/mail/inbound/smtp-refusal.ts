import type { Socket } from 'node:net'
import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { type Refusal as RefusalOfMail, refusals } from '#server/features/intake/take-recipient.ts'
import { BlobStoreAway } from '#server/lib/files/blob-trouble.ts'
import { isDiskFull } from '#server/lib/files/data-folder.ts'
import { inAscii } from '#server/lib/plain-text.ts'
import { parseSmtpPath } from '#server/standards/smtp-path.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'

/**
 * A reply that refuses. smtp-server writes `responseCode` before the text, and adds no enhanced code to a code that it does not
 * know.
 */
export class SmtpRefusal extends Error {
  /** Reply code and RFC 3463 code, such as '550 5.1.1'. */
  readonly responseCode: string

  constructor(code: string, text: string) {
    super(text)
    this.name = 'SmtpRefusal'
    this.responseCode = code
  }
}

/** What `intake` does not take. */
export const refusedWith = ({ code, text }: RefusalOfMail): SmtpRefusal =>
  new SmtpRefusal(code, text)

/** For errors of this server: the sender keeps the message and tries again. */
export const tryLater = (): SmtpRefusal =>
  new SmtpRefusal('451 4.3.0', 'Temporary trouble here, please try again later')

/** Makes the client's text safe for a reply: one short line of ASCII. */
export const inReply = (text: string, most = 100): string => inAscii(text).slice(0, most)

/** The reply for an error; also logs it. */
export const refusalOf = (app: App, error: unknown): SmtpRefusal => {
  if (error instanceof SmtpRefusal) return error
  if (error instanceof AppError && error.type === 'STORAGE_FULL') return refusedWith(refusals.full)
  if (isClientGone(error)) app.log.debug({ err: error }, 'the client left in the middle of a mail')
  else if (isDatabaseAway(error)) app.log.warn({ err: error }, 'mail was put off: no database')
  // The blob store logs its own outage, once.
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
  /** The text of the reply. */
  reply: string
  session: SMTPServerSession
}

/** `error` is empty until a command was refused; before the greeting the session lacks the other fields. */
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
 * Calls `hear` for each reply that refuses a mail, or a connection that could have brought one. smtp-server refuses much without
 * calling a handler (sizes, syntax, too many clients, silence), so all replies are intercepted. Loading this module patches the
 * library for the whole process; it fails at start when a new version writes replies elsewhere.
 */
export const onRefusal = (server: SMTPServer, hear: (refusal: Refusal) => void): void => {
  listeners.set(server, hear)
}

const verbs = { MAIL: 'sender', RCPT: 'recipient', DATA: 'data' } as const
/** A connection that stays open after its mail ends with one of these: nothing was refused. */
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
  const isCut = reply.startsWith('421') || (command === '' && reply.startsWith('554'))
  if (isCut ? PARTING.test(reply) && !isMailUnderWay : verb === undefined) return null
  const at = verb === undefined || (isCut && !isMailUnderWay) ? 'connection' : verbs[verb]
  const address = parseSmtpPath(command.replace(/^[^:]*:\s*/, ''))?.address ?? ''
  return {
    ...{ at, reply, ip: remoteAddress, helo: hostNameAppearsAs || '' },
    from: envelope?.mailFrom ? envelope.mailFrom.address : at === 'sender' ? address : '',
    // A refusal of an accepted recipient concerns the whole mail, and so all recipients.
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
  // The library adds an enhanced code to numeric codes, and stores the result in the session.
  const reply = typeof code === 'number' ? (this.session.error ?? '') : `${code} ${text}`
  const refusal = refusalIn(this, lastCommands.get(this) ?? '', reply)
  if (refusal) listeners.get(this._server)?.(refusal)
}
