/** Forgotten passwords: asking for a link, the page that holds meanwhile, and the countdown on both. */
import type { Page } from '@playwright/test'
import {
  aMember,
  anAddress,
  expectRefused,
  expectTaken,
  goodEmails,
  inTrouble,
  toastWith,
  troubles,
  wrongEmails,
} from './auth-parts.ts'
import { expect, holding, test } from './setting.ts'

const on = (page: Page) => ({
  email: page.getByRole('textbox', { name: 'Email', exact: true }),
  send: page.getByRole('button', { name: 'Send Email', exact: true }),
  back: page.getByRole('link', { name: 'Back', exact: true }),
  resend: page.getByRole('button', { name: 'Resend Email', exact: true }),
  counting: (seconds: number) =>
    page.getByRole('button', { name: `Resend in ${seconds}s`, exact: true }),
})

/** The clock of this page advances only when the test moves it. */
const withStillClock = async (page: Page): Promise<void> => {
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 1000)
}

test('I ask for a link and am led to the page that holds my address [2.17 2.18 2.19]', async ({
  visitor: page,
  setting,
}) => {
  const { email: address } = await aMember(setting)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password', exact: true }).click()
  const { email, send, back } = on(page)
  await expect(page.getByRole('heading', { name: 'Forgot Password?', level: 1 })).toBeVisible()
  await expect(email).toHaveAttribute('autocomplete', 'username')
  await back.click()
  await expect(page).toHaveURL('/login')
  await page.goBack()

  const goOn = await holding(page, '/auth/forgot-password')
  await email.fill(address)
  await expect(send).toBeEnabled()
  await email.press('Enter')
  await expect(send).toBeDisabled()
  await expect(page).toHaveURL('/forgot-password')
  goOn()
  await expect(page).toHaveURL(`/email-verification?email=${encodeURIComponent(address)}`)
  await expect(page.getByText(address, { exact: true })).toBeVisible()
  await expect(page.getByText('your e-mail address')).toBeHidden()
  const { email: mail } = await setting.product.mailTo(address)
  expect(mail.text).toContain('/create-new-password?token=')

  await back.click()
  await expect(page).toHaveURL('/forgot-password')
  await expect(email).toHaveValue(address)
})

test('without an address the page that holds says: your e-mail address [2.19]', async ({
  visitor: page,
}) => {
  await page.goto('/email-verification')
  await expect(page.getByText('your e-mail address', { exact: true })).toBeVisible()
  await on(page).back.click()
  await expect(page).toHaveURL('/forgot-password')
})

test('the email is required and must be one [5.9]', async ({ visitor: page }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/forgot-password')) sent.push(request.url())
  })
  await page.goto('/forgot-password')
  const { email, send } = on(page)
  await send.click()
  await expect(email).toHaveAccessibleDescription('Please enter your email')
  await expectRefused(email, wrongEmails)
  await expectTaken(email, goodEmails)
  expect(sent).toEqual([])
})

test('in trouble a toast says so, and the form stays [8.8]', async ({ visitor: page }) => {
  const address = anAddress()
  await page.goto('/forgot-password')
  const { email, send } = on(page)
  await email.fill(address)
  for (const trouble of troubles) {
    const mend = await inTrouble(page, '/auth/forgot-password', trouble)
    await send.click()
    await toastWith(page, '❌ Error', trouble.message)
    await page.getByRole('button', { name: 'Close notification' }).click()
    await expect(email).toHaveValue(address)
    await mend()
  }
  await send.click()
  // An address without an account gets the same answer.
  await expect(page).toHaveURL(/\/email-verification/)
})

test('both pages count thirty seconds down from load, and again after each mail [2.20 2.21 4.19 4.20 4.21 9.7 8.18]', async ({
  visitor: page,
}) => {
  const { counting, resend, email, send } = on(page)
  await withStillClock(page)
  const address = anAddress()
  for (const path of ['/forgot-password', `/email-verification?email=${address}`]) {
    await page.goto(path)
    await expect(counting(30)).toBeDisabled()
    // The app takes over what the server drew; its clock starts then.
    const oneStep = async () => {
      await page.clock.runFor(250)
      return counting(29).isVisible()
    }
    await expect.poll(oneStep).toBe(true)
    await expect(counting(29)).toBeDisabled()
    await page.clock.runFor(28_000)
    await expect(counting(1)).toBeDisabled()
    await expect(resend).toBeHidden()
    await page.clock.runFor(1000)
    await expect(resend).toBeEnabled()
  }

  const goOn = await holding(page, '/auth/resend-verify-email')
  const asked = page.waitForRequest('**/auth/resend-verify-email')
  await resend.click()
  await expect(resend).toBeDisabled()
  expect((await asked).postDataJSON()).toEqual({ email: address, type: 'reset-password' })
  goOn()
  await expect(counting(30)).toBeDisabled()
  await page.clock.resume()
  await toastWith(page, 'Email Resent', `Verification email sent to ${address}`)

  // The form of the first page does not wait for it.
  await page.goto('/forgot-password')
  await expect(page.getByRole('button', { name: /^Resend in/ })).toBeDisabled()
  await expect(send).toBeEnabled()
  await email.fill(address)
  await send.click()
  await expect(page).toHaveURL(/\/email-verification/)
})

test('a resend that does not work says why, and can be tried again [8.8 8.9]', async ({
  visitor: page,
}) => {
  const { resend, email } = on(page)
  await page.clock.install()
  const afterThirty = async (path: string) => {
    await page.goto(path)
    // The server draws 30: below it the app has taken over, and its clock runs.
    await expect(page.getByRole('button', { name: /^Resend in 2\ds$/ })).toBeDisabled()
    await page.clock.fastForward(30_000)
    await expect(resend).toBeEnabled()
  }
  const dismiss = () => page.getByRole('button', { name: 'Close notification' }).click()
  for (const path of ['/email-verification', '/email-verification?email=%20', '/forgot-password']) {
    await afterThirty(path)
    await resend.click()
    await toastWith(page, 'Resend Failed', 'No email provided')
    await expect(resend).toBeEnabled()
  }
  await email.fill('ada')
  await resend.click()
  await toastWith(page, 'Resend Failed', 'Invalid email address')
  await dismiss()

  const address = anAddress()
  await email.fill(address)
  for (const trouble of troubles) {
    const mend = await inTrouble(page, '/auth/resend-verify-email', trouble)
    await resend.click()
    await toastWith(page, 'Resend Failed', trouble.message)
    await dismiss()
    await mend()
  }
  const asked = page.waitForRequest('**/auth/resend-verify-email')
  await resend.click()
  expect((await asked).postDataJSON()).toEqual({ email: address, type: 'reset-password' })
  await toastWith(page, 'Email Resent', `Verification email sent to ${address}`)
})
