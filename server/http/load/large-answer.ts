/** Answers that are held until the client has read them: they go in pieces, so that it is seen who reads none (decision 033). */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type Room, SMALL_BYTES, tooManyBytes } from './body-room.ts'
import type { Place } from './places.ts'

/** Of a kept message or a file in it, whose size is not known before it is read. */
const LARGEST_FILE_BYTES = 25_000_000
const PIECE_BYTES = 64 * 1024

/** In turn, before anything is read. @throws TOO_MANY_REQUESTS */
export const takeAnswerRoom = async (room: Room, reply: FastifyReply): Promise<void> => {
  const { request } = reply
  const place = await room.take(request, LARGEST_FILE_BYTES, () => reply.raw.destroy())
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
  return Readable.from(piecesOf(bytes, place), { objectMode: false })
}

function* piecesOf(bytes: Buffer, place: Place | undefined): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, at + PIECE_BYTES)
    place?.moved(piece.length)
    yield piece
  }
}
