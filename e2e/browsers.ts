/** People at their browsers, and what the stories do there again and again. */
import {
  type Browser,
  type BrowserContext,
  expect,
  type Locator,
  type Page,
  type Response,
} from '@playwright/test'
import { PASSWORD } from '#test-world/trials/account.ts'

/** Fills the login page that is shown. */
export const logIn = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** Where a story is not about the login page: the browser holds the session, and has opened no page yet. */
export const getSession = async (
  page: Page,
  who: { email: string; password: string },
): Promise<void> => {
  const { email, password } = who
  const answer = await page.request.post('/api/v1/auth/login', { data: { email, password } })
  expect(answer.status()).toBe(200)
}

/** What is pressed before the app is there is ticked when it is. */
export const tick = async (box: Locator): Promise<void> => {
  if (!(await box.isChecked())) await box.click()
  await expect(box).toBeChecked()
}

/** A browser of its own, at the dashboard. */
export const aSignedInBrowser = async (
  browser: Browser,
  url: string,
  email: string,
  password = PASSWORD,
): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const login = { data: { email, password } }
  const answer = await context.request.post(`${url}/api/v1/auth/login`, login)
  expect(answer.status()).toBe(200)
  // The app asks for what happens once it has renewed the session.
  const listening = page.waitForRequest('**/api/v1/events')
  await page.goto(`${url}/dashboard`)
  await listening
  return { context, page }
}

/** The toast as it is seen, also beside a dialog: what is read aloud of it is gone after a second. In one look, since it closes by itself. */
export const expectToast = (page: Page, title: string, text = ''): Promise<void> => {
  const toasts = page.getByRole('region', { name: /^Notifications/, includeHidden: true })
  const shown = toasts.getByRole('listitem', { includeHidden: true })
  return expect(shown.filter({ hasText: title }).filter({ hasText: text }).first()).toBeVisible()
}

/** Asks for a look at the records; where they were seen by themselves meanwhile, there is nothing left to press. */
export const verifyRecords = async (page: Page): Promise<void> => {
  const verify = page.getByRole('button', { name: 'Verify', exact: true })
  const next = page.getByRole('button', { name: 'Continue' })
  await expect(async () => {
    if (await next.isDisabled()) await verify.click({ timeout: 1_000 })
  }).toPass({ timeout: 30_000 })
  await expect(next).toBeEnabled()
}

/** Every answer of the API from now on, as 'POST /domains 201'. */
export const watchCalls = (page: Page): string[] => {
  const seen: string[] = []
  page.on('response', (response: Response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/api/v1/')) return
    seen.push(`${response.request().method()} ${pathname.slice(7)} ${response.status()}`)
  })
  return seen
}
