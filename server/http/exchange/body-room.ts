/**
 * Memory for request bodies and answers. Small ones have a pool of their own, so that ordinary requests continue
 * whatever other clients upload.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#contract/errors.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { type Levels, openLevels } from '#server/lib/turns/turns.ts'
import { type Pace, type Place, Places } from './places.ts'
import { ipOf } from './session.ts'
import type { Owner, Shares } from './shares.ts'

/** Pace of large bodies per party: this much at once, and then a steady rate. */
export type Inflow = { freeBytes: number; bytesPerSecond: number; longestWaitMs: number }
export type BodyRoom = { large: Shares; small: Shares; pace?: Pace; inflow?: Inflow }

/** A body is in memory up to three times while it is parsed; a message of 25 MB is a body of 44 MB. */
const USUAL: BodyRoom = {
  large: { ofAll: 100_000_000, ofNetwork: 75_000_000, ofParty: 50_000_000 },
  small: { ofAll: 32_000_000, ofNetwork: 12_000_000, ofParty: 6_000_000 },
}
export const SMALL_BYTES = 256 * 1024

/**
 * Parsing, hashing and writing takes a second of processor time per 60 MB or so. A workspace that sends all day
 * leaves most of it to others; what a person sends at once is not paced.
 */
const INFLOW: Inflow = {
  freeBytes: 50_000_000,
  bytesPerSecond: 12_000_000,
  longestWaitMs: 20_000,
}

/** Retried: another body may turn out smaller meanwhile. */
const LOOK_AGAIN_MS = 100

/** Retry-After for a refused client, in seconds. */
const RETRY_SECONDS = 10

export const tooManyBytes = () =>
  new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS })

export class Room {
  private readonly large: Places
  private readonly small: Places
  private readonly inflow: Inflow
  private readonly sent: Levels

  constructor({ large, small, pace, inflow = INFLOW }: BodyRoom) {
    this.large = new Places(large, pace)
    this.small = new Places(small, pace)
    this.inflow = inflow
    this.sent = openLevels({ fallsPerSecond: inflow.bytesPerSecond })
  }

  /** Reserves room for bytes to come, which wait for their turn. null when there is no room in time. */
  take(request: FastifyRequest, bytes: number, onLost: () => void): Promise<Place | null> {
    const room = bytes <= SMALL_BYTES ? this.small : this.large
    return room.take(ownerOf(request), bytes, onLost)
  }

  /** Reserves room for a body, which also waits for its workspace's pace. */
  async takeForBody(
    request: FastifyRequest,
    bytes: number,
    onLost: () => void,
  ): Promise<Place | null> {
    if (bytes > SMALL_BYTES && !(await this.comesInPace(ownerOf(request).party, bytes))) return null
    return this.take(request, bytes, onLost)
  }

  /** Gives back what `takeForBody` reserved too much, as for a client that does not announce a length. */
  cameLess(request: FastifyRequest, bytes: number): void {
    this.sent.add(ownerOf(request).party, -bytes)
  }

  private async comesInPace(party: string, bytes: number): Promise<boolean> {
    const { freeBytes, bytesPerSecond, longestWaitMs } = this.inflow
    for (let waitedMs = 0; ; ) {
      const ahead = this.sent.of(party) + bytes - freeBytes
      if (ahead <= 0) break
      const neededMs = (ahead / bytesPerSecond) * 1000
      if (waitedMs + neededMs > longestWaitMs) return false
      const waitMs = Math.min(neededMs, LOOK_AGAIN_MS)
      waitedMs += waitMs
      await wait(waitMs, undefined, { ref: false })
    }
    this.sent.add(party, bytes)
    return true
  }

  /** Takes room for bytes that are already in memory. */
  takeNow(request: FastifyRequest, bytes: number, onLost: () => void): Place | null {
    return this.large.takeNow(ownerOf(request), bytes, onLost)
  }

  close(): void {
    this.large.close()
    this.small.close()
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    room: Room
  }
  interface FastifyRequest {
    /** The room that this request holds until its answer is sent. */
    places: Place[]
  }
}

export const openRoom = (server: FastifyInstance, most: BodyRoom = USUAL): Room => {
  const room = new Room(most)
  server.decorateRequest('places')
  server.addHook('onRequest', async (request, reply) => {
    request.places = []
    const end = () => {
      for (const place of request.places.splice(0)) place.release()
    }
    reply.raw.once('finish', end).once('close', end)
  })
  server.addHook('onClose', async () => room.close())
  return room
}

const ownerOf = (request: FastifyRequest): Owner => {
  const network = networkOf(ipOf(request))
  const { caller } = request
  return { party: caller === null ? network : caller.workspaceId, network }
}
