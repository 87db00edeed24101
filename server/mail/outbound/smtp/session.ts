/** One connection to a mail host, which can send several mails in turn. Knows SMTP, but no deliveries. */

import { isAscii } from 'node:buffer'
import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { connectionOptions, type Destination } from '#server/lib/remote/smtp-destination.ts'
import { isInternational } from '#server/standards/address.ts'
import type { MailContent } from './mail-content.ts'

export type Mail = {
  ehlo: string
  mailFrom: string
  recipient: string
  content: MailContent
  /** Called when all but the final dot is sent. If it throws, the mail is not completed. */
  mayEnd: () => Promise<void>
}

/** `wholeMs`: the limit for one mail, from dialling to the answer to the final dot. */
export type Timeouts = { connectMs: number; greetingMs: number; idleMs: number; wholeMs: number }

/** The conversation stopped. `code` and `message` are the host's reply; `code` is null without a reply. */
export class Stopped extends Error {
  readonly code: number | null
  readonly isTlsTrouble: boolean
  /** A part of the mail's content may have been sent. */
  readonly hasContentLeft: boolean
  /** The mail exceeds the size limit that the host announced. */
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
/** Members that the types of nodemailer hide. */
type Internals = {
  _supportedExtensions: string[]
  _sendCommand(command: string, logged?: string): void
}

const Library = SMTPConnection as unknown as new (options: Options) => SMTPConnection & Internals
if (typeof Library.prototype._sendCommand !== 'function')
  throw new Error('this version of nodemailer sends its commands in another way')

/** A connection that can send mail with non-ASCII header fields (RFC 6531): the library checks only the envelope. */
export class Connection extends Library {
  /** The next mail needs SMTPUTF8. */
  isInternational = false

  get takesInternational(): boolean {
    return this._supportedExtensions.includes('SMTPUTF8')
  }

  override _sendCommand(command: string, logged?: string): void {
    const isMissing = this.isInternational && /^MAIL FROM:(?!.* SMTPUTF8\b)/.test(command)
    super._sendCommand(isMissing ? `${command} SMTPUTF8` : command, logged)
  }
}

/** Also for an ASCII recipient: the header may name other recipients. */
export const needsInternational = ({ mailFrom, recipient, content }: Addressed): boolean =>
  [mailFrom, recipient].some(isInternational) || !isAscii(content.header)

type Addressed = { mailFrom: string; recipient: string; content: { header: Buffer } }

export class Session {
  /** The number of mails sent so far. */
  mails = 0
  readonly #connection: Connection
  #fail: (error: Error) => void = () => {}

  private constructor(connection: Connection) {
    this.#connection = connection
    connection.on('error', (error) => this.#fail(error))
    connection.on('end', () => this.#fail(new Error('The connection ended')))
  }

  /** Connects, greets, starts TLS and logs in. `signal` aborts it. @throws Stopped */
  static async open(
    to: Destination,
    ehlo: string,
    timeouts: Timeouts,
    signal: AbortSignal,
  ): Promise<Session> {
    const connection = new Connection(connectionOptions(to, ehlo, timeouts))
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

  /** Whether the host supports what the mail needs (RFC 6531). */
  takes(mail: Mail): boolean {
    return this.#connection.takesInternational || !needsInternational(mail)
  }

  /** Resets the SMTP transaction (RSET). @throws Stopped when the connection is not usable */
  reset(signal: AbortSignal): Promise<void> {
    return this.#during(signal, (done) => this.#connection.reset((error) => done(error ?? null)))
  }

  /** @returns the answer to the final dot. @throws Stopped; the connection stays open when the host refused this mail */
  async send(mail: Mail, signal: AbortSignal): Promise<{ code: number; reply: string }> {
    this.mails += 1
    this.#connection.isInternational = needsInternational(mail)
    const stopped: { by?: unknown } = {}
    // A stream, because it knows whether any of it was read.
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
      // Without the final dot the host discards the mail.
      this.cut()
      throw stopped.by
    })
  }

  /** Sends QUIT. */
  end(): void {
    if (!this.isOpen) return
    // Does not wait for a host that leaves QUIT unanswered.
    setTimeout(() => this.cut(), 2_000).unref()
    this.#connection.quit()
  }

  cut(): void {
    this.#connection.close()
  }

  /** Runs one step of the conversation until the answer, the end of the connection, or an abort. */
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

const HELD_BYTES = 65_536

/** Yields pieces on demand, so that `mayEnd` runs when all of them are sent. */
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
