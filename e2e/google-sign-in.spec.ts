/** Signing in with an OpenID provider in Google's place, in the browser, there and back. */

import { expect } from '@playwright/test'
import { freePort } from '#test-world/free-port.ts'
import { anOpenidProvider, type OpenidProvider } from '#test-world/openid-provider.ts'
import { aProduct, type Product } from '#test-world/product.ts'
import { mailedLink } from '#test-world/trials/account.ts'
import { expectToast } from './browsers.ts'
import { test } from './test.ts'

let google: OpenidProvider
let product: Product
test.beforeAll(async () => {
  // The two must know each other's address before either starts.
  const port = await freePort()
  google = await anOpenidProvider({ redirectUri: `http://localhost:${port}/google-login` })
  google.person = {
    ...{ sub: 'grace', email: 'grace@elsewhere.example', email_verified: true },
    ...{ given_name: 'Grace', family_name: 'Hopper' },
  }
  product = await aProduct({
    PORT: String(port),
    GOOGLE_CLIENT_ID: google.settings.clientId,
    GOOGLE_CLIENT_SECRET: google.settings.clientSecret,
    GOOGLE_ISSUER: google.settings.issuer,
  })
})
test.afterAll(async () => {
  await product?.close()
  await google?.close()
})

test('I continue with Google, and stay signed in [4.13 4.14]', async ({ page }) => {
  await page.goto(`${product.url}/login`)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await expect(page).toHaveURL(`${product.url}/dashboard`)
  await expectToast(page, 'Logged in successfully')
  await page.reload()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByText('Grace Hopper')).toBeVisible()
  await expect(page.getByText('grace@elsewhere.example')).toBeVisible()
})

test('I come back to the page that I wanted', async ({ page }) => {
  await page.goto(`${product.url}/dashboard/domains`)
  await expect(page).toHaveURL(`${product.url}/login`)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await expect(page).toHaveURL(`${product.url}/dashboard/domains`)
})

test('a return without what the provider sends is Invalid Params', async ({ page }) => {
  await page.goto(`${product.url}/google-login?code=abc`)
  await expectToast(page, 'Invalid Params', 'Not all the required params were provided')
  await page.getByRole('link', { name: 'Back to login' }).click()
  await expect(page).toHaveURL(`${product.url}/login`)
})

test('I refuse at the provider: Authentication Error', async ({ page }) => {
  await page.goto(`${product.url}/google-login?error=access_denied`)
  await expectToast(page, 'Authentication Error', 'Google sign-in was cancelled')
  await expect(page).toHaveURL(`${product.url}/google-login`)
})

test("somebody else's return in my browser signs nobody in", async ({ page }) => {
  const { url } = await (await fetch(`${product.url}/api/v1/oauth/google`)).json()
  const back = await google.signIn(url)
  // I was about to sign in myself: this browser has a sign-in of its own under way.
  await page.goto(`${product.url}/login`)
  await page.request.get(`${product.url}/api/v1/oauth/google`)
  await page.goto(back.href)
  await expectToast(page, 'Authentication Error', 'Google sign-in did not complete')
  // The code is as good as a password while it lives: it is out of the address.
  await expect(page).toHaveURL(`${product.url}/google-login`)
  await page.goto(`${product.url}/dashboard`)
  await expect(page).toHaveURL(`${product.url}/login`)
})

test('invited as somebody new, I sign up with Google and join', async ({ page, browser }) => {
  const grace = await browser.newPage()
  await grace.goto(`${product.url}/login`)
  await grace.getByRole('button', { name: 'Continue with Google' }).click()
  await expect(grace).toHaveURL(`${product.url}/dashboard`)
  const cookie = (await grace.context().cookies()).find(({ name }) => name === '_access_token')
  const { token } = JSON.parse(decodeURIComponent(cookie?.value ?? '{}'))
  const email = 'mary@elsewhere.example'
  const invited = await grace.request.post(`${product.url}/api/v1/invitations`, {
    headers: { authorization: `Bearer ${token}` },
    data: { email, role: 'Editor' },
  })
  expect(invited.status()).toBe(201)
  await grace.close()

  google.person = { ...google.person, sub: 'mary', email, given_name: 'Mary' }
  await page.goto((await mailedLink(product, email)).href)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(page).toHaveURL(`${product.url}/dashboard`)
  await expect(page.getByRole('button', { name: /^Workspace:/ })).toContainText('Editor')
})
