/**
 * smtp-server offers AUTH before STARTTLS, where it refuses it: a program that takes the offer has sent its password in the clear
 * (RFC 4954 §4). This module hides the offer. Loading it patches the library for the whole process; it fails at start when a new
 * version answers EHLO elsewhere.
 */
import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'

type Session = SMTPServerSession & { disabledCommands?: string[] }
type Connection = {
  _server: SMTPServer
  secure: boolean
  session: Session
  handler_EHLO(command: Buffer | string, done: () => void): void
}

const hiding = new WeakSet<SMTPServer>()

export const hideAuthBeforeTls = (server: SMTPServer): void => {
  hiding.add(server)
}

const library = SMTPConnection.prototype as unknown as Connection
const { handler_EHLO } = library
if (typeof handler_EHLO !== 'function')
  throw new Error('this version of smtp-server answers EHLO elsewhere')

library.handler_EHLO = function withoutAuth(this: Connection, command, done) {
  if (this.secure || !hiding.has(this._server)) return handler_EHLO.call(this, command, done)
  this.session.disabledCommands = ['AUTH']
  handler_EHLO.call(this, command, () => {
    delete this.session.disabledCommands
    done()
  })
}
