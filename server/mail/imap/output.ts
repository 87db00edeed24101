/** What is written to a client, kept until it is sent. */
import type { Writable } from 'node:stream'

/** More than this waits for the client before more is made. */
const MOST_WAITING_BYTES = 256_000
const SENT_AT_ONCE = 64_000

export class Output {
  #to: Writable
  #parts: (string | Buffer)[] = []
  #length = 0

  constructor(to: Writable) {
    this.#to = to
  }

  /** What follows goes there: TLS, or compressed. */
  changeTo(to: Writable): void {
    this.send()
    this.#to = to
  }

  /** A line without its end. */
  line(text: string): void {
    this.write(`${text}\r\n`)
  }

  write(part: string | Buffer): void {
    this.#parts.push(part)
    this.#length += part.length
    if (this.#length >= SENT_AT_ONCE) this.send()
  }

  send(): void {
    if (this.#parts.length === 0) return
    const bytes = Buffer.concat(
      this.#parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
    )
    this.#parts = []
    this.#length = 0
    if (this.#to.writable) this.#to.write(bytes)
  }

  /** Sends; nothing follows. */
  end(): void {
    this.send()
    this.#to.end()
  }

  /** Sends, and waits where the client reads slowly. */
  async flush(): Promise<void> {
    this.send()
    const to = this.#to
    if (!to.writable || to.writableLength < MOST_WAITING_BYTES) return
    await new Promise<void>((resolve) => {
      const end = () => {
        to.off('drain', end)
        to.off('close', end)
        resolve()
      }
      to.once('drain', end)
      to.once('close', end)
    })
  }
}
