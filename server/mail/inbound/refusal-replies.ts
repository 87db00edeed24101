/**
 * smtp-server refuses much by itself (sizes, syntax, too many clients, silence) and asks no handler, so every reply that
 * refuses mail is heard here, whoever thought of it. Loading this module mends the library for the process; it fails at
 * start when a new version writes replies elsewhere.
 */
import type { Socket } from 'node:net'
import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'
import { parseSmtpPath } from '#server/standards/smtp-path.ts'

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

/** `hear` is told of each reply that refuses a mail, or a connection that might have brought one. */
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
