/** The page that a mailed verification link opens. */
import type { Page } from '@playwright/test'
import { aUser } from '#test-world/builders.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { aMailedToken, aMember, anAddress, inTrouble, toastWith, troubles } from './auth-parts.ts'
import { expect, holding, type Setting, test } from './setting.ts'

const aNewcomer = ({ db, clock, passwordHash }: Setting) =>
  aUser({ db, clock }, { email: anAddress(), passwordHash, isVerified: false })

const welcome = (page: Page) => page.getByRole('dialog', { name: /Mailstead/ })

test('a fresh link: a spinner, then I am signed in and welcomed on the dashboard [2.22 4.17 8.18]', async ({
  visitor: page,
  setting,
}) => {
  const user = await aNewcomer(setting)
  const token = await aMailedToken(setting, user, 'email-verification')
  const goOn = await holding(page, '/auth/verify-email')
  const asked = page.waitForRequest('**/auth/verify-email')
  await page.goto('/terms')
  await page.goto(`/verify-email?token=${token}`)
  expect((await asked).postDataJSON()).toEqual({ session: token })
  await expect(page.getByRole('status').getByText('Verifying your email...')).toBeVisible()
  // The token is as good as a password: it does not stay in the address.
  await expect(page).toHaveURL('/verify-email')
  const answered = page.waitForResponse('**/auth/verify-email')
  goOn()
  const { token: accessToken } = await (await answered).json()
  await expect(page).toHaveURL('/dashboard')
  await toastWith(page, 'Email verified successfully')
  await expect(welcome(page)).toBeVisible()
  const cookies = await page.context().cookies()
  const cookie = cookies.find(({ name }) => name === '_access_token')
  expect(JSON.parse(decodeURIComponent(cookie?.value ?? '')).token).toBe(accessToken)
  await welcome(page).getByRole('button', { name: 'Lets go' }).click()
  await expect(welcome(page)).toBeHidden()
  const renewed = page.waitForResponse('**/auth/refresh')
  await page.goBack()
  await expect(page).toHaveURL('/terms')
  await renewed
  // A page that is left keeps no token any more.
  await page.goto('about:blank')

  // The password of the sign-up is the one that works now.
  await page.context().clearCookies()
  // The app asks once it has taken over what the server drew; before, its buttons do nothing yet.
  const known = page.waitForResponse('**/api/v1/installation')
  await page.goto('/login')
  await known
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(welcome(page)).toBeHidden()
})

test('a link that ran out says so and is sent again [2.23 4.15 8.18]', async ({
  visitor: page,
  setting,
}) => {
  const user = await aNewcomer(setting)
  const token = await aMailedToken(setting, user, 'email-verification', 'expired')
  await page.goto(`/verify-email?token=${token}`)
  await expect(
    page.getByRole('heading', { name: 'Verification link has expired', level: 1 }),
  ).toBeVisible()
  await toastWith(page, 'Link Expired', 'Verification link has expired')
  await expect(page.getByText('Verifying your email...')).toBeHidden()
  await expect(page.getByText(user.email, { exact: true })).toBeVisible()
  const asked = page.waitForRequest('**/auth/resend-verify-email')
  await page.getByRole('button', { name: 'Resend Email', exact: true }).click()
  expect((await asked).postDataJSON()).toEqual({ email: user.email, type: 'email-verification' })
  await toastWith(page, 'Email Resent', `Verification email sent to ${user.email}`)
  await expect(page.getByRole('button', { name: /^Resend in \d+s$/ })).toBeDisabled()
  const { email } = await setting.product.mailTo(user.email)
  expect(email.text).toContain('/verify-email?token=')
})

test('an address that is verified already leads to login [4.16 8.18]', async ({
  visitor: page,
  setting,
}) => {
  const token = await aMailedToken(setting, await aMember(setting), 'email-verification')
  await page.goto('/terms')
  await page.goto(`/verify-email?token=${token}`)
  await expect(page).toHaveURL('/login')
  await toastWith(page, 'Already Verified')
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('_access_token')
  await page.goBack()
  await expect(page).toHaveURL('/terms')
})

test('an address that is verified already leads somebody who is signed in on to the dashboard [4.16]', async ({
  person: { page, user },
  setting,
}) => {
  const token = await aMailedToken(setting, user, 'email-verification')
  await page.goto(`/verify-email?token=${token}`)
  await expect(page).toHaveURL('/dashboard')
  await toastWith(page, 'Already Verified')
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
  await expect(welcome(page)).toHaveCount(0)
})

test('every error leads to the not-found page [4.18 8.17]', async ({ visitor: page, setting }) => {
  const BROKEN = /It was used, a newer one took its place, or a part of it is missing/
  const lost = async (query: string, why = BROKEN) => {
    await page.goto(`/verify-email${query}`)
    await expect(page).toHaveURL('/404-page')
    await expect(page.getByRole('heading', { name: /Whoops!/ })).toBeVisible()
    await expect(page.getByText('Was this a link from a mail?')).toContainText(why)
  }
  const reset = await aMailedToken(setting, await aMember(setting), 'reset-password')
  for (const query of ['', '?token=', '?token=never-mailed', `?token=${'x'.repeat(10_000)}`])
    await lost(query)
  await lost(`?token=${reset}`)

  const user = await aNewcomer(setting)
  const token = await aMailedToken(setting, user, 'email-verification')
  for (const trouble of troubles) {
    const mend = await inTrouble(page, '/auth/verify-email', trouble)
    await lost(`?token=${token}`, /It could not be opened just now/)
    await mend()
  }
  // Nothing is lost: the link works when the server does.
  await page.goto(`/verify-email?token=${token}`)
  await expect(page).toHaveURL('/dashboard')
})

test('from a broken link there is a way to a new one; an unknown path knows of no mail [2.26 4.18]', async ({
  visitor: page,
  setting,
}) => {
  await page.goto('/404-page')
  await expect(page.getByRole('link', { name: 'Go Home' })).toBeVisible()
  await expect(page.getByText('Was this a link from a mail?')).toHaveCount(0)
  const user = await aNewcomer(setting)
  await page.goto('/verify-email?token=cut-off')
  await expect(page).toHaveURL('/404-page')
  await page.reload()
  await page.getByRole('link', { name: 'Log in to ask for a new one' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Email verification' })
  await dialog.getByRole('button', { name: 'Resend Email' }).click()
  await toastWith(page, 'Email Resent', `Verification email sent to ${user.email}`)
})
