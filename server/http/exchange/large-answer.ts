/** Answers that take memory until the client has read them: sent in pieces, so that idle readers are noticed (decision 033). */

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { MAX_MESSAGE_BYTES } from '#contract/fields.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { piecesOf } from '#server/lib/files/pieces.ts'
import { type Room, SMALL_BYTES, tooManyBytes } from './body-room.ts'
import type { Place } from './places.ts'

const PIECE_BYTES = 64 * 1024
/** Reserved for an answer that is streamed: a few pieces at a time. */
const HELD_BYTES = 512 * 1024

type Held = 'whole' | 'in pieces'

/** Takes room in turn, before anything is read. @throws TOO_MANY_REQUESTS */
export const takeAnswerRoom = async (
  room: Room,
  reply: FastifyReply,
  held: Held,
): Promise<void> => {
  const { request } = reply
  // The size of a stored message or a file in it is not known before it is read.
  const bytes = held === 'whole' ? MAX_MESSAGE_BYTES : HELD_BYTES
  const place = await room.take(request, bytes, () => reply.raw.destroy())
  if (place === null) throw tooManyBytes()
  place.rest()
  if (reply.raw.destroyed) place.release()
  else request.places.push(place)
}

/** @throws TOO_MANY_REQUESTS for reads only: a change was made, so its answer is always sent. */
export const sendJson = async (
  room: Room,
  reply: FastifyReply,
  body: string,
): Promise<FastifyReply> => {
  // Small enough for the network and the client to buffer.
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

/** Uses the room taken for the answer, if any. */
export const sendable = (reply: FastifyReply, bytes: Buffer): Buffer | Readable => {
  const place = reply.request.places.at(-1)
  place?.shrink(bytes.length)
  if (bytes.length <= PIECE_BYTES) return bytes
  reply.header('content-length', String(bytes.length))
  return streamOf(piecesOf(bytes, PIECE_BYTES), place)
}

export type Streamed = { size: number; pieces(): AsyncIterable<Buffer> | Iterable<Buffer> }

/** Like `sendable`, for a stream that is read as the client reads. */
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
 * Starts one request per round of the event loop; networks take turns. A network that sends a thousand
 * requests at once uses many rounds, and requests of others come in between.
 * @returns resolves when a request of this network may start
 */
export const openTurnsOfLoop = (): ((ip: string) => Promise<void>) => {
  /** Waiting requests by network; a served network moves to the end. */
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
