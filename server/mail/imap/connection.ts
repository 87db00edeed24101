/**
 * One connection of a mail program: bytes to commands, one after the other, and what changes the connection itself: TLS, sign-in,
 * IDLE and the end. Whatever comes, nothing of it reaches another connection.
 */
import type { Socket } from 'node:net'
import { MAX_MESSAGE_BYTES } from '#contract/fields.ts'
import type { App } from '#server/app.ts'
import { peerOf } from '#server/lib/address-text.ts'
import { capabilitiesOf } from './capabilities.ts'
import { authenticate, logIn } from './commands/sign-in.ts'
import type { LiteralRoom } from './literal-room.ts'
import type { Refusal } from './refusal.ts'
import { refused, runCommand } from './run-command.ts'
import { readerOf, type Session, takesUtf8 } from './session.ts'
import { FolderGone, sync } from './sync.ts'
import { Transport } from './transport.ts'
import { ofSelected } from './watch.ts'
import type { Named } from './wire/command.ts'
import { type Announced, type Frame, FrameReader } from './wire/frames.ts'
import { readCommand, readTag } from './wire/read-command.ts'

export type ConnectionWorld = {
  app: App
  literals: LiteralRoom
  /** `run` signs the session in. @throws Refusal also where the client may not stay */
  signIn: <Answer>(connection: Connection, run: () => Promise<Answer>) => Promise<Answer>
}

/** Before the sign-in; afterwards a program may be silent for half an hour (RFC 9051 §5.4). */
const STRANGER_MS = 60_000
const SILENT_MS = 1_800_000
/** Of strangers: enough for a password. */
const STRANGER_LINE = 8_000
const STRANGER_LITERAL = 4_000
const LINE_BYTES = 64_000
/** Of texts in commands; only messages may be longer. */
const TEXT_LITERAL = 32_000
const MOST_WAITING = 128_000
/** Faults after which a client is sent away. */
const MAX_FAULTS = 20

export class Connection {
  readonly session: Session
  readonly #world: ConnectionWorld
  readonly #transport: Transport
  readonly #reader: FrameReader
  #wake: (() => void) | null = null
  #faults = 0
  #literalBytes = 0
  #isEnding = false
  isIdling = false

  constructor(socket: Socket, isSecure: boolean, world: ConnectionWorld) {
    this.#world = world
    this.#reader = new FrameReader({
      lineBytes: STRANGER_LINE,
      admits: (announced) => this.#admits(announced),
    })
    this.#transport = new Transport(socket, {
      bytes: (bytes) => this.#take(bytes),
      closed: () => this.#close(),
      fault: (reason) => this.end(reason),
    })
    this.session = {
      ...{ app: world.app, ip: peerOf(socket), out: this.#transport.out, isSecure },
      ...{
        signIn: null,
        view: null,
        watch: null,
        enabled: new Set<string>(),
        hasNews: false,
        isClosed: false,
      },
      program: null,
    }
    this.#setPatience()
  }

  /** Until the client has gone. Never rejects. */
  async serve(): Promise<void> {
    const { out } = this.session
    try {
      out.line(`* OK [CAPABILITY ${capabilitiesOf(this.session)}] Mailstead`)
      out.send()
      while (!this.session.isClosed && !this.#isEnding) await this.#serveNext()
    } catch (error) {
      if (error instanceof FolderGone) out.line('* BYE The mailbox is not there any more')
      else {
        this.session.app.log.error({ err: error }, 'a connection of a mail program failed')
        out.line('* BYE Something went wrong here')
      }
    }
    this.#release()
    this.#transport.end(5_000)
  }

  /** The mailbox has changed. */
  tellNews(): void {
    this.session.hasNews = true
    if (this.isIdling || this.session.watch !== null) this.#wake?.()
  }

  /** So that the ways in between keep the connection open. */
  keepAlive(): void {
    if (!this.isIdling) return
    this.session.out.line('* OK Still here')
    this.session.out.send()
  }

  /** With this reason. */
  end(reason: string): void {
    if (this.session.isClosed) return
    this.session.out.line(`* BYE ${reason}`)
    this.#transport.end(1_000)
    this.#isEnding = true
    this.session.isClosed = true
    this.#wake?.()
  }

  /** A message on its way is counted by itself. */
  #take(bytes: Buffer): boolean {
    this.#reader.push(bytes)
    this.#wake?.()
    return this.#reader.waitingBytes <= MOST_WAITING
  }

  #close(): void {
    this.session.isClosed = true
    this.#release()
    this.#wake?.()
  }

  #setPatience(): void {
    const ms = this.session.signIn === null ? STRANGER_MS : SILENT_MS
    this.#transport.setPatience(ms, () => this.end('You were silent for too long'))
  }

  #admits({ text, bytes, before }: Announced): boolean {
    if (this.session.signIn === null) return before + bytes <= STRANGER_LITERAL
    if (!/^\S+ (?:UID )?(?:APPEND|REPLACE) /i.test(text)) return before + bytes <= TEXT_LITERAL
    if (bytes > MAX_MESSAGE_BYTES || before + bytes > 2 * MAX_MESSAGE_BYTES) return false
    if (!this.#world.literals.take(bytes)) return false
    this.#literalBytes += bytes
    this.#transport.admit(bytes)
    return true
  }

  #release(): void {
    this.#world.literals.giveBack(this.#literalBytes)
    this.#literalBytes = 0
  }

  /** Until there are more bytes, news for a client that idles, or the end. */
  async #wait(): Promise<void> {
    this.#transport.resume()
    const woken = Promise.withResolvers<void>()
    this.#wake = woken.resolve
    await woken.promise
    this.#wake = null
  }

  async #serveNext(): Promise<void> {
    const event = this.#reader.next()
    const { out, watch, hasNews } = this.session
    if (event === null && watch !== null && hasNews)
      return this.#tellNow(!ofSelected(watch).isDelayed)
    if (event === null) return this.#wait()
    if (event.kind === 'continue') {
      out.line('+ Go on')
      out.send()
    } else if (event.kind === 'refused') {
      this.#tellRefused(event.text, event.why)
      this.#release()
    } else {
      await this.#serveCommand(event.frame)
      this.#release()
    }
  }

  #tellRefused(text: string, why: 'line-too-long' | 'literal-too-large' | 'no-text'): void {
    const tag = readTag(text) ?? '*'
    const isMessage = /^\S+ (?:UID )?(?:APPEND|REPLACE) /i.test(text)
    if (why === 'literal-too-large' && isMessage)
      this.session.out.line(`${tag} NO [TOOBIG] A message has at most ${MAX_MESSAGE_BYTES} bytes`)
    else this.#tellFault(tag, why === 'no-text' ? 'A line has a NUL' : 'The command is too long')
    this.session.out.send()
  }

  #tellFault(tag: string, sentence: string): void {
    this.#faults += 1
    this.session.out.line(`${tag} BAD ${sentence}`)
    this.session.out.send()
    if (this.#faults >= MAX_FAULTS) this.end('Too many commands that cannot be understood')
  }

  async #serveCommand(frame: Frame): Promise<void> {
    const now = this.session.app.clock.now().getTime()
    const read = readCommand(frame, { isUtf8: takesUtf8(this.session), now })
    if ('fault' in read) return this.#tellFault(read.tag, read.fault)
    const { tag, command } = read
    switch (command.name) {
      case 'LOGOUT':
        return this.#logOut(tag)
      case 'STARTTLS':
        return this.#startTls(tag)
      case 'AUTHENTICATE':
        return this.#signIn(tag, () =>
          authenticate(this.session, command, (text) => this.#ask(text)),
        )
      case 'LOGIN':
        return this.#runLogin(tag, command)
      case 'COMPRESS':
        return this.#compress(tag)
      case 'IDLE':
        return this.#idle(tag)
      default:
        return runCommand(this.session, tag, command)
    }
  }

  #logOut(tag: string): void {
    const { out } = this.session
    out.line('* BYE Until soon')
    out.line(`${tag} OK Ended`)
    this.#isEnding = true
  }

  async #startTls(tag: string): Promise<void> {
    const { session } = this
    if (session.isSecure) return this.#tellFault(tag, 'This is TLS already')
    session.out.line(`${tag} OK Begin TLS`)
    session.out.send()
    // What came with the command is from before TLS: anybody may have put it there.
    this.#reader.clear()
    session.isSecure = true
    this.#transport.startTls((plain) => this.#world.app.certificates.secure(plain))
    this.#setPatience()
  }

  async #compress(tag: string): Promise<void> {
    const { out, signIn } = this.session
    if (signIn === null) return this.#tellFault(tag, 'Please sign in first')
    if (this.#transport.isCompressed) {
      out.line(`${tag} NO [COMPRESSIONACTIVE] DEFLATE is active since COMPRESS`)
      return out.flush()
    }
    out.line(`${tag} OK From here on compressed`)
    out.send()
    this.#transport.startCompression(this.#reader.takeRest())
  }

  /** @returns the answer; null: the line was too long, or the client has gone. */
  async #ask(challenge: string): Promise<string | null> {
    this.session.out.line(`+ ${challenge}`)
    this.session.out.send()
    return this.#readLine()
  }

  async #readLine(): Promise<string | null> {
    while (!this.session.isClosed) {
      const line = this.#reader.nextLine()
      if (line !== null) return line ?? null
      await this.#wait()
    }
    return null
  }

  #runLogin(tag: string, command: Named<'LOGIN'>): Promise<void> {
    return this.#signIn(tag, () => logIn(this.session, command))
  }

  async #signIn(tag: string, run: () => Promise<string>): Promise<void> {
    const { session } = this
    let ending: string
    try {
      const text = await this.#world.signIn(this, run)
      ending = `OK ${text}`
      this.#reader.limits = { ...this.#reader.limits, lineBytes: LINE_BYTES }
      this.#setPatience()
    } catch (error) {
      session.signIn = null
      ending = refused(session, error)
      this.#faults += 1
    }
    session.out.line(`${tag} ${ending}`)
    await session.out.flush()
    if (this.#faults >= MAX_FAULTS) this.end('Too many sign-ins that failed')
  }

  async #idle(tag: string): Promise<void> {
    const { session } = this
    try {
      readerOf(session)
    } catch (error) {
      return this.#tellFault(tag, (error as Refusal).message)
    }
    session.out.line('+ Idling')
    session.out.send()
    this.isIdling = true
    session.hasNews = true
    let line: string | null | undefined = null
    while (line === null && !session.isClosed) {
      if (session.hasNews) await this.#tellNow(true)
      line = this.#reader.nextLine()
      if (line === null && !session.hasNews) await this.#wait()
    }
    this.isIdling = false
    if (session.isClosed) return
    if (line?.trim().toUpperCase() !== 'DONE') return this.#tellFault(tag, 'DONE ends IDLE')
    session.out.line(`${tag} OK Done`)
    session.out.send()
  }

  /** While no command is answered. After trouble of the database the next news tells all. */
  async #tellNow(mayExpunge: boolean): Promise<void> {
    const { session } = this
    session.hasNews = false
    try {
      await sync(session, { mayExpunge })
      await session.out.flush()
    } catch (error) {
      refused(session, error)
    }
  }
}
