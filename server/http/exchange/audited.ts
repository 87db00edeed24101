/**
 * Keeps the audit log of what routes change: a line is written before the handler runs and completed after it (decision 118). What is
 * in it follows from the contract: the topic, the summary, the object of the path, and fields that are named here as readable.
 */
import type { FastifyRequest } from 'fastify'
import { isRefusal } from '#contract/errors.ts'
import type { Route } from '#contract/route.ts'
import { auditTopicOf } from '#contract/workspace/audit-log.ts'
import type { App } from '#server/app.ts'
import { hasWorkspace } from '#server/features/accounts/live-sessions.ts'
import { actorOf } from '#server/features/accounts/who.ts'
import { beginChange, completeChange, forgetChange } from '#server/features/audit/record-change.ts'
import { namesInBody, objectInPath } from '#server/features/audit-names/name-objects.ts'
import { ownWorkspace } from '#server/features/workspaces/own-workspace.ts'

type Parsed = { params?: unknown; body?: unknown }
type Fields = Record<string, unknown>

/** Runs the handler of a route; a change that the log should have is in it, unless it was refused. */
export const audited = async <Answer>(
  app: App,
  route: Route,
  request: FastifyRequest,
  input: Parsed,
  act: () => Promise<Answer>,
): Promise<Answer> => {
  const topic = auditTopicOf(route)
  const { caller } = request
  const [params, body] = [asFields(input.params), asFields(input.body)]
  if (topic === null || caller === null || body.dryRun === true) return act()
  if (!hasWorkspace(caller)) return act()
  // A line is never begun in a workspace of others.
  const workspaceId = route.path.startsWith('/workspaces/{id}')
    ? (await ownWorkspace(app.db, caller.userId, String(params.id))).id
    : caller.workspaceId
  const path = params as Record<string, string>
  const [object, names] = await Promise.all([
    objectInPath(app, workspaceId, route.path, path),
    namesInBody(app, workspaceId, route.path, body),
  ])
  const many = names.ids ?? names.mailboxIds ?? []
  const about = object?.name ?? listed(many)
  const told = {
    ...{ ...readable(body), ...namedFields(names) },
    ...(object === null ? all(many) : {}),
  }
  const line = await beginChange(app.db, app.clock.now(), actorOf(caller), {
    ...{ workspaceId, topic, action: route.name, what: inShort(route.summary) },
    ...{ object: about, details: told },
  })
  let answer: Answer
  try {
    answer = await act()
  } catch (error) {
    if (isRefusal(error)) await forgetChange(app.db, line)
    throw error
  }
  try {
    const after = object && (await objectInPath(app, workspaceId, route.path, path))
    const made = about === '' ? namesIn(answer) : []
    await completeChange(app.db, line, {
      object: about || listed(made),
      objectAfter: after && after.name !== object.name ? after.name : null,
      details: {
        ...{ ...told, ...all(made), ...outcomes(answer) },
        ...differences(object?.facts, after?.facts),
      },
    })
  } catch (error) {
    // The change is made; its line says that it was begun.
    app.log.error({ err: error, line: line.id }, 'a line of the audit log could not be completed')
  }
  return answer
}

const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** The summary says more to developers: the log has its first clause. */
export const inShort = (summary: string): string =>
  (/^[^;:]*?(?=[;:]|\. |$)/.exec(summary)?.[0] ?? summary).trim()

/** Fields of bodies whose values may be read in the log. Of others only the name is there, and of secrets nothing. */
const READABLE = new Set([
  ...['name', 'email', 'role', 'status', 'domain', 'domains', 'names', 'count', 'mode', 'days'],
  ...['firstName', 'lastName', 'displayName', 'endsAt', 'expiresAt', 'canSend', 'reason', 'isOn'],
  ...['scopes', 'firstDay', 'lastDay', 'needsAppPasswords', 'graceDays'],
])
const SECRET = /password|session|token|secret|key/i

const readable = (body: Fields): Record<string, string> => {
  const told: Record<string, string> = {}
  const others: string[] = []
  for (const [field, value] of Object.entries(body)) {
    if (value === undefined) continue
    const text = textOf(value)
    if (READABLE.has(field) && text !== null) told[field] = text
    else if (!SECRET.test(field) && !field.endsWith('Id') && !/ids$/i.test(field))
      others.push(field)
  }
  return others.length === 0 ? told : { ...told, fields: others.join(', ') }
}

const textOf = (value: unknown): string | null => {
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.every(isPlain) ? value.join(', ') : null
  return isPlain(value) ? String(value) : null
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** In the object of a line; its details have all of them, so that nobody hides one among many. */
const MOST_NAMED = 10

const all = (names: readonly string[]): Record<string, string> =>
  names.length > MOST_NAMED ? { all: names.join(', ') } : {}

const listed = (names: readonly string[]): string => {
  const rest = names.length - MOST_NAMED
  const text = names.slice(0, MOST_NAMED).join(', ')
  return rest > 0 ? `${text} and ${rest} more` : text
}

const namedFields = (names: Record<string, string[]>): Record<string, string> => {
  const { ids: _ids, mailboxIds: _mailboxIds, ...others } = names
  const called: Record<string, string> = {}
  for (const [field, found] of Object.entries(others))
    if (found.length > 0) called[field.replace(/Id$/, '')] = found.join(', ')
  return called
}

/** What an answer calls what was made: one thing, or many. */
const namesIn = (answer: unknown): string[] => {
  const rows = Array.isArray(answer) ? answer : asFields(answer).rows
  const many = Array.isArray(rows) ? rows : [answer]
  return many
    .map(asFields)
    .filter(wasDone)
    .map(nameIn)
    .filter((name) => name !== '')
}

const nameIn = ({ email, name, number }: Fields): string =>
  [email, name, number].map((each) => (typeof each === 'string' ? each : '')).find(Boolean) ?? ''

const wasDone = ({ isDone, outcome, result }: Fields): boolean =>
  isDone !== false && !['refused', 'left', 'exists', 'repeated'].includes(String(outcome ?? result))

/** Of rows that are judged one by one. */
const outcomes = (answer: unknown): Record<string, string> => {
  const rows = Array.isArray(answer) ? answer : asFields(answer).rows
  if (!Array.isArray(rows) || rows.length === 0) return {}
  const done = rows.map(asFields).filter(wasDone).length
  return { done: `${done} of ${rows.length}` }
}

const differences = (
  before: Record<string, string> = {},
  after: Record<string, string> = before,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(after)
      .filter(([field, value]) => before[field] !== undefined && before[field] !== value)
      .map(([field, value]) => [field, `${before[field] || 'none'} → ${value || 'none'}`]),
  )
