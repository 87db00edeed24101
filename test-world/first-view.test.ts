/** Pages as the server draws them from what the API answers: in this process, so that two are drawn at the same time. */
import type { FastifyInstance } from 'fastify'
import { matchPath, type RouteObject } from 'react-router'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_PREFIX } from '#contract/route.ts'
import { openHttpServer } from '#server/http/http-server.ts'
import { anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  anInvoice,
  aUser,
  aWorkspace,
  letRead,
  type User,
} from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { drawPage } from '#web/first-view/draw-page.tsx'
import { paths } from '#web/paths.ts'
import { routes } from '#web/routes.tsx'

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

const askAs = async (user: User) => {
  const { headers } = await aSession(app, user)
  return async (address: string): Promise<unknown> => {
    const answer = await server.inject({ url: API_PREFIX + address, headers })
    if (answer.statusCode !== 200) throw new Error(`${address}: ${answer.statusCode}`)
    return answer.json()
  }
}

/** @returns its id */
const makeFor = async (user: User, path: string, form: object): Promise<string> => {
  const { status, body } = await anApiClient(server, (await aSession(app, user)).headers).call(
    'POST',
    path,
    form,
  )
  if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return body._id
}

/** An Admin of a workspace with this domain. */
const anAdmin = async (name: string, others: { user: User; role: 'User' }[] = []) => {
  const user = await aUser(app)
  const members = [{ user, role: 'Admin' as const }, ...others]
  const workspace = await aWorkspace(app, { members })
  const domain = await aDomain(app, { workspaceId: workspace.id, name, active: true })
  return { user, workspace, domain, ask: await askAs(user) }
}

const draw = async (url: string, ask: (address: string) => Promise<unknown>) => {
  const view = await drawPage({ url, cookies: '', ask })
  if (view === null) throw new Error(`${url} was not drawn`)
  return view
}

const pathsIn = (all: RouteObject[]): string[] =>
  all.flatMap(({ path, children }) => [...(path ? [path] : []), ...pathsIn(children ?? [])])

/** Lists that are read page by page come with the app. */
const pagesOfMailboxes = [
  ['/mailboxes', 'pages', {}, undefined],
  ['/mailboxes', 'inactive', {}],
]

test('the loader of each page asks for all that the page shows, and the page comes as the policy allows it', async () => {
  const { user, workspace, domain, ask } = await anAdmin('loaded.example')
  await aDomain(app, { workspaceId: workspace.id, name: 'pending.example' })
  const { id: mailbox } = await aMailbox(app, { domain })
  await letRead(app, { id: mailbox, workspaceId: workspace.id }, user.id)
  const invoice = await anInvoice(app, { workspaceId: workspace.id })
  const key = await makeFor(user, '/api-keys', { name: 'Script', scopes: ['domains:read'] })
  const webhook = await makeFor(user, '/webhooks', {
    ...{ url: 'https://shop.example/hook', topics: ['domain.broken'] },
  })
  const log = ['/access-log', 'pages', { params: { id: null } }]
  const ownLog = ['/mailboxes/{id}/access/log', 'pages', { params: { id: mailbox } }]
  const attempts = ['/webhooks/{id}/attempts', 'pages', { params: { id: webhook } }]
  // What the choice offers once it is opened.
  const people = ['/people', 'typed', '']
  const pages: [url: string, notLoaded: unknown[]][] = [
    // Looked up outside, which takes seconds: no page waits for it.
    [paths.dashboard(), [['/installation/faults', {}]]],
    [paths.domains(), []],
    [`${paths.domains()}/${domain.id}`, []],
    [paths.addDomain(), []],
    [paths.addDomain({ id: domain.id }), []],
    [paths.addDomains(), []],
    [paths.sandboxDns(), []],
    [paths.mailboxes(), pagesOfMailboxes],
    [paths.newMailbox(), pagesOfMailboxes],
    [paths.viewMail(), []],
    [paths.viewMail({ mailbox }), []],
    [paths.mailboxSettings(), []],
    [paths.mailboxSettings({ mailbox }), []],
    [paths.setUpMail({ mailbox }), []],
    [paths.access(), [log]],
    [paths.access({ mailbox }), [people, ownLog]],
    [paths.workspaces(), []],
    [paths.settings(), []],
    [paths.settings({ tab: 'users' }), []],
    [paths.profile(), []],
    [`${paths.profile()}?tab=billing`, [['/invoices', 'pages']]],
    [paths.invoice(invoice.id), []],
    [paths.developers(), []],
    [paths.developers({ tab: 'webhooks' }), []],
    [paths.apiKey(key), []],
    [paths.webhook(webhook), [attempts]],
    [paths.security(), []],
    [paths.auditLog(), []],
  ]
  const missing = pathsIn(routes)
    .filter((path) => path.startsWith(paths.dashboard()))
    .filter((path) => !pages.some(([url]) => matchPath(path, url.split('?')[0] ?? '')))
  expect(missing).toEqual([])
  for (const [url, notLoaded] of pages) {
    const view = await draw(url, ask)
    expect.soft(view.notLoaded, url).toEqual(notLoaded)
    expect
      .soft(view.html.match(/ style="[^"]*"|<form(?![^>]* method="post")[^>]*>/g), url)
      .toBe(null)
  }
})

test('of two pages that are drawn at the same time, each has the answers of its own user', async () => {
  const [ada, grace] = await Promise.all([anAdmin('ada.example'), anAdmin('grace.example')])
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
  // Ada's page waits in the middle, until Grace's is drawn.
  const adasPage = draw(paths.domains(), async (address) => {
    if (address !== '/workspaces') await mayGoOn
    return ada.ask(address)
  })
  const gracesPage = await draw(paths.domains(), grace.ask)
  goOn()
  const pages = [
    { own: 'ada.example', other: 'grace.example', user: ada.user, page: await adasPage },
    { own: 'grace.example', other: 'ada.example', user: grace.user, page: gracesPage },
  ]
  for (const { own, other, user, page } of pages) {
    expect(page.html).toContain(own)
    expect(JSON.stringify(page)).not.toContain(other)
    expect(page.answers?.user._id).toBe(user.id)
  }
  const refused = () => Promise.reject(new Error('401'))
  expect(await drawPage({ url: paths.domains(), cookies: '', ask: refused })).toBeNull()
  const unknown = await drawPage({ url: paths.login(), cookies: '', ask: null })
  expect(unknown?.html).toContain('Welcome Back')
  expect(unknown?.answers).toBeNull()
})

test('a page asks in vain for what only others may see, and is drawn without it', async () => {
  const user = await aUser(app)
  const { domain } = await anAdmin('closed.example', [{ user, role: 'User' }])
  const view = await draw(`${paths.domains()}/${domain.id}`, await askAs(user))
  expect(view.html).toContain('<h1')
  expect(JSON.stringify(view)).not.toContain('closed.example')
  expect(view.notLoaded).toEqual([])
})
