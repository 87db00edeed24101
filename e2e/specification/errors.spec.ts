/** Errors and how the app shows them. */
import type { APIRequestContext, Page } from '@playwright/test'
import { randomToken } from '#server/lib/secrets.ts'
import { aUser } from '#test-world/builders.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { putWornToken, runOut } from './access-cookie.ts'
import { aMailedToken, anAddress } from './auth-parts.ts'
import { cutting, expect, expectToast, failing, hurryRetries, test } from './setting.ts'

const NOWHERE = '00000000-0000-7000-8000-000000000000'
const noToast = (page: Page) =>
  expect(page.getByRole('button', { name: 'Close notification' })).toHaveCount(0)

const post = async (request: APIRequestContext, path: string, data?: unknown) => {
  const answer = await request.post(`/api/v1${path}`, data === undefined ? {} : { data })
  return { status: answer.status(), body: await answer.json() }
}

/** Every line of the console, by kind and text. */
const watchConsole = (page: Page): string[] => {
  const lines: string[] = []
  page.on('console', (line) => lines.push(`${line.type()}: ${line.text()}`))
  page.on('pageerror', (error) => lines.push(`thrown: ${error.message}`))
  return lines
}

test('each type of the catalogue, met at the door [8.1 3.25 3.26]', async ({
  setting,
  person,
  request,
}) => {
  const passwordHash = setting.passwordHash
  const grace = await aUser(setting, { email: anAddress(), passwordHash, isVerified: false })
  const taken = {
    ...{ firstName: 'Ada', lastName: 'Lovelace', email: person.email },
    ...{ password: PASSWORD, confirmPassword: PASSWORD, termsAccepted: true },
  }
  const login = (email: string, password = PASSWORD) =>
    post(request, '/auth/login', { email, password })
  const open = (session: string) => post(request, '/auth/verify-email', { session })
  const meets = (answer: { status: number; body: unknown }, status: number, body: object) =>
    expect(answer).toMatchObject({ status, body })

  expect((await person.call('GET', `/domains/${NOWHERE}`)).body).toEqual({
    ...{ type: 'NOT_EXISTS', message: 'Not found', statusCode: 404, data: {} },
    path: `/api/v1/domains/${NOWHERE}`,
  })
  meets(await login(person.email, 'Engine-No-9!'), 401, { type: 'INVALID_PASSWORD' })
  meets(await post(request, '/auth/register', taken), 409, { type: 'USER_ALREADY_EXISTS' })
  meets(await login(grace.email), 403, { type: 'NOT_VERIFIED' })
  meets(await open(await aMailedToken(setting, person.user, 'email-verification')), 200, {
    type: 'ALREADY_VERIFIED',
  })
  meets(await open(await aMailedToken(setting, grace, 'email-verification', 'expired')), 200, {
    type: 'LINK_EXPIRED',
  })
  meets(await open(randomToken()), 400, { type: 'INVALID_SIGNATURE' })
  const asNobody = await request.get('/api/v1/domains')
  expect(await asNobody.json()).toEqual({
    ...{ type: 'NO_AUTH_TOKEN', message: 'Please log in', statusCode: 401, data: {} },
    ...{ path: '/api/v1/domains', tokenType: 'ACCESS' },
  })
  await runOut(setting, person.user)
  const late = { type: 'JWT_EXPIRED', message: 'Your session has expired', tokenType: 'ACCESS' }
  meets(await person.call('GET', '/domains'), 401, late)
  const refresh = await person.context.request.post('/api/v1/auth/refresh')
  expect(await refresh.json()).toMatchObject({ type: 'REFRESH', tokenType: 'REFRESH' })
})

test('too many requests: the words are ours, the body is the server’s [8.2]', async ({
  person,
}) => {
  const { page } = person
  await hurryRetries(page)
  const data = { email: anAddress(), type: 'reset-password' }
  const ask = () => page.request.post('/api/v1/auth/resend-verify-email', { data })
  expect((await ask()).status()).toBe(200)
  const second = await ask()
  expect(second.status()).toBe(429)
  expect(Number(second.headers()['retry-after'])).toBeGreaterThan(0)
  expect(await second.json()).toMatchObject({
    ...{ type: 'TOO_MANY_REQUESTS', message: 'Too many requests', statusCode: 429 },
  })
  const lines = watchConsole(page)
  await failing(page, 'GET', '/domains', {
    ...{ statusCode: 429, type: 'STORAGE_FULL', message: 'Slow down' },
  })
  await page.goto('/dashboard/domains')
  await expect(page.getByText('Error loading domains')).toBeVisible()
  await expect(page.getByText('Too many requests', { exact: true })).toBeVisible()
  expect(lines).toContain('warning: query failed (1): 429 STORAGE_FULL')
})

test('no answer is one error of ours, an answer is told in its own words [8.3 8.4]', async ({
  person,
}) => {
  const { page } = person
  await page.goto('/dashboard/add-domain')
  const add = async () => {
    await page.getByLabel('Enter domain').fill('errors.example')
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  const mend = await cutting(page, '/domains', 'POST')
  await add()
  await expectToast(page, '❌ Error', 'Something went wrong')
  await mend()
  const message = 'Words of the server alone'
  await failing(page, 'POST', '/domains', { statusCode: 418, type: 'BAD_REQUEST', message })
  await add()
  await expectToast(page, '❌ Error', message)
})

test('a query that is refused or meets a fault is told in a toast, any other on its page [8.5 8.6 8.7]', async ({
  person,
}) => {
  const { page } = person
  await page.clock.install()
  const lines = watchConsole(page)
  for (const [statusCode, isToast] of [
    [403, true],
    [500, true],
    [404, false],
    [503, false],
  ] as const) {
    lines.length = 0
    const message = `Words for ${statusCode}`
    const stop = await failing(page, 'GET', '/domains', {
      ...{ statusCode, type: 'BAD_REQUEST', message },
    })
    await page.goto('/dashboard/domains')
    const tries = statusCode === 403 ? 1 : 4
    for (let n = 1; n <= tries; n += 1) {
      const line = `warning: query failed (${n}): ${statusCode} BAD_REQUEST`
      await expect.poll(() => lines, { message: line }).toContain(line)
      if (n < tries) await page.clock.fastForward(4100)
    }
    await expect(page.getByText('Error loading domains')).toBeVisible()
    await expect(page.getByText(message, { exact: true }).first()).toBeVisible()
    if (isToast) {
      const toast = page.getByRole('listitem').filter({ hasText: '❌ Error' })
      const withSign = toast.filter({ hasText: message, has: page.locator('svg') })
      await expect(withSign).toBeVisible()
    } else await noToast(page)
    expect(lines.filter((line) => line.startsWith('warning'))).toHaveLength(tries)
    await stop()
  }
})

test('no network: the query says so in a toast [8.4 8.5 8.6]', async ({ person }) => {
  const { page } = person
  await page.clock.install()
  const lines = watchConsole(page)
  await cutting(page, '/domains')
  await page.goto('/dashboard/domains')
  for (let n = 1; n <= 4; n += 1) {
    const line = `warning: query failed (${n}): 500 NO_ANSWER`
    await expect.poll(() => lines, { message: line }).toContain(line)
    if (n < 4) await page.clock.fastForward(4100)
  }
  await expectToast(page, '❌ Error', 'Something went wrong')
})

test('nothing is on the console of any page but what the browser says of the first refresh [8.6]', async ({
  person,
  visitor,
}) => {
  const lines = watchConsole(visitor)
  for (const path of [
    ...['/dashboard', '/dashboard/domains', '/dashboard/profile', '/dashboard/mailboxes'],
    ...['/dashboard/new-mail-box', '/dashboard/view-mail', '/dashboard/mail-box-settings'],
    ...['/dashboard/settings', '/dashboard/add-domain', '/404-page', '/forgot-password'],
  ]) {
    const refreshed = path.startsWith('/dashboard') && visitor.waitForResponse('**/auth/refresh')
    await visitor.goto(path)
    await expect(visitor.getByRole('heading', { level: 1, includeHidden: true })).toHaveCount(1)
    await visitor.waitForLoadState('load')
    // A page that is left before its answer has come gives up a token that is spent.
    await refreshed
    expect(lines, path).toEqual([])
  }
  await person.context.clearCookies()
  await visitor.goto('/login')
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^error: Failed to load resource: .* 401/)
})

test('titles of what failed, each at its trigger [8.8 8.9]', async ({ setting, person }) => {
  const { page, context } = person
  await page.clock.install()
  const stop = await failing(page, 'POST', '/auth/refresh', { statusCode: 500 })
  await page.goto('/dashboard')
  await expectToast(page, 'Something went wrong', 'Please try again later.')
  await expect(page).toHaveURL('/login')
  await stop()

  await page.goto('/google-login?error=access_denied')
  await expectToast(page, 'Authentication Error', 'Google sign-in was cancelled')

  // The server draws the button before anything counts: it counts when its number has changed.
  const waited = async () => {
    await expect(page.getByRole('button', { name: /^Resend in [12]\ds/ })).toBeVisible()
    await page.clock.fastForward(31_000)
  }
  await page.goto('/email-verification')
  await waited()
  await page.getByRole('button', { name: 'Resend Email' }).click()
  await expectToast(page, 'Resend Failed', 'No email provided')
  await page.goto('/email-verification?email=ada@elsewhere.example')
  await failing(page, 'POST', '/auth/resend-verify-email', {
    ...{ statusCode: 503, message: 'The post is closed' },
  })
  await waited()
  await page.getByRole('button', { name: 'Resend Email' }).click()
  await expectToast(page, 'Resend Failed', 'The post is closed')

  await page.goto('/dashboard/add-domain')
  await putWornToken(context, setting.product.url)
  await failing(page, 'POST', '/domains', { statusCode: 409, message: 'It is somebody else’s' })
  await page.getByLabel('Enter domain').fill('titles.example')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectToast(page, '❌ Error', 'It is somebody else’s')
})
