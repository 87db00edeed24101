/** Answers that are held until the client has read them: they go in pieces, so that it is seen who reads none (decision 033). */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
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
