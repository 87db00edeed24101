/** How many bytes of large bodies and answers may be in memory at once: whoever is signed in could otherwise fill it. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#contract/errors.ts'

export type BodyBytes = { ofOne: number; ofAll: number }

/** A few attachments at once, of each of several people. */
const USUAL: BodyBytes = { ofOne: 150_000_000, ofAll: 500_000_000 }
/** What everybody works with goes on, whatever others upload. */
const SMALL_BYTES = 256 * 1024

/** For a client that comes again. */
const RETRY_SECONDS = 10

export const tooManyBytes = () =>
  new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS })

type BodyBudget = {
  /** Counts bytes of this request until its answer is sent. @returns false when there are too many. */
  take(request: FastifyRequest, bytes: number): boolean
  /** The same of its answer, which is held until the client has read it. */
  takeAnswer(request: FastifyRequest, bytes: number): boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    budget: BodyBudget
  }
}

export const openBodyBudget = (server: FastifyInstance, most: BodyBytes = USUAL): BodyBudget => {
  const held = new Map<FastifyRequest, number>()
  const ofEach = new Map<string, number>()
  let all = 0
  const add = (request: FastifyRequest, bytes: number) => {
    const who = ownerOf(request)
    const own = (ofEach.get(who) ?? 0) + bytes
    if (own === 0) ofEach.delete(who)
    else ofEach.set(who, own)
    all += bytes
  }
  server.addHook('onRequest', async (request, reply) => {
    const end = () => {
      const bytes = held.get(request)
      if (bytes !== undefined && held.delete(request)) add(request, -bytes)
    }
    reply.raw.once('finish', end).once('close', end)
  })
  const hold = (request: FastifyRequest, bytes: number): boolean => {
    if (all + bytes > most.ofAll) return false
    if ((ofEach.get(ownerOf(request)) ?? 0) + bytes > most.ofOne) return false
    held.set(request, (held.get(request) ?? 0) + bytes)
    add(request, bytes)
    return true
  }
  return {
    take: (request, bytes) =>
      (request.routeOptions.bodyLimit ?? 0) <= SMALL_BYTES || hold(request, bytes),
    takeAnswer: (request, bytes) => bytes <= SMALL_BYTES || hold(request, bytes),
  }
}

const ownerOf = ({ caller, ip }: FastifyRequest): string => caller?.userId ?? ip
