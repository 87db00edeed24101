/** The session: how it starts, is renewed, runs out and ends. */
import type { Page } from '@playwright/test'
import { logIn, watchCalls } from '../browsers.ts'
import { sampleOf } from '../sample.ts'
import { accessCookie, dropAccessCookie, putWornToken, runOut } from './access-cookie.ts'
import { expect, expectToast, failing, type Person, test } from './setting.ts'

const EXPIRED = ['Session Expired!!', 'Your session has been expired'] as const
const UNAUTHORIZED = ['Unauthorized', 'You are not authorized to access this page'] as const
const REFRESH_OK = 'POST /auth/refresh 200'
const REFRESH_REFUSED = 'POST /auth/refresh 401'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const noToast = (page: Page) =>
  expect(page.getByRole('button', { name: 'Close notification' })).toHaveCount(0)
/** Where the next login leads, as the page of the login keeps it. */
const savedFrom = (page: Page) => page.evaluate(() => history.state?.usr?.from)

/** At the dashboard, with every query of the page answered. */
const atHome = async ({ page }: Person): Promise<void> => {
  // The page is drawn before the app renews the session.
  const renewed = page.waitForResponse('**/api/v1/auth/refresh')
  await page.goto('/dashboard')
  await renewed
  await expect(heading(page, 'Dashboard')).toBeVisible()
  await expect(page.getByText('Messages today', { exact: true })).toBeVisible()
}

/** Runs in the page: nothing has come from the server for a second. */
const isQuiet = (): boolean =>
  performance
    .getEntriesByType('resource')
    .every((entry) => performance.now() - (entry as PerformanceResourceTiming).responseEnd > 1_000)

const logOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
}

test('a session is looked for at the start, but not on five pages [4.3]', async ({ visitor }) => {
  const calls = watchCalls(visitor)
  const refreshes = () => calls.filter((call) => call.includes('/auth/refresh'))
  for (const [path, sign] of [
    ['/forgot-password', 'Forgot Password?'],
    ['/verify-email?token=none', "Whoops! We can't find that page."],
    ['/create-new-password?token=none', 'Save New Password'],
    ['/email-verification', 'Email verification'],
    ['/google-login?code=none', 'Not all the required params were provided'],
  ] as const) {
    await visitor.goto(path)
    await expect(visitor.getByText(sign).first()).toBeVisible()
    expect(refreshes(), path).toEqual([])
  }
  for (const path of ['/login', '/sign-up', '/', '/404-page', '/nowhere', '/dashboard']) {
    calls.length = 0
    await visitor.goto(path)
    await expect.poll(refreshes, { message: path }).toEqual([REFRESH_REFUSED])
  }
})

test('a refresh makes the visitor a user, and leads on from login, sign-up and root alone [4.1 4.4]', async ({
  person,
}) => {
  const { page } = person
  for (const path of ['/login', '/sign-up', '/']) {
    await page.goto(path)
    await expect(page).toHaveURL('/dashboard')
    await expect(heading(page, 'Dashboard')).toBeVisible()
  }
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menu')).toContainText(person.email)
  for (const path of ['/dashboard/domains', '/404-page']) {
    const refreshed = page.waitForResponse('**/api/v1/auth/refresh')
    await page.goto(path)
    await refreshed
    await expect(page).toHaveURL(path)
  }
})

test('a refresh on login leads to where the visitor wanted to go [4.4 4.5 8.11]', async ({
  setting,
  person,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: setting.product.url })
  const page = await context.newPage()
  const wanted = '/dashboard/add-domain?id=00000000-0000-7000-8000-000000000000#records'
  await page.goto(wanted)
  await expect(page).toHaveURL('/login')
  await expectToast(page, ...UNAUTHORIZED)
  expect(await savedFrom(page)).toBe(wanted)
  // Signed in beside this tab.
  await context.addCookies(await person.context.cookies(`${setting.product.url}/api/v1/auth`))
  await page.reload()
  await expect(page).toHaveURL(wanted)
  await context.close()
})

test('a failed refresh leads nowhere from login and sign-up, and says nothing [4.5 8.11]', async ({
  visitor,
}) => {
  for (const [path, title] of [
    ['/login', 'Welcome Back'],
    ['/sign-up', 'Create an account'],
  ] as const) {
    const answered = visitor.waitForResponse('**/api/v1/auth/refresh')
    await visitor.goto(path)
    expect((await answered).status()).toBe(401)
    await expect(heading(visitor, title)).toBeVisible()
    await expect(visitor).toHaveURL(path)
    expect(await savedFrom(visitor)).toBeUndefined()
    await noToast(visitor)
  }
  await visitor.goto('/')
  await expect(visitor).toHaveURL('/login')
  await noToast(visitor)
})

test('the cookie holds the token and its end in milliseconds, and ends with it [3.3 4.6 9.3]', async ({
  person,
}) => {
  const { page, context } = person
  await context.clearCookies()
  await page.goto('/login')
  const before = Date.now()
  const answered = page.waitForResponse('**/api/v1/auth/login')
  await logIn(page, person.email)
  const { token, tokenExpiresIn } = await (await answered).json()
  await expect(page).toHaveURL('/dashboard')
  const after = Date.now()
  const cookie = await accessCookie(context)
  expect(cookie).toMatchObject({ path: '/', httpOnly: false, sameSite: 'Lax' })
  const record = JSON.parse(decodeURIComponent(cookie?.value ?? ''))
  expect(record).toEqual({ token, tokenExpiresAt: expect.any(Number) })
  expect(record.tokenExpiresAt).toBeGreaterThanOrEqual(before + tokenExpiresIn * 1000)
  expect(record.tokenExpiresAt).toBeLessThanOrEqual(after + tokenExpiresIn * 1000)
  // Cookies count in whole seconds.
  expect(Math.floor(cookie?.expires ?? 0)).toBe(Math.floor(record.tokenExpiresAt / 1000))
})

for (const [how, leastRefused, lose] of [
  ['is refused', 2, ({ context }, url) => putWornToken(context, url)],
  // Without any token, calls that begin while the refresh is under way wait for it.
  ['is gone', 1, ({ context }) => dropAccessCookie(context)],
] as [string, number, (person: Person, url: string) => Promise<void>][])
  test(`when the token ${how}, calls at once share one refresh, and each is made once more [4.7 4.8 9.4]`, async ({
    setting,
    person,
  }) => {
    const { page } = person
    // What the home asks for last.
    const last = page.waitForResponse('**/api/v1/deleted?*')
    await atHome(person)
    await last
    await lose(person, setting.product.url)
    const calls = watchCalls(page)
    await page.getByRole('link', { name: 'Mailboxes', exact: true }).click()
    await expect(page.getByText('No mailboxes available')).toBeVisible()
    const refused = calls.filter((call) => call.endsWith(' 401'))
    expect(refused.length).toBeGreaterThanOrEqual(leastRefused)
    const unanswered = () => {
      const left = refused.map((call) => call.replace(/401$/, '200'))
      for (const call of calls) if (left.includes(call)) left.splice(left.indexOf(call), 1)
      return left
    }
    // What the page shows may be known before the last of them is answered.
    await expect.poll(unanswered).toEqual([])
    expect(calls.filter((call) => call.includes('/auth/'))).toEqual([REFRESH_OK])
    expect((await accessCookie(person.context))?.value).toContain('token')
  })

/** Submits the first step of the wizard: one call, whose error shows in a toast. */
const addDomain = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel('Enter domain').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('when the refresh fails too, the token is removed and its error is thrown on [4.9]', async ({
  setting,
  person,
}) => {
  const { page, context } = person
  const listening = page.waitForResponse('**/api/v1/events')
  await page.goto('/dashboard/add-domain')
  await listening
  await expect(page.getByLabel('Enter domain')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Workspace:/ })).toContainText('Admin')
  await failing(page, 'POST', '/auth/refresh', { statusCode: 503, message: 'The engine is away' })
  await putWornToken(context, setting.product.url)
  const calls = watchCalls(page)
  await addDomain(page, 'thrown-on.example')
  await expectToast(page, '❌ Error', 'The engine is away')
  // What the page had asked for before may be answered only now.
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([
    'POST /domains 401',
    'POST /auth/refresh 503',
  ])
  expect(await accessCookie(context)).toBeUndefined()
  // It says nothing about the session, so the user stays.
  await expect(page).toHaveURL('/dashboard/add-domain')
})

test('a 401 about another token, and a repeated one, are rejected with their body [4.10 9.4]', async ({
  person,
}) => {
  const { page } = person
  await page.goto('/dashboard/add-domain')
  await expect(page.getByLabel('Enter domain')).toBeVisible()
  const refuse = (message: string, tokenType?: string) =>
    failing(page, 'POST', '/domains', {
      ...{ statusCode: 401, type: 'INVALID_SIGNATURE', message },
      ...(tokenType ? { tokenType } : {}),
    })
  const calls = watchCalls(page)
  for (const [message, tokenType, seen] of [
    ['About the other token', 'REFRESH', ['POST /domains 401']],
    ['About no token', undefined, ['POST /domains 401']],
    ['Not even now', 'ACCESS', ['POST /domains 401', REFRESH_OK, 'POST /domains 401']],
  ] as const) {
    calls.length = 0
    const stop = await refuse(message, tokenType)
    await addDomain(page, 'rejected.example')
    await expectToast(page, '❌ Error', message)
    expect(calls.filter((call) => !call.startsWith('GET'))).toEqual(seen)
    await stop()
  }
  await expect(page.getByLabel('Enter domain')).toHaveValue('rejected.example')
})

test('logout clears user and token, in every tab [4.2]', async ({ person }) => {
  const { page, context } = person
  await atHome(person)
  const tab = await context.newPage()
  // The page is drawn before the app renews the session.
  const renewed = tab.waitForResponse('**/api/v1/auth/refresh')
  await tab.goto('/dashboard/domains')
  await renewed
  await expect(heading(tab, 'Domains')).toBeVisible()
  const asked = page.waitForRequest('**/api/v1/auth/logout')
  await logOut(page)
  expect((await asked).postData()).toBeNull()
  for (const each of [page, tab]) {
    await expect(each).toHaveURL('/login')
    await noToast(each)
    expect(await savedFrom(each)).toBeUndefined()
  }
  expect(await accessCookie(context)).toBeUndefined()
  await tab.goto('/dashboard/domains')
  await expect(tab).toHaveURL('/login')
})

test('a logout that fails says so, and the user stays [8.12]', async ({ person }) => {
  const { page, context } = person
  await atHome(person)
  const text = 'Failed to logout, please try again'
  const stop = await failing(page, 'POST', '/auth/logout', { statusCode: 500 })
  await logOut(page)
  await expect(page.getByText(text, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Close notification' }).click()
  await noToast(page)
  await stop()
  await page.route('**/api/v1/auth/logout', (route) => route.abort())
  await logOut(page)
  await expect(page.getByText(text, { exact: true })).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  expect(await accessCookie(context)).toBeDefined()
})

const pages = [
  ['/dashboard', 'Dashboard'],
  ['/dashboard/domains', 'Domains'],
  ['/dashboard/profile?tab=billing', 'Profile'],
  ['/dashboard/mailboxes', 'Mailboxes'],
  ['/dashboard/new-mail-box?domain=engines.example', 'Mailboxes'],
  ['/dashboard/view-mail?folder=sent&q=engine', 'View Mail'],
  ['/dashboard/mail-box-settings', 'Mailbox settings'],
  ['/dashboard/settings?tab=users', 'Settings'],
  ['/dashboard/add-domain?id=00000000-0000-7000-8000-000000000000#records', 'Add Domain'],
] as const
test('an expired session on every page: told, logged in, back where one was [4.5 8.10]', async ({
  setting,
  person,
}) => {
  const { page, context, user } = person
  await atHome(person)
  for (const [path, title] of sampleOf(pages, 2)) {
    // What the page before still asks for would meet the end of the session first.
    await page.goto('about:blank')
    await runOut(setting, user)
    await dropAccessCookie(context)
    await page.goto(path)
    await expectToast(page, ...EXPIRED)
    await expect(page).toHaveURL('/login')
    await logIn(page, person.email)
    await expect(page).toHaveURL(path)
    await expect(page).toHaveTitle(`${title} | Mailstead`)
  }
})

test('a session that runs out under one’s hands: told in every tab, and nobody loses their place [4.9 8.10]', async ({
  setting,
  person,
}) => {
  const { page, context, user } = person
  await atHome(person)
  const tab = await context.newPage()
  // The page is drawn before the app renews the session.
  const renewed = tab.waitForResponse('**/api/v1/auth/refresh')
  await tab.goto('/dashboard/domains')
  await renewed
  await expect(heading(tab, 'Domains')).toBeVisible()
  await runOut(setting, user)
  await putWornToken(context, setting.product.url)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  // Both at once: a toast stays for five seconds.
  await Promise.all(
    [page, tab].map(async (each) => {
      await expectToast(each, ...EXPIRED)
      await expect(each).toHaveURL('/login')
    }),
  )
  expect(await accessCookie(context)).toBeUndefined()
  expect(await savedFrom(page)).toBe('/dashboard/settings')
  expect(await savedFrom(tab)).toBe('/dashboard/domains')
})

test('a refresh cookie that vanished while one was in: Unauthorized [8.11]', async ({ person }) => {
  const { page, context } = person
  await atHome(person)
  // A call of the page itself would end the session before the press.
  await page.waitForFunction(isQuiet)
  await context.clearCookies()
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await expectToast(page, ...UNAUTHORIZED)
  await expect(page).toHaveURL('/login')
  expect(await savedFrom(page)).toBe('/dashboard/domains')
})

test('while the server is away no session ends, in this tab or another [4.5 8.8]', async ({
  person,
}) => {
  const { page, context } = person
  await atHome(person)
  const tab = await context.newPage()
  await tab.goto('/dashboard/settings?tab=users')
  await expect(heading(tab, 'Settings')).toBeVisible()
  const stop = await failing(tab, 'POST', '/auth/refresh', { statusCode: 503 })
  await tab.reload()
  await expectToast(tab, 'Something went wrong', 'Please try again later.')
  await expect(tab).toHaveURL('/login')
  await expect(page).toHaveURL('/dashboard')
  await stop()
  await tab.reload()
  await expect(tab).toHaveURL('/dashboard/settings?tab=users')
})
