/** A connection that also sends mail with letters beyond ASCII in its header (RFC 6531): the library looks at the envelope alone. */
import { isAscii } from 'node:buffer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { isInternational } from '#server/standards/address.ts'

type Options = ConstructorParameters<typeof SMTPConnection>[0]
/** What its types keep to themselves. */
type Internals = {
  _supportedExtensions: string[]
  _sendCommand(command: string, logged?: string): void
}

const Library = SMTPConnection as unknown as new (options: Options) => SMTPConnection & Internals
if (typeof Library.prototype._sendCommand !== 'function')
  throw new Error('this version of nodemailer sends its commands in another way')

export class Connection extends Library {
  /** The mail that is sent next needs SMTPUTF8. */
  isInternational = false

  get takesInternational(): boolean {
    return this._supportedExtensions.includes('SMTPUTF8')
  }

  override _sendCommand(command: string, logged?: string): void {
    const isMissing = this.isInternational && /^MAIL FROM:(?!.* SMTPUTF8\b)/.test(command)
    super._sendCommand(isMissing ? `${command} SMTPUTF8` : command, logged)
  }
}

/** Also for a recipient in ASCII: who else it went to stands in the header. */
export const needsInternational = ({ mailFrom, recipient, content }: Addressed): boolean =>
  [mailFrom, recipient].some(isInternational) || !isAscii(content.header)

type Addressed = { mailFrom: string; recipient: string; content: { header: Buffer } }
