/**
 * Every route of the contract times every state of a right to read a shared mailbox. A new route falls into it by itself. The
 * rule is `ruled`: who was given a mailbox gets what its own holder gets, and who was not gets one refusal and no word of it.
 */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { memberCan, type Right, type Role } from '#contract/rights.ts'
import type { Access, Route } from '#contract/route.ts'
import type { Subject } from '#contract/subjects.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace, type User } from '#test-world/builders.ts'
import { stateOf } from '#test-world/database-state.ts'
import {
  anExport,
  aPerson,
  aSharedMailbox,
  aWorld,
  give,
  must,
  type Shared,
  type State,
  states,
  TOMS_WORDS,
  type World,
} from '#test-world/people/shared-mailbox.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'
import { declaredRoutes, nameOf } from './declared-routes.ts'
import { goodBodies } from './good-bodies.ts'

/** A right that holders have, or none at all. */
function isOfHolders(access: Access): boolean {
  return (
    access === 'any-session' ||
    (access !== 'signed-in' &&
      access !== 'anyone' &&
      access !== 'operator' &&
      memberCan('Holder', access))
  )
}

function isOfMailbox({ path }: Route): boolean {
  return path.startsWith('/mailboxes/{id}')
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/**
 * All that name a mailbox, and all that a holder may call; `holders` tries the others. Reading comes before changing, and both
 * before deleting. A stream does not end: `shared-events` listens.
 */
const routes = (await declaredRoutes())
  .filter((route) => isOfMailbox(route) || isOfHolders(route.access))
  .filter(({ contentType }) => contentType !== 'text/event-stream')
  .toSorted((a, b) => methods.indexOf(a.method) - methods.indexOf(b.method))

let app: TestApp
let server: FastifyInstance
let world: World
/** What the holder of a mailbox gets from each of its routes. */
let reference: Answers
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  world = await aWorld(app, server as World['server'])
  const shared = await aSharedMailbox(world)
  reference = await askAll(shared, shared.holder.headers)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

type Answer = { status: number; type: string; bytes: string }
type Answers = Map<string, Answer>

const askAll = async (
  shared: Shared,
  headers: Record<string, string>,
  asked: readonly Route[] = routes,
): Promise<Answers> => {
  const answers: Answers = new Map()
  for (const route of asked) answers.set(nameOf(route), await ask(route, shared, headers))
  return answers
}

const ask = async (route: Route, shared: Shared, headers: Record<string, string>) => {
  const body = route.takesBytes ? Buffer.from('x') : bodyOf(route, shared)
  const type = route.takesBytes ? 'application/octet-stream' : 'application/json'
  const answer = await server.inject({
    ...{ method: route.method, url: urlOf(route, shared) },
    headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { payload: body as object }),
  })
  const { statusCode: status } = answer
  return {
    status,
    type: status < 400 ? 'OK' : (answer.json().type as string),
    bytes: JSON.stringify(answer.headers) + answer.rawPayload.toString('latin1'),
  }
}

const urlOf = ({ path, query }: Route, { box, ids, mark }: Shared): string => {
  const first = path.startsWith('/mailboxes') ? box.id : box.domainId
  const inner = { ...ids, ...(path.includes('/drafts/') && { messageId: ids.draftId }) }
  const place = path
    .replace('{id}', first)
    .replace(/\{(\w+)\}/g, (_all, name: string) => inner[name as keyof typeof inner] ?? '0')
  const asked = { q: mark, url: `https://${mark}.example/a.png`, messages: ids.messageId ?? '' }
  const known = Object.entries(asked).filter(([name]) => query && name in query.shape)
  return `/api/v1${place}?${new URLSearchParams(known)}`
}

/** A good body that names what is in this mailbox. */
const bodyOf = (route: Route, { box, ids }: Shared): unknown => {
  const good = goodBodies[nameOf(route)]
  const named: Record<string, unknown> = {
    ...{ from: box.email, mailboxId: box.id, ids: [box.id], mailboxIds: [box.id] },
    ...{ userId: ids.userId, messageId: ids.messageId, inReplyTo: ids.messageId },
    ...{ forwardOf: ids.messageId, uploads: [ids.uploadId], draft: newId() },
    // Deleting the whole folder would leave the next routes nothing.
    ...(route.path.endsWith('/changes') && { all: undefined, delete: undefined }),
    ...(route.path.endsWith('/changes') && { messages: [ids.messageId], folder: 'inbox' }),
    ...(route.path.endsWith('/undo') && { key: ids.sendKey }),
  }
  if (good === undefined) return undefined
  const added = route.path.endsWith('/changes') ? ['messages'] : []
  const fields = [...Object.keys(good), ...added].map((name) => {
    const isBoolean = typeof good[name] === 'boolean'
    return [name, name in named && !isBoolean ? named[name] : good[name]]
  })
  return Object.fromEntries(fields)
}

/** The rule. Its holder gets OK, or why not: nothing to unsubscribe from, for one. */
const ruled = (route: Route, { answer, sending, but }: State): string => {
  if (answer === 'JWT_EXPIRED') return answer
  if (!isOfHolders(route.access)) return 'FORBIDDEN'
  if (isOfMailbox(route) && answer !== null) return answer
  if (sending && isOfMailbox(route) && route.errors.includes(sending)) return sending
  if (but === 'access of what is not deleted' && isAbout(route, 'access')) return 'NOT_EXISTS'
  if (but === 'speaks for nobody') {
    if (/\{id\}\/(?:settings|vacation)$/.test(route.path) && route.body) return 'FORBIDDEN'
    if (route.body instanceof z.ZodObject && 'from' in route.body.shape) return 'VALIDATION'
  }
  return reference.get(nameOf(route))?.type ?? ''
}

const isAbout = ({ reads = [], changes = [] }: Route, subject: Subject): boolean =>
  [...reads, ...changes].includes(subject)

const typesOf = (answers: Answers): Record<string, string> =>
  Object.fromEntries([...answers].map(([name, { type }]) => [name, type]))

const leaksIn = (answers: Answers, words: readonly string[]): string[] =>
  [...answers].flatMap(([name, { bytes }]) =>
    words.filter((word) => bytes.includes(word)).map((word) => `${name}: ${word}`),
  )

test('the reference is real: its holder is let in, and most answers hold the marked words', () => {
  const open = routes.filter((route) => isOfMailbox(route) && route.access === 'open-mailboxes')
  const types = open.map((route) => [nameOf(route), reference.get(nameOf(route))?.type])
  expect(types.filter(([, type]) => type !== 'OK')).toEqual([
    // The address of the picture leads nowhere.
    ['GET /mailboxes/{id}/messages/{messageId}/picture', 'PICTURE_UNAVAILABLE'],
    ['POST /mailboxes/{id}/imports', 'IMPORT_OPEN'],
    ['PUT /mailboxes/{id}/imports/{importId}/pieces/{start}', 'VALIDATION'],
    ['PATCH /mailboxes/{id}/folders/{folderId}', 'VALIDATION'],
    // An Admin ends the rights of others.
    ['DELETE /mailboxes/{id}/readers/{userId}', 'FORBIDDEN'],
    // None is another person's.
    ['DELETE /mailboxes/{id}/app-passwords/{appPasswordId}', 'NOT_EXISTS'],
  ])
  const marked = [...reference].filter(([, { bytes }]) => /zq\d+zq/.test(bytes))
  expect(marked.length).toBeGreaterThan(20)
})

describe.each(Object.entries(states))('a shared mailbox: %s', (_name, state) => {
  test('each route answers by the rule, and tells no word that is not its reader’s', async () => {
    const shared = await aSharedMailbox(world)
    const eva = await aPerson(world)
    for (const person of [eva, world.tom]) await give(world, shared, person)
    const link = await anExport(eva, shared)
    await state.prepare?.(world, shared, eva)
    await state.become(world, shared, eva)
    const before = await stateOf(app.db)
    const answers = await askAll(shared, eva.headers)
    const expected = Object.fromEntries(routes.map((route) => [nameOf(route), ruled(route, state)]))
    expect(typesOf(answers)).toEqual(expected)
    expect(leaksIn(answers, TOMS_WORDS)).toEqual([])
    const after = await stateOf(app.db)
    const download = await eva.client.call('GET', `/mail-exports/${link}`)
    expect(download.status).toBe(state.answer === null ? 200 : 404)
    if (state.answer === null) return
    expect(leaksIn(answers, [shared.mark])).toEqual([])
    expect(withoutOwn(after)).toBe(withoutOwn(before))
  })
})

/** How dates are written and how somebody signs in are everybody’s own. */
const withoutOwn = (state: string): string =>
  state.replace(/^(preferences|second_factors|factor_challenges) .*$/gm, '')

/** What those who look after mailboxes see of one that they do not read: who reads it, and what it says of itself. */
const ofKeepers = ['access', 'access/log', 'sending', 'settings', 'storage', 'vacation'].map(
  (end) => `GET /mailboxes/{id}/${end}`,
)

test.each(['Admin', 'Editor', 'User', 'Admin of another workspace'] as const)(
  'no role reads a mailbox by itself: %s',
  async (role) => {
    const shared = await aSharedMailbox(world)
    const user = await aUser(app)
    const isOurs = role !== 'Admin of another workspace'
    if (isOurs) await letIn(user, role)
    else await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    const reading = routes.filter((route) => isOfMailbox(route) && route.method === 'GET')
    const answers = await askAll(shared, (await aSession(app, user)).headers, reading)
    const ruledHere = (route: Route): string => {
      const { access } = route
      const isRead = access === 'open-mailboxes'
      if (!isOurs) return 'NOT_EXISTS'
      if (isRead) return role !== 'User' && ofKeepers.includes(nameOf(route)) ? 'OK' : 'FORBIDDEN'
      return memberCan(role, access as Right) ? 'OK' : 'FORBIDDEN'
    }
    const expected = Object.fromEntries(reading.map((route) => [nameOf(route), ruledHere(route)]))
    expect(typesOf(answers)).toEqual(expected)
    for (const [name, { type, bytes }] of answers)
      if (type !== 'OK' || !isOurs) expect(bytes, name).not.toContain(shared.mark)
  },
)

const letIn = async ({ id: userId }: Pick<User, 'id'>, role: Role) => {
  const { workspaceId } = world
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId, role, createdAt: app.clock.now() })
    .execute()
}

test('the private address that a link was mailed to is shown to those who mail links alone', async () => {
  const shared = await aSharedMailbox(world)
  const eva = await aPerson(world)
  await give(world, shared, eva)
  const email = 'private@else.example'
  app.clock.advance({ seconds: 1 })
  await must(world.admin, 'POST', `/mailboxes/${shared.box.id}/access/link`, { email })
  const answers = await askAll(
    shared,
    eva.headers,
    routes.filter(({ method }) => method === 'GET'),
  )
  expect(leaksIn(answers, [email])).toEqual([])
  const log = await must(world.admin, 'GET', `/mailboxes/${shared.box.id}/access/log`)
  expect(log.items[0]).toMatchObject({ kind: 'link-mailed', subject: email })
})
