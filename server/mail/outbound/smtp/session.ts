/** One connection to a mail host, open for several mails one after the other. Knows SMTP, and nothing of deliveries. */

import { isAscii } from 'node:buffer'
import type { SocketAddress } from 'node:net'
import { Readable } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { isInternational } from '#server/standards/address.ts'
import type { MailContent } from './mail-content.ts'

export type Destination = {
  /** The name: for TLS and the ledger. */
  host: string
  /** What is dialled: an address that was checked, or the relay's name. */
  dialled: Pick<SocketAddress, 'address' | 'port'>
  /** TLS from the first byte. */
  isSecure: boolean
  /** `required`: with a certificate for the host's name; `never`: after it turned out broken. */
  tls: 'opportunistic' | 'required' | 'never'
  auth: { user: string; pass: string } | null
}

export type Mail = {
  ehlo: string
  mailFrom: string
  recipient: string
  content: MailContent
  /** Asked when all but the final dot has left. What it throws keeps the mail from being taken. */
  mayEnd: () => Promise<void>
}

/** `whole`: how long one mail may take, from dialling to the answer to the final dot. */
export type Timeouts = { connectMs: number; greetingMs: number; idleMs: number; wholeMs: number }

/** Why a conversation went no further. `code` and `reply` are what the host said, `code` null when it said nothing. */
export class Stopped extends Error {
  readonly code: number | null
  readonly isTlsTrouble: boolean
  /** Some of the mail itself may have left. */
  readonly hasContentLeft: boolean
  /** This mail is larger than the host takes, as it says to everybody. */
  readonly isTooLarge: boolean

  constructor(error: SmtpError, seen: { isTlsTrouble?: boolean; hasContentLeft?: boolean } = {}) {
    super(typeof error.response === 'string' ? error.response : error.message)
    this.code = error.responseCode ?? null
    this.isTlsTrouble = seen.isTlsTrouble ?? false
    this.hasContentLeft = seen.hasContentLeft ?? false
    this.isTooLarge = error.code === 'EMESSAGE' && error.command === 'MAIL FROM'
  }
}

type SmtpError = Error & {
  code?: string | undefined
  command?: string | undefined
  responseCode?: number | undefined
  response?: unknown
}

type Options = ConstructorParameters<typeof SMTPConnection>[0]
/** What its types keep to themselves. */
type Internals = {
  _supportedExtensions: string[]
  _sendCommand(command: string, logged?: string): void
}

const Library = SMTPConnection as unknown as new (options: Options) => SMTPConnection & Internals
if (typeof Library.prototype._sendCommand !== 'function')
  throw new Error('this version of nodemailer sends its commands in another way')

/** A connection that also sends mail with letters beyond ASCII in its header (RFC 6531): the library looks at the envelope alone. */
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

export class Session {
  /** Mails that were begun. */
  mails = 0
  readonly #connection: Connection
  #fail: (error: Error) => void = () => {}

  private constructor(connection: Connection) {
    this.#connection = connection
    connection.on('error', (error) => this.#fail(error))
    connection.on('end', () => this.#fail(new Error('The connection ended')))
  }

  /** Dials, greets, encrypts and logs in. `signal` cuts whatever is going on. @throws Stopped */
  static async open(
    to: Destination,
    ehlo: string,
    timeouts: Timeouts,
    signal: AbortSignal,
  ): Promise<Session> {
    const connection = new Connection(optionsFor(to, ehlo, timeouts))
    const session = new Session(connection)
    await session.#during<void>(signal, (done) =>
      connection.connect((error) => {
        if (error || to.auth === null) return done(error ?? null)
        connection.login(to.auth, (refused) => done(refused ?? null))
      }),
    )
    return session
  }

  get isTls(): boolean {
    return this.#connection.secure
  }

  get isOpen(): boolean {
    return !this.#connection.destroyed
  }

  /** Whether this host can be given it at all (RFC 6531). */
  takes(mail: Mail): boolean {
    return this.#connection.takesInternational || !needsInternational(mail)
  }

  /** Forgets the mail before (RSET). @throws Stopped when the connection cannot be used again. */
  reset(signal: AbortSignal): Promise<void> {
    return this.#during(signal, (done) => this.#connection.reset((error) => done(error ?? null)))
  }

  /** @returns the answer to the final dot. @throws Stopped; the connection is open still when the host refused this mail. */
  async send(mail: Mail, signal: AbortSignal): Promise<{ code: number; reply: string }> {
    this.mails += 1
    this.#connection.isInternational = needsInternational(mail)
    const stopped: { by?: unknown } = {}
    // A stream tells whether any of it was read.
    const content = Readable.from(contentOf(mail, stopped), {
      objectMode: false,
      highWaterMark: HELD_BYTES,
    })
    const sent = this.#during<{ code: number; reply: string }>(
      signal,
      (done) =>
        this.#connection.send(envelopeOf(mail), content, (error, info) => {
          if (error) return done(error)
          const reply = info?.response ?? ''
          done(null, { code: Number(reply.slice(0, 3)) || 250, reply })
        }),
      () => content.readableDidRead,
    )
    return sent.catch((error: unknown) => {
      if (!('by' in stopped)) throw error
      // Without its dot it is no mail.
      this.cut()
      throw stopped.by
    })
  }

  /** Says QUIT. */
  end(): void {
    if (!this.isOpen) return
    // A host that does not answer it is not waited for.
    setTimeout(() => this.cut(), 2_000).unref()
    this.#connection.quit()
  }

  cut(): void {
    this.#connection.close()
  }

  /** One step, which ends with an answer, with the connection, or when it is cut. */
  #during<T>(
    signal: AbortSignal,
    start: (done: (error: Error | null, value?: T) => void) => void,
    hasContentLeft: () => boolean = () => false,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const stop = (error: Error) => {
        const isTlsTrouble =
          this.#connection.upgrading === true || ('code' in error && error.code === 'ETLS')
        settle()
        reject(new Stopped(error, { isTlsTrouble, hasContentLeft: hasContentLeft() }))
      }
      const cut = () => {
        stop(signal.reason instanceof Error ? signal.reason : new Error('It took too long'))
        this.cut()
      }
      const settle = () => {
        signal.removeEventListener('abort', cut)
        this.#fail = () => {}
      }
      this.#fail = stop
      signal.addEventListener('abort', cut)
      if (signal.aborted) return cut()
      start((error, value) => {
        if (error) return stop(error)
        settle()
        resolve(value as T)
      })
    })
  }
}

const optionsFor = (to: Destination, ehlo: string, timeouts: Timeouts) => {
  const isVerified = to.tls === 'required'
  const tls: ConnectionOptions = {
    // An MX proves its name to nobody unless it has a policy: a certificate that fails is still better than none.
    rejectUnauthorized: isVerified,
    servername: to.host,
  }
  return {
    host: to.dialled.address,
    port: to.dialled.port,
    servername: to.host,
    name: ehlo,
    secure: to.isSecure,
    requireTLS: isVerified && !to.isSecure,
    opportunisticTLS: !isVerified,
    ignoreTLS: to.tls === 'never',
    tls,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.idleMs,
  }
}

const HELD_BYTES = 65_536

/** In pieces, each when there is room for it, so that the end is asked for when it has come. */
async function* contentOf({ content, mayEnd }: Mail, stopped: { by?: unknown }) {
  yield* content.pieces()
  try {
    await mayEnd()
  } catch (error) {
    stopped.by = error
    throw error
  }
}

const envelopeOf = ({ mailFrom, recipient, content }: Mail) => ({
  from: mailFrom,
  to: [recipient],
  size: content.size,
  use8BitMime: !content.isAscii,
})
