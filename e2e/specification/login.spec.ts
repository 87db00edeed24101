/** The login page. */
import type { Page } from '@playwright/test'
import { PASSWORD } from '#test-world/trials/account.ts'
import {
  aMember,
  anAddress,
  expectRefused,
  expectTaken,
  goodEmails,
  inTrouble,
  toastWith,
  troubles,
  withInstallation,
  wrongEmails,
} from './auth-parts.ts'
import { answering, expect, failing, holding, test } from './setting.ts'

const on = (page: Page) => ({
  email: page.getByRole('textbox', { name: 'Email', exact: true }),
  password: page.getByLabel('Password', { exact: true }),
  login: page.getByRole('button', { name: 'Login', exact: true }),
  pending: page.getByRole('button', { name: 'Logging in...', exact: true }),
  google: page.getByRole('button', { name: 'Continue with Google', exact: true }),
})

test('heading, fields, buttons and the ways to the other pages [2.11 2.12]', async ({
  visitor: page,
}) => {
  await page.goto('/login')
  const { email, password, login, google } = on(page)
  await expect(page.getByRole('heading', { name: 'Welcome Back', level: 1 })).toBeVisible()
  await expect(page.getByText('Login to you account', { exact: true })).toBeVisible()
  await expect(email).toHaveAttribute('autocomplete', 'username')
  await expect(password).toHaveAttribute('autocomplete', 'current-password')
  await expect(login).toBeEnabled()

  await password.fill('seen or not')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show characters' }).click()
  await expect(password).toHaveAttribute('type', 'text')

  // No provider is set up here: the button says so instead of doing nothing.
  await expect(google).toHaveAccessibleDescription('Google sign-in is not set up here')
  await page.getByRole('link', { name: 'Sign up', exact: true }).click()
  await expect(page).toHaveURL('/sign-up')
  await page.goBack()
  await page.getByRole('link', { name: 'Forgot password', exact: true }).click()
  await expect(page).toHaveURL('/forgot-password')
})

test('what is wrong is told at the field, by keyboard, and nothing is sent [5.7 5.8]', async ({
  visitor: page,
}) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/login')) sent.push(request.url())
  })
  await page.goto('/login')
  const { email, password, login } = on(page)
  await login.click()
  // Both are wrong: each says so, and the first has the focus.
  await expect(email).toHaveAccessibleDescription('Please enter your email')
  await expect(password).toHaveAccessibleDescription('Please enter your password')
  await expect(email).toBeFocused()

  await password.fill(PASSWORD)
  await expectRefused(email, wrongEmails)
  await expectTaken(email, goodEmails)
  await expectRefused(password, [
    ['', 'Please enter your password'],
    ['Six-6!', 'Password must be at least 7 characters long'],
    ['كلمةسر', 'Password must be at least 7 characters long'],
    ['x'.repeat(129), 'Password must be at most 128 characters long'],
    ['x'.repeat(10_000), 'Password must be at most 128 characters long'],
  ])
  await expectTaken(password, ['Seven-7', 'x'.repeat(128), 'كلمة السر الطويلة'])
  expect(sent).toEqual([])
})

test('I log in and am where I wanted to be, with the token in the cookie [4.11 2.12 8.18]', async ({
  visitor: page,
  setting,
}) => {
  const { email: address } = await aMember(setting)
  await page.goto('/terms')
  await page.goto('/dashboard/domains?q=mine')
  await expect(page).toHaveURL('/login')
  const { email, password, login, pending } = on(page)
  const goOn = await holding(page, '/auth/login')
  await email.fill(address)
  await password.fill(PASSWORD)
  await expect(pending).toBeHidden()
  const startedAt = Date.now()
  await password.press('Enter')
  await expect(pending).toBeDisabled()
  await expect(login).toBeHidden()
  await expect(password).toHaveValue(PASSWORD)
  const answered = page.waitForResponse('**/api/v1/auth/login')
  goOn()
  const { token, tokenExpiresIn } = await (await answered).json()
  await expect(page).toHaveURL('/dashboard/domains?q=mine')
  await toastWith(page, 'Logged in successfully....')

  const cookies = await page.context().cookies()
  const cookie = cookies.find(({ name }) => name === '_access_token')
  const stored = JSON.parse(decodeURIComponent(cookie?.value ?? ''))
  expect(stored.token).toBe(token)
  expect(stored.tokenExpiresAt).toBeGreaterThanOrEqual(startedAt + tokenExpiresIn * 1000)
  expect(stored.tokenExpiresAt).toBeLessThanOrEqual(Date.now() + tokenExpiresIn * 1000)

  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByText(address)).toBeVisible()
  // The login page was replaced in the history.
  await page.goBack()
  await expect(page).toHaveURL('/terms')
})

test('without a page that I wanted, login leads to the dashboard [4.11]', async ({
  visitor: page,
  setting,
}) => {
  const { email: address } = await aMember(setting)
  await page.goto('/login')
  const { email, password, login } = on(page)
  await email.fill(`  ${address.toUpperCase()} `)
  await password.fill(PASSWORD)
  await login.click()
  await expect(page).toHaveURL('/dashboard')
})

test('a refused login is an error toast, and the form stays [4.12 8.14]', async ({
  visitor: page,
  setting,
}) => {
  const { email: known } = await aMember(setting)
  await page.goto('/login')
  const { email, password, login } = on(page)
  for (const address of [known, anAddress()]) {
    await email.fill(address)
    await password.fill('not my password')
    await login.click()
    await toastWith(page, 'Error', 'Invalid email or password')
    await page.getByRole('button', { name: 'Close notification' }).click()
    await expect(email).toHaveValue(address)
    await expect(password).toHaveValue('not my password')
  }
  await email.fill(known)
  await password.fill(PASSWORD)
  for (const trouble of troubles) {
    const mend = await inTrouble(page, '/auth/login', trouble)
    await login.click()
    await toastWith(page, 'Error', trouble.message)
    await page.getByRole('button', { name: 'Close notification' }).click()
    await mend()
  }
  await expect(email).toHaveValue(known)
  await login.click()
  await expect(page).toHaveURL('/dashboard')
})

test('an address that is not verified yet: the toast says so, and the modal offers the link again [4.12 8.14]', async ({
  visitor: page,
  setting,
}) => {
  const user = await aMember(setting)
  await setting.db
    .updateTable('users')
    .set({ verifiedAt: null })
    .where('id', '=', user.id)
    .execute()
  await page.goto('/login')
  const { email, password, login } = on(page)
  await email.fill(user.email)
  await password.fill(PASSWORD)
  await login.click()
  await toastWith(page, 'Error', 'Please verify your email first')
  const modal = page.getByRole('dialog', { name: 'Email verification' })
  await expect(modal.getByText(user.email)).toBeVisible()
  // No mail has just gone out: there is nothing to wait for.
  await expect(modal).toContainText('is not verified yet')
  await modal.getByRole('button', { name: 'Resend Email' }).click()
  await toastWith(page, 'Email Resent', `Verification email sent to ${user.email}`)
  await expect(modal.getByRole('button', { name: /^Resend in \d+s$/ })).toBeDisabled()
})

test('third-party sign-in waits for its address, and a failed start is an error toast [4.13 8.14]', async ({
  visitor: page,
}) => {
  await withInstallation(page, { google: true })
  // The app asks once it has taken over what the server drew; before, its buttons do nothing yet.
  const known = page.waitForResponse('**/api/v1/installation')
  await page.goto('/login')
  await known
  const { google } = on(page)
  const mend = await failing(page, 'GET', '/oauth/google', { statusCode: 500, message: 'No luck' })
  const goOn = await holding(page, '/oauth/google')
  await google.click()
  await expect(google).toBeDisabled()
  goOn()
  await toastWith(page, 'Error', 'No luck')
  await expect(google).toBeEnabled()
  await mend()

  await answering(page, 'GET', '/oauth/google', {
    json: { url: new URL('/terms', page.url()).href },
  })
  await google.click()
  await expect(page).toHaveURL('/terms')
})
