/**
 * Requests made from the OpenAPI document and spoilt, sent by everybody who may call: no fault of ours, and no answer that the
 * document does not declare. REQUESTS and SEED choose how many and which; `npm run soak -- requests` sends 100,000.
 */
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEY_SCOPES } from '#contract/developers/scopes.ts'
import { openHttpServer } from '#server/http/http-server.ts'
import { newId } from '#server/lib/ids.ts'
import { anApiClient } from '../api-client.ts'
import { anApp, type TestApp } from '../app.ts'
import { aDomain, aMailbox, aUser, letRead } from '../builders.ts'
import { aSharedMailbox, aWorld } from '../people/shared-mailbox.ts'
import { aSession } from '../session.ts'
import { type Answer, type Judge, openJudge } from './requests/judge-answer.ts'
import { type Known, type MutatedRequest, mutateRequest } from './requests/mutate-request.ts'
import { chanceOf } from './seeded.ts'

const REQUESTS = Number(process.env.REQUESTS ?? 1_500)
const SEED = Number(process.env.SEED ?? 1)
/** What they delete and end must not stay so: new people and new objects come after so many. */
const PER_SETTING = 150

let app: TestApp
let server: FastifyInstance
let port: number
let judges: Judge[]
const agent = new Agent({ keepAlive: true, maxSockets: 32 })
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app, { refusedForms: Number.POSITIVE_INFINITY })
  await server.listen({ port: 0, host: '127.0.0.1' })
  port = (server.server.address() as AddressInfo).port
  const documents = ['/openapi.json', '/openapi-operator.json'].map(async (path) =>
    openJudge((await server.inject(`/api/v1${path}`)).json()),
  )
  judges = await Promise.all(documents)
})
afterAll(async () => {
  agent.destroy()
  await server.close()
  await app.close()
})

type Setting = { known: Known; callers: [Caller, ...Caller[]] }
type Caller = { name: string; headers: Record<string, string>; from: string }

const aMemberAs = async (workspaceId: string, role: 'Editor' | 'User') => {
  const user = await aUser(app, { currentWorkspaceId: workspaceId })
  const member = { workspaceId, userId: user.id, role, createdAt: app.clock.now() }
  await app.db.insertInto('members').values(member).execute()
  return user
}

const aSetting = async (n: number): Promise<Setting> => {
  const world = await aWorld(app, server as Parameters<typeof aWorld>[1])
  const shared = await aSharedMailbox(world)
  const { workspaceId } = world
  const [editor, reader] = [
    await aMemberAs(workspaceId, 'Editor'),
    await aMemberAs(workspaceId, 'User'),
  ]
  await letRead(app, shared.box, reader.id)
  await letRead(app, shared.box, editor.id)
  const operator = await aUser(app, { currentWorkspaceId: workspaceId })
  const row = { userId: operator.id, madeBy: 'terminal', madeAt: app.clock.now() }
  await app.db.insertInto('operators').values(row).execute()
  const headersOf = async (user: { id: string }) => (await aSession(app, user)).headers
  const keyOf = (user: { id: string }, form: object) => aKey(workspaceId, user, form)
  const boss = await adminOf(workspaceId)
  const fresh = await aDomain(app, { workspaceId })
  const foreign = await aMailbox(app)
  const idle = await aMailbox(app, { domain: world.people, status: 'inactive' })
  const boxes = [shared.box.id, world.tom.box.id, idle.id]
  const domains = [world.people.id, fresh.id]
  return {
    known: {
      ...Object.fromEntries(Object.entries(shared.ids).map(([name, id]) => [name, [id]])),
      ...{ mailboxes: boxes, mailbox: boxes, mailboxId: boxes, domains },
      ...{ 'dns-records': domains, 'domain-ownership': domains, id: [...boxes, ...domains] },
      ...{ workspaces: [workspaceId], workspaceId: [workspaceId, world.otherId] },
      members: [reader.id, editor.id],
      userId: [reader.id, editor.id, shared.holder.user.id],
      domain: [world.people.name, fresh.name],
      name: ['Analytical Engines', 'new.example', world.people.name],
      email: [`new${n}@${world.people.name}`, shared.box.email, 'grace@example.org'],
      folder: ['inbox', 'trash', shared.ids.folderId],
      operator: [workspaceId, operator.id, shared.box.id],
      foreign: [foreign.id, foreign.domainId, foreign.workspaceId, newId()],
      messages: [[shared.ids.messageId]],
    },
    callers: [
      { name: 'Admin', headers: await headersOf(boss), from: `127.0.1.${n % 250}` },
      { name: 'Editor', headers: await headersOf(editor), from: `127.0.2.${n % 250}` },
      { name: 'User', headers: await headersOf(reader), from: `127.0.3.${n % 250}` },
      { name: 'holder', headers: shared.holder.headers, from: `127.0.4.${n % 250}` },
      { name: 'operator', headers: await headersOf(operator), from: `127.0.5.${n % 250}` },
      { name: 'nobody', headers: {}, from: `127.0.6.${n % 250}` },
      {
        ...{ name: 'key of the workspace', headers: await keyOf(boss, {}) },
        from: `127.0.7.${n % 250}`,
      },
      {
        name: 'narrowed key',
        headers: await keyOf(boss, { domains: [world.people.id], mailboxes: [idle.id] }),
        from: `127.0.8.${n % 250}`,
      },
      {
        name: 'key of a person',
        headers: await keyOf(editor, { kind: 'person' }),
        from: `127.0.9.${n % 250}`,
      },
    ],
  }
}

/** With every scope. */
const aKey = async (workspaceId: string, user: { id: string }, form: object) => {
  const { headers } = await aSession(app, user)
  const client = anApiClient(server, { ...headers, 'x-workspace-id': workspaceId })
  const body = { name: 'Trial', scopes: KEY_SCOPES, ...form }
  const made = await client.call('POST', '/api-keys', body)
  if (made.status !== 201) throw new Error(`no key: ${JSON.stringify(made.body)}`)
  return { authorization: `Bearer ${made.body.key}` }
}

const adminOf = async (workspaceId: string) => {
  const { userId } = await app.db
    .selectFrom('members')
    .select('userId')
    .where('workspaceId', '=', workspaceId)
    .where('role', '=', 'Admin')
    .executeTakeFirstOrThrow()
  return { id: userId }
}

/** Reads no stream to its end: it has none. */
const send = (made: MutatedRequest, { headers, from }: Caller): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const length = made.body ? { 'content-length': made.body.length } : {}
    const sent = request({
      ...{ host: '127.0.0.1', port, agent, localAddress: from, method: made.method },
      path: `/api/v1${made.path}`,
      headers: { ...headers, ...made.headers, ...length },
    })
    sent.on('response', async (answer) => {
      const status = answer.statusCode ?? 0
      const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
      if (isStream) sent.destroy()
      const body = isStream ? '' : await text(answer).catch(() => '')
      resolve({ status, headers: answer.headers, body })
    })
    sent.on('error', reject)
    sent.end(made.body ?? undefined)
  })

type Fault = { operation: string; fault: string; seed: number; request: string; answer: string }

const tryOne = async (seed: number, setting: Setting): Promise<Fault | null> => {
  const chance = chanceOf(seed)
  const judge = chance.between(1, 6) === 1 ? judges[1] : judges[0]
  const operation = judge?.operations[chance.between(0, judge.operations.length - 1)]
  if (!judge || !operation) throw new Error('no document')
  const caller = chance.oneOf(setting.callers)
  const { components } = judge
  const made = mutateRequest(operation, { chance, known: setting.known, components })
  const answer = await send(made, caller)
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  const fault = judge.faultOf(operation, answer)
  if (fault === null && answer.status !== 500) return null
  const sent = `${made.path} ${JSON.stringify(made.headers)} ${made.body?.subarray(0, 600) ?? ''}`
  return {
    ...{ operation: operation.operationId, fault: fault ?? 'a fault of ours', seed },
    request: `${caller.name}: ${made.method} ${sent}`,
    answer: answer.body.slice(0, 400),
  }
}

const statuses = new Map<number, number>()

test(`${REQUESTS} spoilt requests get no fault and no answer that is not declared`, async () => {
  const faults = new Map<string, Fault>()
  for (let from = 0; from < REQUESTS; from += PER_SETTING) {
    const setting = await aSetting(from / PER_SETTING)
    const seeds = Array.from(
      { length: Math.min(PER_SETTING, REQUESTS - from) },
      (_, n) => SEED * 1_000_000 + from + n,
    )
    const work = async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const found = await tryOne(seed, setting)
        if (found) faults.set(`${found.operation} ${found.fault}`, found)
      }
    }
    await Promise.all([work(), work(), work(), work()])
  }
  if (REQUESTS > 1_500) console.log(`statuses: ${JSON.stringify([...statuses].toSorted())}`)
  expect([...faults.values()]).toEqual([])
  // Some of them are good, and some are refused in each way.
  for (const status of [200, 201, 401, 403, 404, 422])
    expect(statuses.get(status)).toBeGreaterThan(0)
}, 7_200_000)
