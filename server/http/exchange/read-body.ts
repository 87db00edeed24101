/**
 * Reads a body up to the route's limit. A body that is too large is read to its end and dropped,
 * since a client that is still sending would otherwise see a broken connection, not our answer.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#contract/errors.ts'
import { type BodyBytes, openBodyBudget, tooManyBytes } from './body-budget.ts'
import { parseJson } from './parse-json.ts'

/** Beyond this nobody is owed an answer. */
const MAX_DROPPED_BYTES = 100_000_000

/** What the content type parser leaves in `request.body`; `undefined` when there was none. */
type Received = { bytes: Buffer; contentType: string } | { refusal: AppError }

export const readBodies = (server: FastifyInstance, most?: BodyBytes): void => {
  const budget = openBodyBudget(server, most)
  server.decorate('budget', budget)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (request, payload, done) => {
    const limit = request.routeOptions.bodyLimit ?? 0
    const chunks: Buffer[] = []
    let size = 0
    let isTooMuch = false
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
      isTooMuch ||= size <= limit && !budget.take(request, chunk.length)
      if (size <= limit && !isTooMuch) chunks.push(chunk)
      else chunks.length = 0
      if (size > MAX_DROPPED_BYTES + limit) payload.destroy()
    })
    payload.on('error', () => done(new AppError('BAD_REQUEST')))
    payload.on('end', () =>
      done(null, isTooMuch ? { refusal: tooManyBytes() } : received(size, limit, chunks, request)),
    )
  })
}

const received = (
  size: number,
  limit: number,
  chunks: Buffer[],
  request: FastifyRequest,
): Received =>
  size > limit
    ? { refusal: new AppError('PAYLOAD_TOO_LARGE') }
    : { bytes: Buffer.concat(chunks, size), contentType: request.headers['content-type'] ?? '' }

/**
 * The bytes of a body that is no JSON.
 * @throws PAYLOAD_TOO_LARGE, TOO_MANY_REQUESTS, UNSUPPORTED_MEDIA_TYPE
 */
export const bytesOf = (request: FastifyRequest): Buffer => {
  const body = request.body as Received | undefined
  if (body === undefined || body === null) return Buffer.alloc(0)
  if ('refusal' in body) throw body.refusal
  if (!/^application\/octet-stream$/i.test(body.contentType))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Please send bytes' })
  return body.bytes
}

/**
 * The JSON of the body; `undefined` when there is none.
 * @throws PAYLOAD_TOO_LARGE, TOO_MANY_REQUESTS, UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST
 */
export const bodyOf = (request: FastifyRequest): unknown => {
  const body = request.body as Received | undefined
  if (body === undefined || body === null) return undefined
  if ('refusal' in body) throw body.refusal
  if (body.bytes.length === 0) return undefined
  // Forms and plain text need no preflight in browsers, so they are never read (CSRF).
  if (!/^application\/json\s*(;|$)/i.test(body.contentType))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  return parseJson(body.bytes)
}
