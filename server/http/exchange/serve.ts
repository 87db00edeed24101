/**
 * Serves one route of the contract: authenticates the caller, parses the request, sends the answer.
 * No product rule lives here.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { User } from '#contract/auth.ts'
import { keyUse } from '#contract/developers/scopes.ts'
import { AppError } from '#contract/errors.ts'
import { type Access, API_PREFIX, type Input, type Output, type Route } from '#contract/route.ts'
import { auditTopicOf } from '#contract/workspace/audit-log.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { requireLink } from '#server/features/checks/mail-link.ts'
import { getDeleted } from '#server/features/deletions/restore.ts'
import { getDomain } from '#server/features/domains/find-domain.ts'
import { requirePasskey } from '#server/features/factors/keep-passkeys.ts'
import { getApiKey } from '#server/features/keys/api-keys.ts'
import { openToSpeak } from '#server/features/mailboxes/mailbox-settings.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { getMailbox } from '#server/features/mailboxes/read-mailboxes.ts'
import { requireMember } from '#server/features/members/change-members.ts'
import { requireMessage } from '#server/features/messages/get-message.ts'
import { requireOwnFolder } from '#server/features/messages/own-folders.ts'
import { requireInvoice } from '#server/features/operating/invoices.ts'
import { requireWorkspace } from '#server/features/operating/workspaces.ts'
import { findImport } from '#server/features/transfer/edit-imports.ts'
import { getWebhook } from '#server/features/webhooks/webhooks.ts'
import { ownWorkspace } from '#server/features/workspaces/own-workspace.ts'
import { requireView } from '#server/features/workspaces/saved-views.ts'
import { audited } from './audited.ts'
import { sendJson, takeAnswerRoom } from './large-answer.ts'
import { MAX_VALUES, NO_NUL } from './parse-json.ts'
import { bodyOf } from './read-body.ts'
import type { RefusedForms } from './refused-forms.ts'
import { actOnce } from './repeatable.ts'
import { callerOf, ipOf, requireRecentSignIn } from './session.ts'

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
    /** Address of the client, behind trusted proxies. */
    clientAddress: string
  }
  interface FastifyInstance {
    /** Every route served so far, for the OpenAPI document. */
    servedRoutes: Route[]
    refusedForms: RefusedForms
  }
}

const BODY_LIMIT_BYTES = 256 * 1024
/** For forms without a session. */
const OPEN_BODY_LIMIT_BYTES = 8 * 1024
const OPEN_MAX_VALUES = 100

/** `requireObject`: for routes of programs that embed the product, which `path-objects` does not know. */
export const serve = <R extends Route>(
  server: FastifyInstance,
  app: App,
  route: R,
  handler: Handler<R>,
  requireObject?: RequireObject,
): void => {
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const input = (await inputOf(route, request)) as Input<R>
    const act = () => handler(input, request.caller as CallerOf<R>, request, reply)
    const { status, body } = await actOnce(app, route, { request, reply, input }, async () => {
      const answer = await audited(app, route, request, input, act)
      // Parsing drops fields that the contract does not name, so no column is answered by accident.
      return { status: route.status ?? 200, body: JSON.stringify(route.output.parse(answer)) }
    })
    reply.code(status).header('content-type', 'application/json; charset=utf-8')
    return sendJson(server.room, reply, body)
  }
  register(server, app, { route, handler: handle, requireObject })
}

type Params = Record<string, string>
/** @throws NOT_EXISTS, FORBIDDEN */
export type RequireObject = (who: Who, params: Params) => Promise<unknown>
type Requirement = (app: App, who: Who, params: Params, access: Access) => Promise<unknown>

const mailbox: Requirement = (app, who, { id = '' }, access) =>
  access === 'open-mailboxes' ? openMailbox(app, who, id) : getMailbox(app, who, id)
const settings: Requirement = (app, who, { id = '' }) => openToSpeak(app, who, id)

/** By the prefix of the path; the longest match is used. */
const requirements: Record<string, Requirement> = {
  '/mailboxes/{id}': mailbox,
  '/mailboxes/{id}/settings': settings,
  '/mailboxes/{id}/vacation': settings,
  '/mailboxes/{id}/messages/{messageId}': (app, who, { id = '', messageId = '' }) =>
    requireMessage(app, who, id, messageId),
  '/mailboxes/{id}/folders/{folderId}': (app, who, { id = '', folderId = '' }) =>
    requireOwnFolder(app, who, id, folderId),
  '/mailboxes/{id}/imports/{importId}': (app, who, { id = '', importId = '' }) =>
    findImport(app, who, id, importId),
  '/domains/{id}': (app, who, { id = '' }) => getDomain(app, who, id),
  '/deleted/{id}': (app, who, { id = '' }) => getDeleted(app, who, id),
  '/dns-links/{id}': (app, who, { id = '' }) => requireLink(app, who, id),
  '/members/{id}': (app, who, { id = '' }) => requireMember(app, who, id),
  '/webhooks/{id}': (app, who, { id = '' }) => getWebhook(app, who, id),
  '/api-keys/{id}': (app, who, { id = '' }) => getApiKey(app, who, id),
  '/views/{id}': (app, who, { id = '' }) => requireView(app, who, id),
  '/passkeys/{id}': (app, { userId }, { id = '' }) => requirePasskey(app, userId, id),
  '/operator/workspaces/{id}': (app, _who, { id = '' }) => requireWorkspace(app.db, id),
  '/operator/invoices/{id}': (app, _who, { id = '' }) => requireInvoice(app.db, id),
  '/workspaces/{id}': (app, { userId }, { id = '' }) => ownWorkspace(app.db, userId, id),
}

/**
 * Checks that the object of a path exists and belongs to the caller before the body is read. Features check again under
 * their locks: this check avoids reading bodies in vain (decision 039).
 * null for a route without a body or whose path names no object. A path without a look-up fails the start.
 */
export const objectOf = (app: App, route: Route): RequireObject | null => {
  if (!takesBody(route) || !route.path.includes('{')) return null
  const [longest] = Object.keys(requirements)
    .filter((begin) => `${route.path}/`.startsWith(`${begin}/`))
    .toSorted((a, b) => b.length - a.length)
  const requirement = longest === undefined ? undefined : requirements[longest]
  if (requirement === undefined)
    throw new Error(`what ${route.method} ${route.path} names is looked up nowhere before its body`)
  return (who, params) => requirement(app, who, params, route.access)
}

export const takesBody = (route: Route): boolean =>
  route.body !== undefined || route.takesBytes === true

type Send<R extends Route> = (
  input: Input<R>,
  who: CallerOf<R>,
  reply: FastifyReply,
) => Promise<unknown>

/** A route whose answer is not JSON: the handler sends it. */
export const serveBytes = <R extends Route>(
  server: FastifyInstance,
  app: App,
  route: R,
  send: Send<R>,
): void => {
  if (auditTopicOf(route) !== null)
    throw new Error(`${route.name} changes what the audit log has, but answers no JSON`)
  register(server, app, {
    route,
    handler: async (request, reply) =>
      send((await inputOf(route, request)) as Input<R>, request.caller as CallerOf<R>, reply),
  })
}

/** Like `serveBytes`, for a stored message or a file in it: waits for room before it is read, as a whole or in pieces. */
export const serveStored = <R extends Route>(
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

/** Refuses a request before it costs much: checks caller, right, object and length; then reads it. */
const register = (server: FastifyInstance, app: App, served: Served): void => {
  const { route, handler, requireObject = objectOf(app, route) } = served
  server.servedRoutes.push(route)
  // A route that says nothing of keys fails the start.
  keyUse(route)
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
    // HEAD would run the handler of GET, and so use up a link that works once.
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      if (access === 'anyone')
        return takesBody(route) ? server.refusedForms.check(ipOf(request)) : undefined
      request.caller = await callerOf(app, request, reply, { ...route, access })
      await requireRecentSignIn(app, request.caller, route)
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
  // Parsing and checking 40 MB take a while: other requests come in between.
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) await nextTurn()
  if (route.body && sent === undefined)
    throw new AppError('BAD_REQUEST', { message: 'The request has no body' })
  return {
    params: route.params && parseInput(route.params, request.params),
    query: route.query && parseInput(route.query, request.query),
    body: route.body && parseInput(route.body, sent),
  }
}

/** More would not be read. */
const MAX_ISSUES = 100

/**
 * Parses one part of a request with its schema; faults are reported per field.
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
