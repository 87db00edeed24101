/**
 * Reads a body up to the route's limit when there is room for it. A refused body is read to its end and dropped, since a
 * client that is still sending would otherwise see a broken connection instead of the answer (decision 039).
 */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#contract/errors.ts'
import { type BodyRoom, openRoom, type Room, SMALL_BYTES, tooManyBytes } from './body-room.ts'
import { type FileInJson, openFileInJson } from './file-in-json.ts'
import { type JsonSize, openJsonSize, parseJson } from './parse-json.ts'
import type { Place } from './places.ts'
import { type DropBytes, openRefusedBytes } from './refused-forms.ts'
import { ipOf } from './session.ts'

/** Larger bodies are cut off without an answer. */
const MAX_DROPPED_BYTES = 100_000_000

/** A body in chunks this small is an attack: each chunk costs the same, whatever its size. */
const MANY_PIECES = 2_000
/** The same for a body that is already refused. */
const MANY_REFUSED_PIECES = 200
const SMALL_PIECE_BYTES = 64

/** The value in `request.body` from the content type parser; `undefined` without a body. */
type Received = { bytes: Buffer; file: Buffer | null; contentType: string } | { refusal: AppError }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Limit of the JSON of this route; absent: it takes none. */
    maxValues?: number
    /** Field of the JSON whose base64 is decoded while it arrives, for `fileOf`. */
    fileField?: string | undefined
  }
  interface FastifyRequest {
    /** The field that `fileField` names, decoded. */
    file: Buffer | null
  }
}

export const readBodies = (server: FastifyInstance, most?: BodyRoom): void => {
  const room = openRoom(server, most)
  const drop = openRefusedBytes()
  server.decorate('room', room)
  server.decorateRequest('file', null)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (request, payload, done) => {
    void new Reading(request, room, drop).read(payload).then((received) => done(null, received))
  })
  // Without a reader, as for GET, Node would read the body after the answer, to an end that may never come.
  server.addHook('onSend', async (request, reply) => {
    const { raw } = request
    if (takesBytes(request) && raw.readableFlowing === null)
      reply.raw.once('finish', () => raw.socket.destroy())
  })
  server.addHook('onError', async (request) => {
    const { raw } = request
    // Paused before it is read: otherwise Node would read it as fast as it arrives.
    if (!takesBytes(request) || raw.readableFlowing !== null) return
    const flow = new Flow()
    raw.on('data', (chunk: Buffer) => {
      flow.add(chunk)
      if (flow.isFlood(0, MANY_REFUSED_PIECES)) raw.socket.destroy()
      else drop(ipOf(request), raw, chunk.length)
    })
  })
}

const takesBytes = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The part of a body that has arrived. */
class Flow {
  bytes = 0
  private pieces = 0

  add(chunk: Buffer): void {
    this.bytes += chunk.length
    this.pieces += 1
  }

  /** `limit`: bytes that are kept; more are dropped. */
  isFlood(limit: number, manyPieces = MANY_PIECES): boolean {
    if (this.bytes > MAX_DROPPED_BYTES + limit) return true
    return this.pieces > manyPieces && this.bytes < this.pieces * SMALL_PIECE_BYTES
  }
}

/** One arriving body. */
class Reading {
  private readonly limit: number
  private readonly json: JsonSize | null
  private file: FileInJson | null = null
  /** Buffer of a large body, into which chunks are copied directly. */
  private whole: Buffer | null = null
  private readonly chunks: Buffer[] = []
  private readonly flow = new Flow()
  private place: Place | null = null
  /** The announced length. */
  private claimedBytes = 0
  private isOver = false
  private readonly ended = Promise.withResolvers<Received>()

  private readonly request: FastifyRequest
  private readonly room: Room
  private readonly drop: DropBytes

  constructor(request: FastifyRequest, room: Room, drop: DropBytes) {
    this.request = request
    this.room = room
    this.drop = drop
    const { bodyLimit, config } = request.routeOptions
    this.limit = bodyLimit ?? 0
    this.json = config.maxValues === undefined ? null : openJsonSize(config.maxValues)
  }

  async read(payload: Readable): Promise<Received> {
    const { headers } = this.request
    const length = Number(headers['content-length'] ?? this.limit)
    payload.on('error', () => this.refuse(new AppError('BAD_REQUEST')))
    payload.on('close', () => this.refuse(new AppError('BAD_REQUEST')))
    if (length > this.limit) this.refuse(new AppError('PAYLOAD_TOO_LARGE'))
    else await this.enter(length, headers['content-length'] !== undefined)
    // Read only when there is room: unread bytes wait in the network.
    payload.on('data', (chunk: Buffer) => {
      this.take(chunk)
      if (this.flow.isFlood(this.limit)) this.request.raw.socket.destroy()
      else if (this.isOver) this.drop(ipOf(this.request), payload, chunk.length)
    })
    payload.on('end', () => this.end())
    return this.ended.promise
  }

  private async enter(bytes: number, isTold: boolean): Promise<void> {
    const place = await this.room.takeForBody(this.request, bytes, () =>
      this.refuse(tooManyBytes()),
    )
    if (place === null) this.refuse(tooManyBytes())
    // The client left meanwhile.
    else if (this.isOver) place.release()
    else {
      this.place = place
      this.claimedBytes = bytes
      this.request.places.push(place)
      const { fileField } = this.request.routeOptions.config
      if (fileField !== undefined) this.file = openFileInJson(fileField, bytes)
      // Not allocated before bytes arrive.
      else if (isTold && bytes > SMALL_BYTES) this.whole = Buffer.allocUnsafeSlow(bytes)
    }
  }

  private take(chunk: Buffer): void {
    this.flow.add(chunk)
    this.place?.moved(chunk.length)
    if (this.flow.bytes > this.limit) this.refuse(new AppError('PAYLOAD_TOO_LARGE'))
    if (this.isOver) return
    const refusal = this.json?.add(chunk) ?? null
    if (refusal !== null) this.refuse(refusal)
    else if (this.file !== null) this.chunks.push(...this.file.add(chunk))
    else if (this.whole === null) this.chunks.push(chunk)
    else chunk.copy(this.whole, this.flow.bytes - chunk.length)
  }

  /** The answer is sent at once; the rest of the body uses no memory. */
  private refuse(refusal: AppError): void {
    if (this.isOver) return
    this.isOver = true
    this.chunks.length = 0
    this.file = null
    this.whole = null
    this.place?.release()
    this.place = null
    this.ended.resolve({ refusal })
  }

  private end(): void {
    if (this.isOver) return
    this.isOver = true
    this.place?.rest()
    if (this.claimedBytes > SMALL_BYTES)
      this.room.cameLess(this.request, this.claimedBytes - this.flow.bytes)
    const contentType = this.request.headers['content-type'] ?? ''
    const bytes = this.whole?.subarray(0, this.flow.bytes) ?? Buffer.concat(this.chunks.splice(0))
    this.whole = null
    this.ended.resolve({ bytes, file: this.file?.file() ?? null, contentType })
  }
}

/** Returns the received bytes once: they are not kept beside the parsed value. */
const takeReceived = (request: FastifyRequest): Extract<Received, { bytes: Buffer }> | null => {
  const received = request.body as Received | undefined | null
  request.body = undefined
  if (received === undefined || received === null) return null
  if ('refusal' in received) throw received.refusal
  return received
}

/**
 * The bytes of a body that is not JSON.
 * @throws PAYLOAD_TOO_LARGE, TOO_MANY_REQUESTS, UNSUPPORTED_MEDIA_TYPE
 */
export const bytesOf = (request: FastifyRequest): Buffer => {
  const received = takeReceived(request)
  if (received === null) return Buffer.alloc(0)
  if (!/^application\/octet-stream$/i.test(received.contentType))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Please send bytes' })
  return received.bytes
}

/**
 * The bytes of a body of JSON as they came, for what is signed.
 * @throws PAYLOAD_TOO_LARGE, TOO_MANY_REQUESTS, UNSUPPORTED_MEDIA_TYPE
 */
export const rawJsonOf = (request: FastifyRequest): Buffer => {
  const received = takeReceived(request)
  if (received === null) return Buffer.alloc(0)
  if (!/^application\/json\s*(;|$)/i.test(received.contentType))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  return received.bytes
}

/**
 * The text of a body that is XML.
 * @throws PAYLOAD_TOO_LARGE, TOO_MANY_REQUESTS, UNSUPPORTED_MEDIA_TYPE
 */
export const xmlOf = (request: FastifyRequest): string => {
  const received = takeReceived(request)
  if (received === null) return ''
  if (!/^(?:text|application)\/xml\s*(;|$)/i.test(received.contentType))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Please send XML' })
  return received.bytes.toString('utf8')
}

/**
 * The JSON of the body; `undefined` when there is none.
 * @throws PAYLOAD_TOO_LARGE, TOO_MANY_REQUESTS, UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST
 */
export const bodyOf = (request: FastifyRequest): unknown => {
  const received = takeReceived(request)
  if (received === null || received.bytes.length === 0) return undefined
  // Browsers send forms and plain text without preflight, so they are never read (CSRF).
  if (!/^application\/json\s*(;|$)/i.test(received.contentType))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  request.file = received.file
  return parseJson(received.bytes)
}

/** The bytes of the field that `fileField` names. `text`: the value in the JSON, '' when the bytes were taken out. */
export const fileOf = (request: FastifyRequest, text: string): Buffer =>
  text === '' && request.file !== null ? request.file : Buffer.from(text, 'base64')

/** Frees the memory of a large file, which would otherwise wait for the garbage collector. Call when nothing uses it. */
export const freeFile = (request: FastifyRequest): void => {
  const { file } = request
  request.file = null
  if (file?.buffer instanceof ArrayBuffer) file.buffer.transfer(0)
}
