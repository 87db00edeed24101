/** Staying signed in, and being signed out: what people meet when tokens run out, are copied, or are given up. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { decodeJwt, SignJWT } from 'jose'
import { secretsFrom } from '#server/lib/secrets.ts'
import { ELSEWHERE, type Product } from '#test-world/product.ts'
import { anAccount } from '#test-world/trials/account.ts'
import { aSignedInBrowser, expectToast, logIn, watchCalls } from './browsers.ts'
import { test } from './specification/setting.ts'

const ADA = `many-browsers@${ELSEWHERE}`
const VICTIM = `victim@${ELSEWHERE}`
const ACCESS_COOKIE = '_access_token'
const REFRESH_COOKIE = 'mailstead_refresh'
/** How long a spent refresh token is still answered. */
const GRACE_MS = 10_000

let product: Product
let at: (path: string) => string
let theft: { owner: Page; stolen: Cookies; spentAt: number }
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

test.beforeAll(async ({ browser, setting }) => {
  product = setting.product
  at = (path) => product.url + path
  await anAccount(product, ADA)
  await anAccount(product, VICTIM)
  // First of all, so that the grace is over when its story comes.
  const { context, page: owner } = await aSignedInBrowser(browser, product.url, VICTIM)
  const stolen = await cookiesOf(context, REFRESH_COOKIE)
  await owner.reload()
  await expect(owner.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  theft = { owner, stolen, spentAt: Date.now() }
})

let openBefore: BrowserContext[] = []
test.beforeEach(({ browser }) => {
  openBefore = browser.contexts()
})
test.afterEach(async ({ browser, context: own }) => {
  const isOfStory = (context: BrowserContext) => context !== own && !openBefore.includes(context)
  await Promise.all(
    browser
      .contexts()
      .filter(isOfStory)
      .map((context) => context.close()),
  )
})

test.afterAll(() => theft?.owner.context().close())

const cookiesOf = async (context: BrowserContext, name: string): Promise<Cookies> =>
  (await context.cookies(at('/api/v1/auth'))).filter((cookie) => cookie.name === name)

const accessTokenOf = async (context: BrowserContext): Promise<string> => {
  const [cookie] = await cookiesOf(context, ACCESS_COOKIE)
  return JSON.parse(decodeURIComponent(cookie?.value ?? '')).token
}

/** In the cookie it looks as if it were good for a while yet. */
const putAccessToken = (context: BrowserContext, token: string) => {
  const record = JSON.stringify({ token, tokenExpiresAt: Date.now() + 300_000 })
  return context.addCookies([
    { name: ACCESS_COOKIE, value: encodeURIComponent(record), url: product.url },
  ])
}

/** The same token, as it is ten minutes later. */
const expired = async (token: string): Promise<string> => {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ ...decodeJwt(token), iat: now - 660, exp: now - 60 })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .sign(secretsFrom(readFileSync(join(product.dataDir, 'secret'), 'utf8')).keyFor('access-token'))
}

const losses: [string, (context: BrowserContext) => Promise<unknown>][] = [
  [
    'has run out',
    async (context) => putAccessToken(context, await expired(await accessTokenOf(context))),
  ],
  ['is damaged', async (context) => putAccessToken(context, `${await accessTokenOf(context)}x`)],
  ['is gone with its cookie', (context) => context.clearCookies({ name: ACCESS_COOKIE })],
]
for (const [index, [how, lose]] of losses.entries())
  test(`I click while my access token ${how}: the click succeeds`, async ({ browser }) => {
    const { context, page } = await aSignedInBrowser(browser, product.url, ADA)
    // The page is drawn before the app renews the session and keeps what it was given.
    const [first] = await cookiesOf(context, ACCESS_COOKIE)
    await page.goto(at('/dashboard/add-domain'))
    await expect
      .poll(async () => (await cookiesOf(context, ACCESS_COOKIE))[0]?.value)
      .not.toBe(first?.value)
    await page.getByLabel('Enter domain').fill(`click${index}.example`)
    await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled()
    await lose(context)
    const calls = watchCalls(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL(/\/dashboard\/add-domain\?id=[\w-]{36}$/)
    await expect(page.getByText('_mailstead', { exact: false }).first()).toBeVisible()
    expect(calls.filter((call) => call.startsWith('POST /domains'))).toEqual([
      'POST /domains 401',
      'POST /domains 201',
    ])
    expect(calls.filter((call) => call.includes('/refresh'))).toEqual(['POST /auth/refresh 200'])
  })

test('two tabs opened at once, long after: both stay signed in', async ({ browser }) => {
  const { context, page } = await aSignedInBrowser(browser, product.url, ADA)
  await page.close()
  await context.clearCookies({ name: ACCESS_COOKIE })
  const bothAsked = Promise.withResolvers<void>()
  const used: (string | undefined)[] = []
  await context.route('**/api/v1/auth/refresh', async (route) => {
    const [cookie] = await cookiesOf(context, REFRESH_COOKIE)
    used.push(cookie?.value)
    if (used.length === 2) bothAsked.resolve()
    await bothAsked.promise
    await route.continue()
  })
  const tabs = [await context.newPage(), await context.newPage()]
  const answers = tabs.map((tab) => tab.waitForResponse('**/api/v1/auth/refresh'))
  await Promise.all(tabs.map((tab) => tab.goto(at('/dashboard'))))
  for (const answer of answers) expect((await answer).status()).toBe(200)
  expect(used).toHaveLength(2)
  expect(used[0]).toBe(used[1])
  for (const tab of tabs) {
    await expect(tab.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    await tab.reload()
    await expect(tab.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  }
})

const logOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
}

test('I log out: in every tab, for good, and in no other browser of mine', async ({ browser }) => {
  const { context, page } = await aSignedInBrowser(browser, product.url, ADA)
  const { page: elsewhere } = await aSignedInBrowser(browser, product.url, ADA)
  const tab = await context.newPage()
  await tab.goto(at('/dashboard/domains'))
  await expect(tab.getByRole('heading', { name: 'Domains', level: 1 })).toBeVisible()
  const token = await accessTokenOf(context)
  const [refreshCookie] = await cookiesOf(context, REFRESH_COOKIE)

  await page.getByRole('link', { name: 'Mailboxes', exact: true }).first().click()
  await logOut(page)
  await expect(page).toHaveURL(at('/login'))
  await expect(tab).toHaveURL(at('/login'))
  expect(await cookiesOf(context, REFRESH_COOKIE)).toEqual([])
  expect(await cookiesOf(context, ACCESS_COOKIE)).toEqual([])

  // Copies of the tokens are worth nothing either.
  const asBefore = { headers: { authorization: `Bearer ${token}` } }
  const caller = await fetch(at('/api/v1/auth/verify-access'), asBefore)
  expect(await caller.json()).toMatchObject({ statusCode: 401, tokenType: 'ACCESS' })
  const cookie = `${REFRESH_COOKIE}=${refreshCookie?.value}`
  const renewal = await fetch(at('/api/v1/auth/refresh'), { method: 'POST', headers: { cookie } })
  expect(await renewal.json()).toMatchObject({ statusCode: 401, tokenType: 'REFRESH' })

  await page.goBack()
  await expect(page).toHaveURL(at('/login'))
  await elsewhere.reload()
  await expect(elsewhere.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
})

test('I log out while another tab renews the session: what it is answered is not kept', async ({
  browser,
}) => {
  const { context, page } = await aSignedInBrowser(browser, product.url, ADA)
  const tab = await context.newPage()
  const isAnswered = Promise.withResolvers<void>()
  const isLeft = Promise.withResolvers<void>()
  await tab.route('**/api/v1/auth/refresh', async (route) => {
    const response = await route.fetch()
    isAnswered.resolve()
    await isLeft.promise
    await route.fulfill({ response })
  })
  await tab.goto(at('/dashboard/domains'))
  await isAnswered.promise
  await logOut(page)
  await expect(page).toHaveURL(at('/login'))
  const arrived = tab.waitForResponse('**/api/v1/auth/refresh')
  isLeft.resolve()
  await arrived
  await expect(tab).toHaveURL(at('/login'))
  await expect(tab.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  expect(await cookiesOf(context, ACCESS_COOKIE)).toEqual([])
  await logIn(tab, ADA)
  await expect(tab).toHaveURL(at('/dashboard'))
})

test('after I logged out, the next login starts at the dashboard', async ({ browser }) => {
  const { page } = await aSignedInBrowser(browser, product.url, ADA)
  await page.getByRole('link', { name: 'Domains', exact: true }).first().click()
  await expect(page).toHaveURL(at('/dashboard/domains'))
  await logOut(page)
  await expect(page).toHaveURL(at('/login'))
  await logIn(page, ADA)
  await expect(page).toHaveURL(at('/dashboard'))
})

test('the server cannot be told that I log out: I am told, and stay signed in', async ({
  browser,
}) => {
  const { context, page } = await aSignedInBrowser(browser, product.url, ADA)
  await context.route('**/api/v1/auth/logout', (route) => route.abort())
  await logOut(page)
  await expectToast(page, 'Failed to logout, please try again')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
})

test('a deep link without a session: after login I am where I wanted to go', async ({ page }) => {
  const deepLink = '/dashboard/add-domain?id=00000000-0000-7000-8000-000000000000'
  await page.goto(at(deepLink))
  await expect(page).toHaveURL(at('/login'))
  await expectToast(page, 'Unauthorized', 'You are not authorized to access this page')
  await logIn(page, ADA)
  await expect(page).toHaveURL(at(deepLink))
})

test('the page after login is one of ours, whatever stands in the state of the page', async ({
  page,
}) => {
  await page.goto(at('/login'))
  await logIn(page, ADA)
  await expect(page).toHaveURL(at('/dashboard'))
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(frame.url()))
  const openLoginFrom = async (from: unknown) => {
    await page.evaluate((state) => {
      history.pushState({ usr: { from: state }, key: 'planted', idx: 0 }, '', '/login')
    }, from)
    await page.reload()
  }
  // What is planted does arrive: one of our own pages is taken.
  await openLoginFrom('/dashboard/domains')
  await expect(page).toHaveURL(at('/dashboard/domains'))
  for (const from of [
    'https://evil.example/dashboard',
    '//evil.example/dashboard',
    '/\\evil.example/dashboard',
    '/dashboard/../login',
    'javascript:alert(1)',
    { pathname: '//evil.example' },
  ]) {
    await openLoginFrom(from)
    await expect(page).toHaveURL(at('/dashboard'))
  }
  expect(visited.filter((url) => !url.startsWith(product.url))).toEqual([])
})

test('a stolen refresh token comes back after its successor: thief and owner are both out', async ({
  browser,
}) => {
  const { owner, stolen, spentAt } = theft
  const thief = await browser.newContext()
  await thief.addCookies(stolen)
  const page = await thief.newPage()
  await page.goto(at('/forgot-password'))
  await page.waitForFunction((end) => Date.now() > end, spentAt + GRACE_MS + 500)
  await page.goto(at('/dashboard'))
  await expect(page).toHaveURL(at('/login'))
  await expectToast(page, 'Session Expired!!', 'Your session has been expired')

  // The owner's next call: that of the live connection, or a click.
  await expect(owner).toHaveURL(at('/login'))
  await expectToast(owner, 'Session Expired!!', 'Your session has been expired')
  await logIn(owner, VICTIM)
  await expect(owner).toHaveURL(at('/dashboard'))
})
