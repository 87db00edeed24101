/** What the tests of the specification stand on: one product for each worker, and people in it who cost little to make. */
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { type ErrorType, sentenceOf, statusOf } from '#contract/errors.ts'
import type { Role } from '#contract/rights.ts'
import { systemClock } from '#server/lib/clock.ts'
import { visitStorage } from '#server/storage/open-storage.ts'
import { aUser, aWorkspace, type User, type Workspace } from '#test-world/builders.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { aProduct, ELSEWHERE, type Product } from '#test-world/product.ts'
import { type Answer, PASSWORD } from '#test-world/trials/account.ts'
import { CUT, type GivenAnswer, intercept } from '../intercept.ts'
import { test as plainTest } from '../test.ts'

type Db = Awaited<ReturnType<typeof visitStorage>>['db']

/** A running product, and its database for what would take long by the front door: give it to the builders. */
export type Setting = { product: Product; db: Db; clock: typeof systemClock; passwordHash: string }

/** A verified user with a workspace, whose session is in a browser of their own. */
export type Person = {
  email: string
  user: User
  workspace: Workspace
  context: BrowserContext
  page: Page
  /** Calls the API as this person; paths are below /api/v1. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

const silent = { onError: () => {} }

type Started = { setting: Setting; settings: Record<string, string> }

/** `close` ends the product and the way to its database. */
export const aSetting = async (
  settings: Record<string, string>,
): Promise<{ setting: Setting; close: () => Promise<void> }> => {
  await using undo = new AsyncDisposableStack()
  const product = await aProduct(settings)
  undo.defer(() => product.close())
  const storage = await visitStorage({ databaseUrl: null, dataDir: product.dataDir }, silent)
  undo.defer(() => storage.close())
  const setting = {
    ...{ product, db: storage.db, clock: systemClock, passwordHash: quickHash(PASSWORD) },
  }
  const running = undo.move()
  return { setting, close: () => running.disposeAsync() }
}

type ForStory = { person: Person; operator: Person; customer: Person; visitor: Page }

export const test = plainTest.extend<ForStory, Started>({
  // Of the product: `playwright.config.ts` lists the files that need others.
  settings: [{}, { option: true, scope: 'worker' }],
  setting: [
    async ({ settings }, use) => {
      const { setting, close } = await aSetting(settings)
      await use(setting)
      await close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  // Paths in page.goto('/login') are the product's.
  baseURL: async ({ setting }, use) => use(setting.product.url),
  person: async ({ setting, context, page }, use) => use(await aPerson(setting, context, page)),
  // The same person, who operates the installation.
  operator: async ({ setting, person }, use) => {
    await makeOperator(setting, person)
    await use(person)
  },
  // Another person, in a browser of their own.
  customer: async ({ setting, browser }, use) => {
    const context = await browser.newContext({ baseURL: setting.product.url })
    await use(await aPerson(setting, context, await context.newPage()))
    await context.close()
  },
  visitor: async ({ page }, use) => use(page),
})

export { expectToast } from '../browsers.ts'
export { expect }

/** Signs in by the API, so that the context holds the refresh cookie; the page is still blank. */
export const aPerson = async (
  setting: Pick<Setting, 'db' | 'clock' | 'passwordHash'> & { product: Pick<Product, 'url'> },
  context: BrowserContext,
  page: Page,
  given: { role?: Role; workspace?: Workspace } & Partial<User> = {},
): Promise<Person> => {
  const { role = 'Admin', workspace: joined, ...rest } = given
  const { passwordHash, product } = setting
  const email = `ada-${crypto.randomUUID().slice(0, 8)}@${ELSEWHERE}`
  const user = await aUser(setting, { email, passwordHash, ...rest })
  const workspace = joined ?? (await aWorkspace(setting, { members: [{ user, role }] }))
  if (joined) await join(setting, user, joined, role)
  const base = `${product.url}/api/v1`
  const login = await context.request.post(`${base}/auth/login`, {
    data: { email: user.email, password: PASSWORD },
  })
  const { token } = await login.json()
  // The first page comes as the web app alone makes it: stories see each of its calls.
  await context.clearCookies({ name: 'mailstead_page' })
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await context.request.fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { data: body }),
    })
    return { status: response.status(), body: await response.json() }
  }
  return { email: user.email, user, workspace, context, page, call }
}

export const makeOperator = async (
  { db, clock }: Pick<Setting, 'db' | 'clock'>,
  { user }: Person,
): Promise<void> => {
  const operator = { userId: user.id, madeBy: 'terminal', madeAt: clock.now() }
  await db.insertInto('operators').values(operator).execute()
}

const join = async (
  { db, clock }: Pick<Setting, 'db' | 'clock'>,
  user: User,
  { id }: Workspace,
  role: Role,
) => {
  await db
    .insertInto('members')
    .values({ workspaceId: id, userId: user.id, role, createdAt: clock.now() })
    .execute()
  await db.updateTable('users').set({ currentWorkspaceId: id }).where('id', '=', user.id).execute()
}

/** As a browser asks for a page that was typed: its policy on openers is that of the pages the server draws. */
const UNDRAWN = { accept: 'text/html', 'sec-fetch-site': 'none' }

const undrawnPages = new WeakSet<Page>()

/** Pages come as the web app alone makes them: the server draws none with answers of its own. */
const undrawn = async (page: Page): Promise<void> => {
  if (undrawnPages.has(page)) return
  undrawnPages.add(page)
  const answer = async (url: string): Promise<GivenAnswer | null> => {
    if (!/^\/dashboard(?:\/|$)/.test(new URL(url).pathname)) return null
    const { status, headers, body } = await askedFor(url)
    return { status, headers, body }
  }
  await intercept(page, { glob: '**/dashboard**', isDocument: true, answer })
}

const askedFor = async (url: string) => {
  const answer = await fetch(url, { headers: UNDRAWN })
  const headers = Object.fromEntries(answer.headers)
  return { status: answer.status, headers, body: await answer.text() }
}

/**
 * From now on the API answers this call with an error, as a server in trouble would: for states that a healthy
 * product cannot be brought into. `path` is below /api/v1 and may be a glob. Returns what ends it.
 */
export const failing = async (
  page: Page,
  method: string,
  path: string,
  error: { statusCode: number; type?: ErrorType; message?: string; tokenType?: string },
): Promise<() => Promise<void>> => {
  const { statusCode, type = 'INTERNAL', message = 'Something went wrong', ...rest } = error
  const json = { type, message, statusCode, path: `/api/v1${path}`, data: {}, ...rest }
  return answering(page, method, path, { status: statusCode, json })
}

/** From now on the API answers this call so. `path` is below /api/v1 and may be a glob. Returns what ends it. */
export const answering = async (
  page: Page,
  method: string,
  path: string,
  answer: GivenAnswer,
): Promise<() => Promise<void>> => {
  await undrawn(page)
  return intercept(page, { glob: `**/api/v1${path}`, method, answer: () => answer })
}

/** From now on no such call reaches the API: the line is cut. Returns what ends it. */
export const cutting = (page: Page, path: string, method?: string): Promise<() => Promise<void>> =>
  intercept(page, { glob: `**/api/v1${path}`, method, answer: () => CUT })

/** What the API answers to say this. */
export const refusal = (type: ErrorType, data: Record<string, string> = {}): GivenAnswer => {
  const status = statusOf(type)
  return {
    status,
    json: { type, message: sentenceOf(type), statusCode: status, path: '/api/v1', data },
  }
}

/** Holds the answers of this call back until the returned function is called, so that pending states can be seen. */
export const holding = async (page: Page, path: string): Promise<() => void> => {
  await undrawn(page)
  const { promise, resolve } = Promise.withResolvers<null>()
  const end = await intercept(page, { glob: `**/api/v1${path}`, answer: () => promise })
  return () => {
    resolve(null)
    void end()
  }
}

/** In the pages that are opened from now on: the pauses before a query is tried again are ten times as short. */
export const hurryRetries = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const later = window.setTimeout.bind(window)
    const isPause = (ms?: number) => ms === 1000 || ms === 2000 || ms === 4000
    const sooner = (act: () => void, ms?: number) => later(act, isPause(ms) ? ms / 10 : ms)
    Object.assign(window, { setTimeout: sooner })
  })
}

/**
 * Opens a page of the dashboard, or reloads, and waits until the app listens: what the server draws is there before that,
 * deaf to keys, and its links load the whole page.
 */
export const opened = async (page: Page, path?: string): Promise<void> => {
  const listening = page.waitForRequest('**/api/v1/events')
  if (path === undefined) await page.reload()
  else await page.goto(path)
  await listening
}
