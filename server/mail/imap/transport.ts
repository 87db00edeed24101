/** The bytes of one connection: the socket, TLS over it, and compression over that. It knows no command. */
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { Compression } from './compression.ts'
import { Output } from './output.ts'

export type Hearing = {
  /** @returns whether more may come now; if not, `resume` asks for it. */
  bytes: (bytes: Buffer) => boolean
  /** The client has gone. */
  closed: () => void
  /** Nothing can be understood any more. */
  fault: (reason: string) => void
}

export class Transport {
  readonly out: Output
  readonly #hearing: Hearing
  #socket: Socket
  /** What the client says comes from here: the socket, or what it has compressed. */
  #source: Readable
  #compression: Compression | null = null

  constructor(socket: Socket, hearing: Hearing) {
    this.out = new Output(socket)
    this.#hearing = hearing
    this.#socket = socket
    this.#source = socket
    this.#listen(socket)
  }

  get isCompressed(): boolean {
    return this.#compression !== null
  }

  resume(): void {
    this.#source.resume()
  }

  /** `secure`: wraps the socket in TLS. */
  startTls(secure: (plain: Socket) => Socket): void {
    const plain = this.#socket
    plain
      .off('data', this.#hear)
      .off('end', this.#hearing.closed)
      .off('close', this.#hearing.closed)
    const socket = secure(plain)
    this.#socket = socket
    this.out.changeTo(socket)
    this.#listen(socket)
  }

  /** `begun`: what has come of it already. */
  startCompression(begun: Buffer): void {
    this.#socket.off('data', this.#hear)
    const compression = new Compression(this.#socket, begun, (fault) =>
      this.#hearing.fault(
        fault === 'broken' ? 'This is not DEFLATE' : 'This is compressed too much',
      ),
    )
    this.#compression = compression
    this.out.changeTo(compression.sent)
    this.#readFrom(compression.received)
    // Its own end is that of what was compressed: nothing can follow.
    compression.received.on('end', () => this.#hearing.fault('The compressed bytes have ended'))
  }

  /** A message of so many bytes was admitted. */
  admit(bytes: number): void {
    this.#compression?.admit(bytes)
  }

  /** Of a client that sends nothing. */
  setPatience(ms: number, onSilent: () => void): void {
    this.#socket.setTimeout(ms, onSilent)
  }

  /** Sends what is left, and waits so long for the client to close as well. */
  end(graceMs: number): void {
    this.out.end()
    this.#socket.setTimeout(graceMs, () => this.#socket.destroy())
  }

  #listen(socket: Socket): void {
    this.#readFrom(socket)
    socket.on('error', () => {})
    socket.on('end', this.#hearing.closed)
    socket.on('close', this.#hearing.closed)
  }

  #readFrom(source: Readable): void {
    this.#source = source
    source.on('data', this.#hear)
  }

  readonly #hear = (bytes: Buffer): void => {
    if (!this.#hearing.bytes(bytes)) this.#source.pause()
  }
}
