/**
 * Turns one route of the contract into a served one: who calls, what they sent, what goes back.
 * No product rule lives here.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import { API_PREFIX, type Input, type Output, type Route } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { tooManyBytes } from './exchange/body-budget.ts'
import { checkQuery, parseInput } from './exchange/parse-input.ts'
import { bodyOf } from './exchange/read-body.ts'
import { callerOf } from './session.ts'

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
  }
  interface FastifyInstance {
    /** Every route served so far: what the OpenAPI document prints. */
    servedRoutes: Route[]
  }
}

const BODY_LIMIT_BYTES = 256 * 1024

export const serve = <R extends Route>(
  server: FastifyInstance,
  app: App,
  route: R,
  handler: Handler<R>,
): void =>
  register(server, app, route, async (request, reply) => {
    const input = inputOf(route, request) as Input<R>
    const answer = await handler(input, request.caller as CallerOf<R>, request, reply)
    // Parsing drops whatever the contract does not name, so no column leaves by accident.
    const body = JSON.stringify(route.output.parse(answer))
    // What was changed is changed: only who reads is told to come again.
    if (!server.budget.takeAnswer(request, body.length) && route.method === 'GET')
      throw tooManyBytes()
    return reply
      .code(route.status ?? 200)
      .header('content-type', 'application/json; charset=utf-8')
      .send(body)
  })

/** A route whose answer is no JSON: the handler sends it. */
export const serveBytes = <R extends Route>(
  server: FastifyInstance,
  app: App,
  route: R,
  send: (input: Input<R>, who: CallerOf<R>, reply: FastifyReply) => Promise<unknown>,
): void =>
  register(server, app, route, (request, reply) =>
    send(inputOf(route, request) as Input<R>, request.caller as CallerOf<R>, reply),
  )

const register = (
  server: FastifyInstance,
  app: App,
  route: Route,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void => {
  server.servedRoutes.push(route)
  const { access } = route
  server.route({
    method: route.method,
    url: API_PREFIX + route.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    // HEAD does all that GET does, and would spend a link that is good once.
    exposeHeadRoute: false,
    // Before the body is read: strangers do not make us parse 40 MB.
    onRequest: async (request) => {
      if (access !== 'anyone') request.caller = await callerOf(app, request, access)
    },
    handler,
  })
}

const inputOf = (route: Route, request: FastifyRequest) => {
  checkQuery(request.query)
  const sent = route.takesBytes ? undefined : bodyOf(request)
  if (route.body && sent === undefined)
    throw new AppError('BAD_REQUEST', { message: 'The request has no body' })
  return {
    params: route.params && parseInput(route.params, request.params),
    query: route.query && parseInput(route.query, request.query),
    body: route.body && parseInput(route.body, sent),
  }
}
