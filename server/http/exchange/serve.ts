/**
 * Turns one route of the contract into a served one: who calls, what they sent, what goes back.
 * No product rule lives here.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { User } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import { API_PREFIX, type Input, type Output, type Route } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { sendJson, takeAnswerRoom } from './large-answer.ts'
import { MAX_VALUES, NO_NUL } from './parse-json.ts'
import { objectOf, type RequireObject, takesBody } from './path-objects.ts'
import { bodyOf } from './read-body.ts'
import type { RefusedForms } from './refused-forms.ts'
import { callerOf, ipOf } from './session.ts'

export type Caller = Who & { user: User }
type CallerOf<R extends Route> = 'anyone' extends R['access'] ? null : Caller

export type Handler<R extends Route> = (
  input: Input<R>,
  who: CallerOf<R>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Output<R>>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** Behind proxies that are trusted. */
    clientAddress: string
  }
  interface FastifyInstance {
    /** Every route served so far: what the OpenAPI document prints. */
    servedRoutes: Route[]
    refusedForms: RefusedForms
  }
}

const BODY_LIMIT_BYTES = 256 * 1024
/** Of forms that strangers send. */
const OPEN_BODY_LIMIT_BYTES = 8 * 1024
const OPEN_MAX_VALUES = 100

/** `requireObject`: for paths of those who embed the product, which `path-objects` does not know. */
export const serve = <R extends Route>(
  server: FastifyInstance,
  app: App,
  route: R,
  handler: Handler<R>,
  requireObject?: RequireObject,
): void => {
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const input = (await inputOf(route, request)) as Input<R>
    const answer = await handler(input, request.caller as CallerOf<R>, request, reply)
    // Parsing drops whatever the contract does not name, so no column leaves by accident.
    const body = JSON.stringify(route.output.parse(answer))
    reply.code(route.status ?? 200).header('content-type', 'application/json; charset=utf-8')
    return sendJson(server.room, reply, body)
  }
  register(server, app, { route, handler: handle, requireObject })
}

type Send<R extends Route> = (
  input: Input<R>,
  who: CallerOf<R>,
  reply: FastifyReply,
) => Promise<unknown>

/** A route whose answer is no JSON: the handler sends it. */
export const serveBytes = <R extends Route>(
  server: FastifyInstance,
  app: App,
  route: R,
  send: Send<R>,
): void =>
  register(server, app, {
    route,
    handler: async (request, reply) =>
      send((await inputOf(route, request)) as Input<R>, request.caller as CallerOf<R>, reply),
  })

/** As `serveBytes`, of a kept message or a file in it: it waits for room before it is read, for all of it or for a piece. */
export const serveKept = <R extends Route>(
  server: FastifyInstance,
  app: App,
  route: R,
  held: 'whole' | 'in pieces',
  send: Send<R>,
): void =>
  serveBytes(server, app, route, async (input, who, reply) => {
    await takeAnswerRoom(server.room, reply, held)
    return send(input, who, reply)
  })

type Served = {
  route: Route
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  requireObject?: RequireObject | undefined
}

/** A request is turned away before it is paid for: who calls, with what right, which object, how many bytes; then it is read. */
const register = (server: FastifyInstance, app: App, served: Served): void => {
  const { route, handler, requireObject = objectOf(app, route) } = served
  server.servedRoutes.push(route)
  const { access } = route
  const isOpen = access === 'anyone'
  const usualLimit = isOpen || !takesBody(route) ? OPEN_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES
  server.route({
    method: route.method,
    url: API_PREFIX + route.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyLimitBytes ?? usualLimit,
    config: route.body
      ? { maxValues: isOpen ? OPEN_MAX_VALUES : MAX_VALUES, fileField: route.fileField }
      : {},
    // HEAD does all that GET does, and would spend a link that is good once.
    exposeHeadRoute: false,
    onRequest: async (request) => {
      if (access === 'anyone')
        return takesBody(route) ? server.refusedForms.check(ipOf(request)) : undefined
      request.caller = await callerOf(app, request, access)
      await requireObject?.(request.caller, request.params as Record<string, string>)
    },
    handler: async (request, reply) => {
      if (!isOpen) return handler(request, reply)
      try {
        return await handler(request, reply)
      } catch (error) {
        server.refusedForms.note(ipOf(request), error)
        throw error
      }
    },
  })
}

const inputOf = async (route: Route, request: FastifyRequest) => {
  checkQuery(request.query)
  const sent = route.body && bodyOf(request)
  // To parse 40 MB takes a while, and so does the check of what they hold: others come in between.
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) await nextTurn()
  if (route.body && sent === undefined)
    throw new AppError('BAD_REQUEST', { message: 'The request has no body' })
  return {
    params: route.params && parseInput(route.params, request.params),
    query: route.query && parseInput(route.query, request.query),
    body: route.body && parseInput(route.body, sent),
  }
}

/** Nobody reads more. */
const MAX_ISSUES = 100

/**
 * Parses one part of a request with its schema; what is wrong is told field by field.
 * @throws VALIDATION with the first message of each field, nested paths joined with dots.
 */
export const parseInput = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const fields: Record<string, string> = {}
  const tell = (field: string, message: string) => {
    if (!Object.hasOwn(fields, field)) fields[field] = message
  }
  for (const issue of result.error.issues.slice(0, MAX_ISSUES)) {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys.slice(0, MAX_ISSUES))
        tell([...path, key].join('.'), 'Unknown field')
    else tell(path.join('.') || 'body', issue.message)
  }
  throw new AppError('VALIDATION', { data: fields })
}

/** @throws VALIDATION when a value of the query holds a NUL, declared or not. */
export const checkQuery = (query: unknown): void => {
  for (const [key, value] of Object.entries(query ?? {}))
    if (String(value).includes('\0') || key.includes('\0'))
      throw new AppError('VALIDATION', { data: { [key.replaceAll('\0', '')]: NO_NUL } })
}
