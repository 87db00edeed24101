/** What a client asks for at the begin of TLS: the name and the protocols in its ClientHello (RFC 8446 section 4.1.2). Pure. */

export type ClientHello = { serverName: string | null; protocols: string[] }

const [HANDSHAKE, CLIENT_HELLO, RECORD_HEAD] = [22, 1, 5]
/** Of a record; a hello has less. */
const MOST_BYTES = 16_384
const [SERVER_NAME, ALPN] = [0, 16]

/** `more`: it is not all there yet; null: it is none, or one in several records, which those do not send whom this is for. */
export const readClientHello = (bytes: Buffer): ClientHello | 'more' | null => {
  if (bytes.length < RECORD_HEAD)
    return bytes.length === 0 || bytes[0] === HANDSHAKE ? 'more' : null
  const length = bytes.readUInt16BE(3)
  if (bytes[0] !== HANDSHAKE || length > MOST_BYTES) return null
  if (bytes.length < RECORD_HEAD + length) return 'more'
  try {
    return helloIn(new Reader(bytes.subarray(RECORD_HEAD, RECORD_HEAD + length)))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const helloIn = (record: Reader): ClientHello | null => {
  if (record.byte() !== CLIENT_HELLO) return null
  const hello = record.part(3)
  // Version and random.
  hello.skip(34)
  for (const lengthBytes of [1, 2, 1]) hello.part(lengthBytes)
  const found: ClientHello = { serverName: null, protocols: [] }
  const extensions = hello.part(2)
  while (!extensions.isEmpty()) {
    const type = extensions.number(2)
    const extension = extensions.part(2)
    if (type === SERVER_NAME) found.serverName = nameIn(extension)
    if (type === ALPN) found.protocols = protocolsIn(extension)
  }
  return found
}

/** RFC 6066 section 3. */
const nameIn = (extension: Reader): string | null => {
  const names = extension.part(2)
  const isHost = names.byte() === 0
  return isHost ? names.part(2).text().toLowerCase() : null
}

/** RFC 7301 section 3.1. */
const protocolsIn = (extension: Reader): string[] => {
  const list = extension.part(2)
  const protocols: string[] = []
  while (!list.isEmpty()) protocols.push(list.part(1).text())
  return protocols
}

/** @throws RangeError beyond the end */
class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  isEmpty(): boolean {
    return this.#at >= this.#bytes.length
  }

  byte(): number {
    return this.number(1)
  }

  number(length: number): number {
    const value = this.#bytes.readUIntBE(this.#at, length)
    this.#at += length
    return value
  }

  skip(length: number): void {
    if (this.#at + length > this.#bytes.length) throw new RangeError('the hello is cut')
    this.#at += length
  }

  /** What follows a length in so many bytes. */
  part(lengthBytes: number): Reader {
    const length = this.number(lengthBytes)
    const from = this.#at
    this.skip(length)
    return new Reader(this.#bytes.subarray(from, this.#at))
  }

  text(): string {
    return this.#bytes.toString('latin1')
  }
}
