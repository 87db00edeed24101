/** A mail program in the hand of a test: it sends bytes, and reads what the server answers. */
import { connect, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { constants, createDeflateRaw, createInflateRaw, type DeflateRaw } from 'node:zlib'

/** `untagged`: lines without their ends, literals in them; `ending`: what stands behind the tag. */
export type Answer = { untagged: string[]; ending: string }

export class ImapClient {
  #socket: Socket
  #deflate: DeflateRaw | null = null
  #bytes: Buffer = Buffer.alloc(0)
  #wake: (() => void) | null = null
  #isClosed = false
  #tags = 0
  readonly #slowMs: number

  private constructor(socket: Socket, slowMs: number) {
    this.#socket = socket
    this.#slowMs = slowMs
    this.#listen(socket)
  }

  /** `slowMs`: how long it takes for each piece that it reads. */
  static async connect(
    port: number,
    given: { isTls?: boolean; host?: string; localAddress?: string; slowMs?: number } = {},
  ): Promise<ImapClient> {
    const { isTls = true, host = '127.0.0.1', localAddress, slowMs = 0 } = given
    const at = { port, host, ...(localAddress !== undefined && { localAddress }) }
    const socket = isTls ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at)
    return new ImapClient(socket, slowMs)
  }

  #listen(socket: Socket): void {
    socket.on('data', (bytes: Buffer) => {
      this.#take(bytes)
      if (this.#slowMs > 0) {
        socket.pause()
        setTimeout(() => socket.resume(), this.#slowMs)
      }
    })
    socket.on('error', () => {})
    socket.on('close', this.#end)
    socket.on('end', this.#end)
  }

  readonly #end = (): void => {
    this.#isClosed = true
    this.#wake?.()
  }

  #take(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    this.#wake?.()
  }

  send(bytes: string | Buffer): void {
    ;(this.#deflate ?? this.#socket).write(bytes)
  }

  /** As they are, past the compression. */
  sendRaw(bytes: Buffer): void {
    this.#socket.write(bytes)
  }

  /** After the answer to COMPRESS. */
  goCompressed(): void {
    const flush = constants.Z_SYNC_FLUSH
    this.#deflate = createDeflateRaw({ flush })
    this.#deflate.pipe(this.#socket)
    const inflate = createInflateRaw({ finishFlush: flush })
    this.#socket.removeAllListeners('data')
    inflate.on('data', (bytes: Buffer) => this.#take(bytes))
    inflate.on('error', () => this.close())
    // The last words are unpacked a little after the socket has ended.
    this.#socket.off('close', this.#end).off('end', this.#end)
    this.#socket.on('close', () => inflate.end())
    inflate.on('end', this.#end).on('close', this.#end)
    inflate.write(this.#bytes)
    this.#bytes = Buffer.alloc(0)
    this.#socket.pipe(inflate)
  }

  /** One response, with the literals in it, without the last line end; null: the server has closed. */
  async line(): Promise<string | null> {
    return (await this.rawLine())?.toString('utf8') ?? null
  }

  /** The same as it came. */
  async rawLine(): Promise<Buffer | null> {
    let at = 0
    for (;;) {
      const end = this.#bytes.indexOf('\r\n', at)
      if (end === -1) {
        if (this.#isClosed) return null
        await this.#more()
        continue
      }
      const text = this.#bytes.toString('latin1', at, end)
      const [, digits] = /\{(\d+)\}$/.exec(text) ?? []
      if (digits === undefined) {
        const line = this.#bytes.subarray(0, end)
        this.#bytes = this.#bytes.subarray(end + 2)
        return line
      }
      at = end + 2 + Number(digits)
      while (this.#bytes.length < at && !this.#isClosed) await this.#more()
      if (this.#isClosed && this.#bytes.length < at) return null
    }
  }

  async #more(): Promise<void> {
    const woken = Promise.withResolvers<void>()
    this.#wake = woken.resolve
    await woken.promise
    this.#wake = null
  }

  /** Until a line begins so. @throws when the server closes before */
  async until(start: string): Promise<string[]> {
    const lines: string[] = []
    for (;;) {
      const line = await this.line()
      if (line === null) throw new Error(`the server closed after ${JSON.stringify(lines)}`)
      lines.push(line)
      if (line.startsWith(start)) return lines
    }
  }

  /** Reads past all that comes before this answer. @throws where it is not OK */
  async skipTo(tag: string): Promise<void> {
    let kept = Buffer.alloc(0)
    for (;;) {
      const all = Buffer.concat([kept, this.#bytes])
      this.#bytes = Buffer.alloc(0)
      const at = all.indexOf(`\r\n${tag} `)
      if (at !== -1 && all.indexOf('\r\n', at + 2) !== -1) {
        if (!all.toString('latin1', at + 2).startsWith(`${tag} OK`))
          throw new Error(all.toString('latin1', at + 2, at + 200))
        return
      }
      if (this.#isClosed) throw new Error('the server closed')
      kept = Buffer.from(all.subarray(-1_000))
      await this.#more()
    }
  }

  nextTag(): string {
    this.#tags += 1
    return `A${this.#tags}`
  }

  async run(command: string | Buffer): Promise<Answer> {
    const tag = this.nextTag()
    this.send(Buffer.concat([Buffer.from(`${tag} `), Buffer.from(command), Buffer.from('\r\n')]))
    return this.answerTo(tag)
  }

  async answerTo(tag: string): Promise<Answer> {
    const lines = await this.until(`${tag} `)
    const ending = lines.pop() ?? ''
    return { untagged: lines, ending: ending.slice(tag.length + 1) }
  }

  /** @throws where the answer is not OK */
  async ok(command: string | Buffer): Promise<string[]> {
    const { untagged, ending } = await this.run(command)
    if (!ending.startsWith('OK')) throw new Error(`${String(command).slice(0, 100)}: ${ending}`)
    return untagged
  }

  async startTls(): Promise<void> {
    await this.ok('STARTTLS')
    await this.goSecure()
  }

  /** After the answer to STARTTLS. */
  async goSecure(): Promise<void> {
    for (const event of ['data', 'end', 'close'] as const) this.#socket.removeAllListeners(event)
    this.#socket = connectTls({ socket: this.#socket, rejectUnauthorized: false })
    this.#listen(this.#socket)
  }

  get isSecure(): boolean {
    return this.#socket instanceof TLSSocket
  }

  /** Whether the server has ended the connection. */
  async ended(): Promise<boolean> {
    while (!this.#isClosed) await this.#more()
    return true
  }

  close(): void {
    this.#socket.destroy()
  }
}
