/** What the browser sends, when it asks again, and when it gives up. */
import type { Page, Request, Response } from '@playwright/test'
import { aUser } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { tick, watchCalls } from '../browsers.ts'
import { putAccessCookie } from './access-cookie.ts'
import { withInstallation } from './auth-parts.ts'
import { aDomainWithRecords } from './domain-rows.ts'
import { answering, expect, expectToast, failing, holding, test } from './setting.ts'

const anAddress = () => `mary-${crypto.randomUUID().slice(0, 8)}@${ELSEWHERE}`

const callTo = (page: Page, method: string, path: string): Promise<Request> =>
  page.waitForRequest((request) => {
    const { pathname } = new URL(request.url())
    return request.method() === method && pathname === `/api/v1${path}`
  })

/** The next answer that arrives whole: a query that is asked again may give up the one before. */
const answered = async (page: Page, method: string, path: string) => {
  for (;;) {
    const answer = await page.waitForResponse(
      (response) =>
        response.request().method() === method &&
        new URL(response.url()).pathname === `/api/v1${path}`,
    )
    const whole = await answer.json().catch(() => undefined)
    if (whole !== undefined) return whole
  }
}

const answerTo = async (sent: Promise<Request>) => (await (await sent).response())?.json()

/** Notes how the page calls fetch: a same-origin request does not show which credentials mode was used. */
const noteFetches = (page: Page) =>
  page.addInitScript(() => {
    const noted: [string, RequestCredentials | undefined][] = []
    const plain = window.fetch
    window.fetch = (input, init) => {
      noted.push([String(input), init?.credentials])
      return plain(input, init)
    }
    Object.assign(window, { noted })
  })
const notedFetches = (page: Page): Promise<[string, RequestCredentials | undefined][]> =>
  page.evaluate(() => Reflect.get(window, 'noted'))

test('every call goes to /api/v1 of the host, as JSON, with credentials and the token [7.1 7.2 7.3 9.2]', async ({
  setting,
  person,
}) => {
  const { page } = person
  await noteFetches(page)
  const requests: Request[] = []
  page.on('request', (request) => request.resourceType() === 'fetch' && requests.push(request))
  await page.goto('/dashboard/add-domain')
  await page.getByLabel('Enter domain').fill('calls-json.example')
  const added = callTo(page, 'POST', '/domains')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/add-domain\?id=/)
  expect(requests.length).toBeGreaterThan(3)
  for (const request of requests)
    expect(request.url()).toMatch(new RegExp(`^${setting.product.url}/api/v1/`))
  expect(new Set((await notedFetches(page)).map(([, credentials]) => credentials))).toEqual(
    new Set(['include']),
  )
  const { headers, answer } = await added.then(async (request) => ({
    headers: await request.allHeaders(),
    answer: await request.response(),
  }))
  expect(headers['content-type']).toBe('application/json')
  expect(headers.cookie).toContain('_access_token=')
  expect(headers.authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/)
  expect(answer?.headers()['content-type']).toMatch(/^application\/json/)
})

test('the token goes along only while a valid one is stored [4.7 6.5 7.3]', async ({
  setting,
  visitor,
}) => {
  const inFiveMinutes = Date.now() + 300_000
  const expired = { token: 'a.b.c', tokenExpiresAt: Date.now() - 1000 }
  for (const [cookie, expected] of [
    [{ token: 'a.b.c', tokenExpiresAt: inFiveMinutes }, 'Bearer a.b.c'],
    [expired, undefined],
    [{ token: 'a.b.c', tokenExpiresAt: `${inFiveMinutes}` }, undefined],
    [{ token: 7, tokenExpiresAt: inFiveMinutes }, undefined],
    ['a.b.c', undefined],
    ['', undefined],
    [null, undefined],
  ] as const) {
    await visitor.context().clearCookies()
    if (cookie !== null) await putAccessCookie(visitor.context(), setting.product.url, cookie)
    await visitor.goto('/forgot-password')
    await visitor.getByLabel('Email').fill(anAddress())
    const sent = callTo(visitor, 'POST', '/auth/forgot-password')
    await visitor.getByRole('button', { name: 'Send Email' }).click()
    const { authorization } = await (await sent).allHeaders()
    expect(authorization, JSON.stringify(cookie)).toBe(expected)
  }
})

test('a request is given up after 800000 ms, and not before [7.2 8.4 9.1]', async ({ visitor }) => {
  await visitor.clock.install()
  await holding(visitor, '/auth/login')
  const failed = visitor.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/auth/login'),
  )
  await visitor.goto('/login')
  await visitor.getByLabel('Email').fill(anAddress())
  await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD)
  const sent = callTo(visitor, 'POST', '/auth/login')
  await visitor.getByRole('button', { name: 'Login', exact: true }).click()
  await sent
  await visitor.clock.pauseAt(Date.now() + 60_000)
  await visitor.clock.fastForward(738_500)
  await expect(visitor.getByRole('button', { name: 'Logging in...' })).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Close notification' })).toHaveCount(0)
  await visitor.clock.fastForward(2000)
  await failed
  await visitor.clock.resume()
  await expectToast(visitor, 'Error', 'Something went wrong')
  await expect(visitor.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
})

test('signing up: register, and the mail again [7.4 7.5]', async ({ visitor }) => {
  const email = anAddress()
  await visitor.clock.install()
  await visitor.goto('/sign-up')
  const form = {
    ...{ firstName: 'Mary', lastName: 'Somerville', email },
    ...{ password: PASSWORD, confirmPassword: PASSWORD },
  }
  const labels = ['First name', 'Last name', 'Email', 'Password', 'Confirm Password']
  for (const [at, typed] of Object.values(form).entries())
    await visitor.getByLabel(labels[at] ?? '', { exact: true }).fill(typed)
  await tick(visitor.getByRole('checkbox'))
  const sent = callTo(visitor, 'POST', '/auth/register')
  await visitor.getByRole('button', { name: 'Sign Up' }).click()
  expect((await sent).postDataJSON()).toEqual({ ...form, termsAccepted: true })
  const modal = visitor.getByRole('dialog', { name: 'Email verification' })
  await expect(modal).toContainText(email)

  // Nothing of the answer is read.
  await answering(visitor, 'POST', '/auth/resend-verify-email', { json: [] })
  const resent = callTo(visitor, 'POST', '/auth/resend-verify-email')
  await expect(modal.getByRole('button', { name: /^Resend in 2\ds$/ })).toBeDisabled()
  await visitor.clock.fastForward(31_000)
  await modal.getByRole('button', { name: 'Resend Email' }).click()
  expect((await resent).postDataJSON()).toEqual({ email, type: 'email-verification' })
  await expectToast(visitor, 'Email Resent', `Verification email sent to ${email}`)

  const again = await visitor.request.post('/api/v1/auth/register', {
    data: { ...form, termsAccepted: true },
  })
  expect(await again.json()).toMatchObject({
    type: 'NOT_VERIFIED',
    message: 'Please verify your email first',
  })
})

test('a forgotten password: forgot, the mail again, and set [7.5 7.9 7.10]', async ({
  visitor,
}) => {
  const email = anAddress()
  await visitor.clock.install()
  await visitor.goto('/forgot-password')
  await visitor.getByLabel('Email').fill(email)
  const forgotten = callTo(visitor, 'POST', '/auth/forgot-password')
  await visitor.getByRole('button', { name: 'Send Email' }).click()
  expect((await forgotten).postDataJSON()).toEqual({ email })
  await expect(visitor).toHaveURL(/\/email-verification\?email=/)

  const resent = callTo(visitor, 'POST', '/auth/resend-verify-email')
  await expect(visitor.getByRole('button', { name: /^Resend in 2\ds$/ })).toBeDisabled()
  await visitor.clock.fastForward(31_000)
  await visitor.getByRole('button', { name: 'Resend Email' }).click()
  expect((await resent).postDataJSON()).toEqual({ email, type: 'reset-password' })

  await visitor.goto('/create-new-password?token=the-token_of-a-link')
  await expect(visitor.getByRole('button', { name: 'Save New Password' })).toBeVisible()
  const set = callTo(visitor, 'POST', '/auth/set-new-password')
  for (const field of await visitor.locator('input[type=password]').all())
    await field.fill(PASSWORD)
  await visitor.getByRole('button', { name: 'Save New Password' }).click()
  expect((await set).postDataJSON()).toEqual({
    ...{ password: PASSWORD, confirmPassword: PASSWORD, session: 'the-token_of-a-link' },
  })
})

test('a mailed link and third-party sign-in [7.11 7.12 7.13]', async ({ setting, visitor }) => {
  const opened = callTo(visitor, 'POST', '/auth/verify-email')
  await visitor.goto('/verify-email?token=the-token_of-a-link')
  expect((await opened).postDataJSON()).toEqual({ session: 'the-token_of-a-link' })

  await withInstallation(visitor, { google: true })
  const raw =
    '?code=4%2F0Ab%20c&scope=openid+email&authuser=0&hd=x.example&prompt=none&state=%C3%A4'
  const url = `${setting.product.url}/google-login${raw}`
  await answering(visitor, 'GET', '/oauth/google', { json: { url } })
  await visitor.goto('/login')
  const started = callTo(visitor, 'GET', '/oauth/google')
  const finished = callTo(visitor, 'GET', '/oauth/google/callback')
  await visitor.getByRole('button', { name: 'Continue with Google' }).click()
  expect((await started).postData()).toBeNull()
  expect(new URL((await finished).url()).search).toBe(raw)
  await expect(visitor).toHaveURL('/google-login')
})

test('the session: login, refresh, who am I, logout [7.6 7.7 7.8 7.14 7.21 7.22]', async ({
  person,
}) => {
  const { page, context, email } = person
  const user = { _id: person.user.id, firstName: 'Ada', lastName: 'Lovelace', email }
  await context.clearCookies()
  const refused = callTo(page, 'POST', '/auth/refresh')
  await page.goto('/login')
  expect(await answerTo(refused)).toEqual({
    ...{ type: 'REFRESH', message: 'NO_AUTH_TOKEN', tokenType: 'REFRESH' },
    ...{ statusCode: 401, path: '/api/v1/auth/refresh', data: {} },
  })
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  const loggedIn = callTo(page, 'POST', '/auth/login')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  expect((await loggedIn).postDataJSON()).toEqual({ email, password: PASSWORD })
  expect(await answerTo(loggedIn)).toMatchObject({ tokenExpiresIn: 600, user })

  await expect(page).toHaveURL('/dashboard')
  const refreshed = callTo(page, 'POST', '/auth/refresh')
  await page.reload()
  const refresh = await refreshed
  expect(refresh.postData()).toBeNull()
  const headers = await refresh.allHeaders()
  expect(headers.authorization).toBeUndefined()
  expect(headers.cookie).toContain('mailstead_refresh=')
  expect(await answerTo(refreshed)).toEqual({
    ...{ token: expect.any(String), tokenExpiresIn: 600 },
    user: { ...user, name: 'Ada Lovelace', avatar: null },
  })
  expect(await person.call('GET', '/auth/verify-access')).toMatchObject({ status: 200, body: user })

  await page.getByRole('button', { name: 'Account menu' }).click()
  const left = callTo(page, 'POST', '/auth/logout')
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  expect((await left).postData()).toBeNull()
  await expect(page).toHaveURL('/login')
})

test('domains: added, listed, and their records read and verified [7.15 7.16 7.17 7.18 7.19 7.20]', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  await page.goto('/dashboard/add-domain')
  await page.getByLabel('Enter domain').fill('calls-wizard.example')
  const added = callTo(page, 'POST', '/domains')
  await page.getByRole('button', { name: 'Continue' }).click()
  expect((await added).postDataJSON()).toEqual({ name: 'calls-wizard.example' })
  const { _id } = await answerTo(added)
  await expect(page).toHaveURL(`/dashboard/add-domain?id=${_id}`)

  const isOneOf = (records: unknown) => ({
    ...{ name: expect.any(String), value: expect.any(String), ttl: expect.any(Number) },
    isVerified: records,
  })
  const verified = callTo(page, 'POST', `/dns-records/verify-ownership/${_id}`)
  const readAgain = answered(page, 'GET', `/dns-records/ownership/${_id}`)
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  expect((await verified).postData()).toBeNull()
  expect(await readAgain).toMatchObject(isOneOf(false))

  const domain = await aDomainWithRecords(setting, {
    ...{ workspaceId: workspace.id, verified: true },
    states: { ownership: 'verified' },
  })
  const listed = answered(page, 'GET', '/domains')
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  const ids = (await listed).map((each: { _id: string }) => each._id)
  expect(ids.sort()).toEqual([_id, domain.id].sort())

  const records = answered(page, 'GET', `/dns-records/dns/${domain.id}`)
  const row = page.getByRole('row').filter({ hasText: domain.name })
  await row.getByRole('button', { name: /^Verify/ }).click()
  const rows = await records
  expect(rows.length).toBeGreaterThan(1)
  for (const each of rows) expect(each).toMatchObject(isOneOf(false))
  await page.getByRole('button', { name: 'Continue' }).click()
  const checked = callTo(page, 'POST', `/dns-records/verify-dns/${domain.id}`)
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  expect((await checked).postData()).toBeNull()
})

const readsOfDomains = (calls: string[]) =>
  calls.filter((call) => call.startsWith('GET /domains ')).length

/** Runs in the page, whose clock stands still. */
const nextTask = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = resolve
    port2.postMessage(null)
  })

test('what was read is fresh for ten seconds, and read again after them and on focus [7.26 9.5]', async ({
  person,
}) => {
  const { page } = person
  const calls = watchCalls(page)
  const open = async (name: 'Domains' | 'Settings') => {
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  }
  const comeBack = (target: 'window' | 'document', event: string) =>
    page.evaluate(
      ([on, name]) => {
        const where = on === 'window' ? window : document
        where.dispatchEvent(new Event(name, { bubbles: true }))
      },
      [target, event] as const,
    )
  const answers: Response[] = []
  page.on('response', (answer) => answers.push(answer))
  /** Time passes once the page has what was answered: from then on it is fresh. */
  const pass = async (ms: number) => {
    const bodies = answers.filter((answer) => answer.url().includes('/domains'))
    await Promise.all(bodies.map((answer) => answer.finished()))
    await page.evaluate(nextTask)
    await page.clock.fastForward(ms)
  }
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 10_000)
  await page.goto('/dashboard/domains')
  await expect(page.getByText('No domain available')).toBeVisible()
  await open('Settings')
  await pass(7000)
  await open('Domains')
  await comeBack('window', 'focus')
  await pass(100)
  expect(readsOfDomains(calls)).toBe(1)
  await open('Settings')
  await pass(3000)
  await open('Domains')
  await expect.poll(() => readsOfDomains(calls)).toBe(2)
  await pass(9800)
  await comeBack('window', 'focus')
  await pass(300)
  expect(readsOfDomains(calls)).toBe(2)
  await comeBack('window', 'focus')
  await expect.poll(() => readsOfDomains(calls)).toBe(3)
  await pass(10_100)
  await comeBack('document', 'visibilitychange')
  await expect.poll(() => readsOfDomains(calls)).toBe(4)
})

test('a failed query is tried at most three times more, and never when refused [7.26 7.27 8.6 9.5]', async ({
  person,
}) => {
  const { page } = person
  const warnings: string[] = []
  page.on('console', (line) => line.type() === 'warning' && warnings.push(line.text()))
  const calls = watchCalls(page)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 10_000)
  const error = page.getByText('Error loading domains')
  const pageWith = async (statusCode: number) => {
    calls.length = 0
    warnings.length = 0
    const type = statusCode === 503 ? 'UNAVAILABLE' : 'FORBIDDEN'
    return failing(page, 'GET', '/domains', { statusCode, type, tokenType: 'REFRESH' })
  }
  let stop = await pageWith(503)
  await page.goto('/dashboard/domains')
  for (const tries of [1, 2, 3]) {
    await expect.poll(() => warnings.length).toBe(tries)
    await page.clock.fastForward(8000)
  }
  await expect.poll(() => warnings.length).toBe(4)
  await page.clock.fastForward(20_000)
  await expect(error).toBeVisible()
  expect(warnings).toEqual([1, 2, 3, 4].map((n) => `query failed (${n}): 503 UNAVAILABLE`))
  expect(readsOfDomains(calls)).toBe(4)
  for (const statusCode of [401, 403]) {
    await stop()
    stop = await pageWith(statusCode)
    await page.reload()
    await expect.poll(() => warnings.length).toBe(1)
    await page.clock.fastForward(20_000)
    await expect(error).toBeVisible()
    expect(readsOfDomains(calls), `${statusCode}`).toBe(1)
    expect(warnings).toEqual([`query failed (1): ${statusCode} FORBIDDEN`])
  }
})

test('who never signed up is not told apart by the calls [7.9]', async ({ setting, visitor }) => {
  const user = await aUser(setting, { email: anAddress() })
  const ask = (email: string) =>
    visitor.request.post('/api/v1/auth/forgot-password', { data: { email } })
  const [known, unknown] = [await ask(user.email), await ask(anAddress())]
  expect([known.status(), await known.json()]).toEqual([unknown.status(), await unknown.json()])
})
