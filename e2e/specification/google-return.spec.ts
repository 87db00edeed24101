/** Where third-party sign-in comes back to. With a provider it is walked in e2e/google-sign-in. */
import type { Page } from '@playwright/test'
import { PASSWORD } from '#test-world/trials/account.ts'
import { aMember, toastWith, withInstallation } from './auth-parts.ts'
import { answering, cutting, expect, failing, holding, test } from './setting.ts'

const CALLBACK = '/oauth/google/callback**'
const INVALID = 'Not all the required params were provided'
const all = { code: '4/abc', scope: 'email%20openid', authuser: '0', prompt: 'none' }

const queryOf = (given: Record<string, string>): string =>
  `?${Object.entries(given)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`

/** The calls that pass a return on, as they were sent. */
const callbacks = (page: Page): string[] => {
  const seen: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/api/v1/oauth/google/callback') seen.push(search)
  })
  return seen
}

const expectRefusal = async (page: Page, title: string, text: string): Promise<void> => {
  await toastWith(page, title, text)
  const failure = page.getByRole('main').getByText(text, { exact: true })
  await expect(failure).toBeVisible()
  await expect(page.getByText('Signing you in...')).toBeHidden()
}

test('without what Google sends: Invalid Params, and a way back [2.25 5.33]', async ({
  visitor: page,
}) => {
  const sent = callbacks(page)
  await withInstallation(page, { google: true, googleIsGoogle: true })
  for (const missing of Object.keys(all)) {
    const given = Object.entries(all).filter(([name]) => name !== missing)
    await page.goto(`/google-login${queryOf({ ...Object.fromEntries(given), hd: 'a.example' })}`)
    await expectRefusal(page, 'Invalid Params', INVALID)
  }
  await page.goto('/google-login')
  await expectRefusal(page, 'Invalid Params', INVALID)
  expect(sent).toEqual([])
  await page.getByRole('link', { name: 'Back to login' }).click()
  await expect(page).toHaveURL('/login')
})

test('a spinner, while the query is passed on as it came; then the reason why not [2.5 2.25 4.14 8.8]', async ({
  visitor: page,
}) => {
  const sent = callbacks(page)
  await withInstallation(page, { google: true, googleIsGoogle: true })
  const query = queryOf({ ...all, hd: 'a.example', other: 'a+b%2Fc' })
  const goOn = await holding(page, CALLBACK)
  await page.goto(`/google-login${query}`)
  const spinner = page.getByRole('main').getByRole('status')
  await expect(spinner).toHaveText('Signing you in...')
  await expect(spinner.locator('svg')).toBeVisible()
  // The code is as good as a password: it does not stay in the address.
  await expect(page).toHaveURL('/google-login')
  await expect.poll(() => sent).toEqual([query])
  goOn()
  // No provider is set up here, so the server refuses.
  await expectRefusal(page, 'Authentication Error', 'Google sign-in is not set up here')
  await page.getByRole('link', { name: 'Back to login' }).click()
  await expect(page).toHaveURL('/login')
})

test('hd may be missing, and an answer signs me in [2.5 4.14 8.18]', async ({
  visitor: page,
  setting,
}) => {
  const { email } = await aMember(setting)
  const answer = await page.request.post('/api/v1/auth/login', {
    data: { email, password: PASSWORD },
  })
  const session = await answer.json()
  await withInstallation(page, { google: true, googleIsGoogle: true })
  await answering(page, 'GET', CALLBACK, { json: session })
  await page.goto('/terms')
  await page.goto(`/google-login${queryOf(all)}`)
  await expect(page).toHaveURL('/dashboard')
  await toastWith(page, 'Logged in successfully')
  const cookies = await page.context().cookies()
  const cookie = cookies.find(({ name }) => name === '_access_token')
  expect(JSON.parse(decodeURIComponent(cookie?.value ?? '')).token).toBe(session.token)
  await page.goBack()
  await expect(page).toHaveURL('/terms')
})

test('Google refuses, the server is in trouble, or the query is nonsense: Authentication Error [2.25 8.8]', async ({
  visitor: page,
}) => {
  await withInstallation(page, { google: true, googleIsGoogle: true })
  await page.goto('/google-login?error=access_denied&error_description=Call%20this%20number')
  await expectRefusal(page, 'Authentication Error', 'Google sign-in was cancelled')
  await expect(page.getByText('Call this number')).toBeHidden()

  const again = 'Google sign-in did not complete. Please try again'
  await page.goto('/google-login?error=server_error')
  await expectRefusal(page, 'Authentication Error', again)
  await page.goto(`/google-login${queryOf({ ...all, code: 'x'.repeat(5000) })}`)
  await expectRefusal(page, 'Authentication Error', again)

  const mend = await failing(page, 'GET', CALLBACK, { statusCode: 500, message: 'No luck' })
  await page.goto(`/google-login${queryOf(all)}`)
  await expectRefusal(page, 'Authentication Error', 'No luck')
  await mend()
  await cutting(page, CALLBACK)
  await page.goto(`/google-login${queryOf({ ...all, code: 'another' })}`)
  await expectRefusal(page, 'Authentication Error', 'Something went wrong')
})
