/**
 * COMPRESS=DEFLATE (RFC 4978): both directions of a connection as raw deflate, in bounded memory. A client cannot make the server
 * unpack much more than it sends.
 */
import type { Socket } from 'node:net'
import { constants, createDeflateRaw, createInflateRaw } from 'node:zlib'

/** Answers come to a quarter by a window of 2 kB as by 32 kB, and a connection at rest takes 65 kB in all. Each write is sent whole. */
const sending = {
  ...{ windowBits: 11, memLevel: 4, chunkSize: 4_096 },
  flush: constants.Z_SYNC_FLUSH,
}
/** The window is the client's choice, up to 32 kB. */
const receiving = { chunkSize: 4_096, finishFlush: constants.Z_SYNC_FLUSH }

/** Commands come to a thirtieth of their size when a client sends many at once. */
const MOST_RATIO = 100
const FREE_BYTES = 500_000
/** More than that is not saved up: what the socket and zlib hold at a time may come to so much. */
const MOST_ROOM = 10_000_000

export type CompressionFault = 'broken' | 'too-much'

export class Compression {
  /** What the client has sent. */
  readonly received = createInflateRaw(receiving)
  /** Takes what is sent to it; its end is that of the socket. */
  readonly sent = createDeflateRaw(sending)
  /** How much more may be unpacked. */
  #room = FREE_BYTES

  /** `begun`: what came with the command; it is compressed as well. Once `onFault` is called nothing more is received. */
  constructor(socket: Socket, begun: Buffer, onFault: (fault: CompressionFault) => void) {
    const { received, sent } = this
    const stop = (fault: CompressionFault) => {
      socket.unpipe(received)
      received.destroy()
      // What is left unread would take the last words from the client.
      socket.resume()
      onFault(fault)
    }
    received.on('error', () => stop('broken'))
    received.on('data', (bytes: Buffer) => {
      this.#room -= bytes.length
      if (this.#room < 0 && !received.destroyed) stop('too-much')
    })
    sent.on('error', () => socket.destroy())
    socket.on('data', (bytes: Buffer) => this.#count(bytes))
    socket.on('close', () => {
      received.destroy()
      sent.destroy()
    })
    sent.pipe(socket)
    this.#count(begun)
    received.write(begun)
    socket.pipe(received)
  }

  #count({ length }: Buffer): void {
    this.#room = Math.max(this.#room, Math.min(this.#room + MOST_RATIO * length, MOST_ROOM))
  }

  /** Of a message that was admitted: it may be as even as it likes. */
  admit(bytes: number): void {
    this.#room += bytes
  }
}
