/** Random actions of Admins, members and holders: the readers of a mailbox always equal those of a small model. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract/rights.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, letRead, type User } from '#test-world/builders.ts'
import { acceptBody, HOLDERS_PASSWORD } from '#test-world/people/holders.ts'
import { aSession } from '#test-world/session.ts'
import { type Chance, chanceOf } from '#test-world/trials/seeded.ts'
import { openHttpServer } from '../http-server.ts'

const HISTORIES = 5
const STEPS = 40

let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

/** A plain model of the rules. */
type Model = {
  readers: Map<string, 'made' | 'kept'>
  hasHolder: boolean
  /** Sessions of the holder that have not ended. */
  sessions: ApiClient[]
  ended: ApiClient[]
  link: string | null
  isSuspended: boolean
}

const roles = { maker: 'Admin', other: 'Admin', editor: 'Editor', user: 'User' } as const
const names = ['maker', 'other', 'editor', 'user'] as const
type Name = (typeof names)[number]

const aWorld = async () => {
  const users = {} as Record<Name, User>
  for (const name of names) users[name] = await aUser(app)
  const members = names.map((name) => ({ user: users[name], role: roles[name] as Role }))
  const workspace = await aWorkspace(app, { members })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, users.maker.id)
  const clients = {} as Record<Name, ApiClient>
  for (const name of names)
    clients[name] = anApiClient(server, (await aSession(app, users[name])).headers)
  return { users, clients, mailbox }
}
type World = Awaited<ReturnType<typeof aWorld>>

type Step = (world: World, model: Model, chance: Chance) => Promise<string>

const at = ({ mailbox }: World, path = '') => `/mailboxes/${mailbox.id}${path}`
const isAdmin = (name: Name) => roles[name] === 'Admin'

const endSessions = (model: Model): void => {
  model.ended.push(...model.sessions)
  model.sessions = []
}

const give: Step = async (world, model, chance) => {
  const [by, to] = [chance.oneOf(names), chance.oneOf(names)]
  const body = { userId: world.users[to].id }
  const { status } = await world.clients[by].call('POST', at(world, '/readers'), body)
  expect(status).toBe(isAdmin(by) ? 201 : 403)
  if (isAdmin(by)) model.readers.set(to, 'kept')
  return `give ${status}`
}

const take: Step = async (world, model, chance) => {
  const by = chance.oneOf(names)
  const { status } = await world.clients[by].call('POST', at(world, '/readers/me'), {})
  expect(status).toBe(isAdmin(by) ? 201 : 403)
  if (isAdmin(by)) model.readers.set(by, 'kept')
  return `take ${status}`
}

const end: Step = async (world, model, chance) => {
  const [by, of] = [chance.oneOf(names), chance.oneOf(names)]
  const path = at(world, `/readers/${world.users[of].id}`)
  const { status } = await world.clients[by].call('DELETE', path)
  const may = isAdmin(by) || by === of
  expect(status).toBe(may ? (model.readers.has(of) ? 200 : 404) : 403)
  if (may) model.readers.delete(of)
  return `end ${status}`
}

const makeLink: Step = async (world, model, chance) => {
  const by = chance.oneOf(names)
  const { status, body } = await world.clients[by].call('POST', at(world, '/access/link'), {})
  const may = isAdmin(by) || (by === 'editor' && model.readers.has('editor'))
  expect(status).toBe(may ? 201 : 403)
  if (may) model.link = new URL(body.link).searchParams.get('token')
  return `link ${status}`
}

const accept: Step = async (_world, model) => {
  const client = anApiClient(server)
  const { status } = await client.call('POST', '/access/accept', acceptBody(model.link ?? 'x'))
  expect(status).toBe(model.link === null ? 400 : 200)
  if (model.link === null) return 'accept 400'
  if (!model.hasHolder)
    for (const [name, how] of model.readers) if (how === 'made') model.readers.delete(name)
  model.hasHolder = true
  endSessions(model)
  model.link = null
  return 'accept 200'
}

const logIn: Step = async ({ mailbox }, model) => {
  const form = { email: mailbox.email, password: HOLDERS_PASSWORD }
  const { status, body } = await anApiClient(server).call('POST', '/auth/login', form)
  expect(status).toBe(model.hasHolder ? (model.isSuspended ? 403 : 200) : 401)
  if (status === 200)
    model.sessions.push(anApiClient(server, { authorization: `Bearer ${body.token}` }))
  app.clock.advance({ seconds: 10 })
  return `login ${status}`
}

const revoke: Step = async (world, model, chance) => {
  const by = chance.oneOf(names)
  const { status } = await world.clients[by].call('DELETE', at(world, '/access'))
  const may = by !== 'user'
  expect(status).toBe(may ? (model.hasHolder ? 200 : 404) : 403)
  if (status !== 200) return `revoke ${status}`
  Object.assign(model, { hasHolder: false, link: null })
  endSessions(model)
  return `revoke ${status}`
}

const suspend: Step = async (world, model) => {
  model.isSuspended = !model.isSuspended
  const body = { status: model.isSuspended ? 'suspended' : 'active' }
  expect((await world.clients.maker.call('PATCH', at(world), body)).status).toBe(200)
  if (model.isSuspended) endSessions(model)
  return body.status
}

const steps = [
  give,
  give,
  take,
  end,
  end,
  makeLink,
  makeLink,
  accept,
  accept,
  logIn,
  logIn,
] as const
const rareSteps = [revoke, suspend] as const

const readsNow = async (world: World, client: ApiClient): Promise<boolean> =>
  (await client.call('GET', at(world, '/folders'))).status === 200

test('who reads a mailbox is what the model says, after every step of every history', async () => {
  const seen = new Map<string, number>()
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const chance = chanceOf(seed)
    const world = await aWorld()
    const model: Model = {
      ...{ readers: new Map([['maker', 'made']]), hasHolder: false, sessions: [], ended: [] },
      ...{ link: null, isSuspended: false },
    }
    for (let step = 0; step < STEPS; step += 1) {
      const act = chance.oneOf(chance.between(1, 6) === 1 ? rareSteps : steps)
      const what = await act(world, model, chance)
      seen.set(what, (seen.get(what) ?? 0) + 1)
      for (const name of names)
        expect(
          await readsNow(world, world.clients[name]),
          `history ${seed}, step ${step}, ${what}: ${name}`,
        ).toBe(model.readers.has(name))
      const context = `history ${seed}, step ${step}, ${what}`
      for (const session of model.sessions.slice(-3))
        expect(await readsNow(world, session), context).toBe(true)
      for (const session of model.ended.slice(-3))
        expect(await readsNow(world, session), context).toBe(false)
    }
  }
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([
      ...['give 201', 'give 403', 'take 201', 'take 403', 'end 200', 'end 403', 'end 404'],
      ...['link 201', 'link 403', 'accept 200', 'accept 400', 'login 200', 'login 401'],
      ...['login 403', 'revoke 200', 'suspended', 'active'],
    ]),
  )
})
