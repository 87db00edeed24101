/** Turns every thrown error into the error body of the contract. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  AppError,
  type ErrorBody,
  type ErrorType,
  errorTypes,
  sentenceOf,
  statusOf,
} from '#contract/errors.ts'
import { BlobMissing, BlobStoreAway } from '#server/lib/files/blob-trouble.ts'
import { isDiskFull } from '#server/lib/files/data-folder.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'

const RETRY_SECONDS = 5

/** Fastify's own refusals, as errors of the contract. */
const refusals: Record<string, ErrorType> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  // A URL that cannot be decoded names no object.
  FST_ERR_BAD_URL: 'NOT_EXISTS',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_EXISTS',
}

export const toAppError = (error: unknown): AppError | null => {
  if (error instanceof AppError) return error
  if (error instanceof BlobMissing) return new AppError('CONTENT_MISSING')
  if (isDatabaseAway(error) || isDiskFull(error) || error instanceof BlobStoreAway)
    return new AppError('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS })
  if (!(error instanceof Error) || !('statusCode' in error)) return null
  const known = 'code' in error ? refusals[String(error.code)] : undefined
  if (known) return new AppError(known)
  const status = Number(error.statusCode)
  return status >= 400 && status < 500 ? new AppError('BAD_REQUEST') : null
}

/** The request's path without its query, for error bodies. */
export const pathOf = (request: Pick<FastifyRequest, 'url'>): string =>
  request.url.split(/[?#]/, 1)[0] ?? request.url

export const errorBodyFor = (error: AppError, path: string): ErrorBody => ({
  type: error.type,
  message: error.message,
  // Every fault of a token is a 401; the same type about a mailed link is not.
  statusCode: error.tokenType ? 401 : statusOf(error.type),
  path,
  data: error.data,
  ...(error.tokenType ? { tokenType: error.tokenType } : {}),
})

export const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const known = toAppError(error)
  if (known === null) request.log.error({ err: error, requestId: request.id }, 'request failed')
  else if (known.type === 'UNAVAILABLE')
    request.log.warn({ err: error, requestId: request.id }, 'request not served')
  return sendExpectedError(
    known ?? new AppError('INTERNAL', { data: { requestId: request.id } }),
    request,
    reply,
  )
}

/** Not logged: expected errors. */
export const sendExpectedError = (
  error: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  const body = errorBodyFor(error, pathOf(request))
  const retryAfter =
    error.retryAfterSeconds ?? (body.statusCode === 503 ? RETRY_SECONDS : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  reply.code(body.statusCode)
  if (wantsProblem(request.headers.accept))
    return reply
      .header('content-type', 'application/problem+json; charset=utf-8')
      .send(JSON.stringify(problemOf(body)))
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}

/** By the code of Node, which reads a request before any route knows of it. */
const unread: Record<string, ErrorType> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** So long the rest of a refused request is read and thrown away: to close over it resets the connection, and the answer may be lost. */
const LINGER_MS = 2_000

/** Answers a request that could not be read: nobody knows its path. The connection ends, as its next bytes mean nothing. */
export const refuseUnread = (error: Error & { code?: string }, socket: Socket): void => {
  // Node tells of each piece that comes behind the first wrong one.
  if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return
  const refusal = errorBodyFor(new AppError(unread[error.code ?? ''] ?? 'BAD_REQUEST'), '')
  const body = JSON.stringify(refusal)
  const head = [
    `HTTP/1.1 ${refusal.statusCode} ${STATUS_CODES[refusal.statusCode]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  const linger = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(linger))
  socket.resume().end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Only a client that names the type gets it: everybody else has what the specification says. */
const wantsProblem = (accept = ''): boolean =>
  accept.split(',').some((part) => {
    const [type = '', ...rest] = part.split(';').map((each) => each.trim().toLowerCase())
    return type === 'application/problem+json' && !rest.some((each) => /^q=0(?:\.0*)?$/.test(each))
  })

/** RFC 9457; our fields go with it, their `type` as `code`. */
const problemOf = ({ type, message, statusCode, path, ...ours }: ErrorBody) => ({
  type: `urn:mailstead:error:${type}`,
  ...{ title: isKnown(type) ? sentenceOf(type) : message, status: statusCode },
  ...{ detail: message, instance: path, code: type, ...ours },
})

const isKnown = (type: string): type is ErrorType =>
  (errorTypes as readonly string[]).includes(type)

/** Paths for programs, of any version: their answers are JSON, including errors. */
export const isApi = (path: string): boolean => /^\/api(?:[/?]|$)/.test(path)
