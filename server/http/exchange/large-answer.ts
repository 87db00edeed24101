/** Answers that are held until the client has read them: they go in pieces, so that it is seen who reads none (decision 033). */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { networkOf } from '#server/features/limits/throttle.ts'
import { piecesOf } from '#server/lib/files/pieces.ts'
import { type Room, SMALL_BYTES, tooManyBytes } from './body-room.ts'
import type { Place } from './places.ts'

/** Of a kept message or a file in it, whose size is not known before it is read. */
const LARGEST_FILE_BYTES = 25_000_000
const PIECE_BYTES = 64 * 1024
/** Of one that is read as it is sent: a few pieces on their way. */
const HELD_BYTES = 512 * 1024

type Held = 'whole' | 'in pieces'

/** In turn, before anything is read. @throws TOO_MANY_REQUESTS */
export const takeAnswerRoom = async (
  room: Room,
  reply: FastifyReply,
  held: Held,
): Promise<void> => {
  const { request } = reply
  const bytes = held === 'whole' ? LARGEST_FILE_BYTES : HELD_BYTES
  const place = await room.take(request, bytes, () => reply.raw.destroy())
  if (place === null) throw tooManyBytes()
  place.rest()
  if (reply.raw.destroyed) place.release()
  else request.places.push(place)
}

/** @throws TOO_MANY_REQUESTS to who reads: what was changed is changed, and is told. */
export const sendJson = async (
  room: Room,
  reply: FastifyReply,
  body: string,
): Promise<FastifyReply> => {
  // So small that networks and clients buffer it.
  if (body.length <= PIECE_BYTES) return reply.send(body)
  const { request } = reply
  const bytes = Buffer.from(body)
  const onLost = () => reply.raw.destroy()
  const place =
    bytes.length <= SMALL_BYTES
      ? await room.take(request, bytes.length, onLost)
      : room.takeNow(request, bytes.length, onLost)
  if (reply.raw.destroyed) place?.release()
  else if (place !== null) request.places.push(place)
  else if (request.method === 'GET') throw tooManyBytes()
  return reply.send(sendable(reply, bytes))
}

/** Counts in the place that was taken for the answer, if one was. */
export const sendable = (reply: FastifyReply, bytes: Buffer): Buffer | Readable => {
  const place = reply.request.places.at(-1)
  place?.shrink(bytes.length)
  if (bytes.length <= PIECE_BYTES) return bytes
  reply.header('content-length', String(bytes.length))
  return streamOf(piecesOf(bytes, PIECE_BYTES), place)
}

export type Streamed = { size: number; pieces(): AsyncIterable<Buffer> | Iterable<Buffer> }

/** As `sendable`, of what is read piece by piece as its client reads. */
export const sendableStream = (reply: FastifyReply, { size, pieces }: Streamed): Readable => {
  reply.header('content-length', String(size))
  return streamOf(pieces(), reply.request.places.at(-1))
}

const streamOf = (
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  place: Place | undefined,
): Readable => Readable.from(counted(pieces, place), { objectMode: false })

async function* counted(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  place: Place | undefined,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    place?.moved(piece.length)
    yield piece
  }
}

/**
 * One request begins in each round of the event loop, in turns that go round among networks. A network that asks a thousand
 * things at once has as many rounds as it needs, and what others ask meanwhile, or wait for, comes in between.
 * @returns resolves when a request of this network may begin
 */
export const openTurnsOfLoop = (): ((ip: string) => Promise<void>) => {
  /** Those that wait, by network; one that was served goes to the end. */
  const lines = new Map<string, (() => void)[]>()
  let hasBegun = false

  const nextRound = (): void => {
    const [first] = lines
    hasBegun = first !== undefined
    if (first === undefined) return
    setImmediate(nextRound)
    const [network, line] = first
    lines.delete(network)
    line.shift()?.()
    if (line.length > 0) lines.set(network, line)
  }

  return (ip) => {
    if (!hasBegun) {
      hasBegun = true
      setImmediate(nextRound)
      return Promise.resolve()
    }
    const network = networkOf(ip)
    const line = lines.get(network) ?? []
    lines.set(network, line)
    return new Promise((begin) => line.push(begin))
  }
}
