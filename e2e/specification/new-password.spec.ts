/** The page that a mailed reset link opens. */
import type { Page } from '@playwright/test'
import {
  aMailedToken,
  aMember,
  expectRefused,
  expectTaken,
  inTrouble,
  toastWith,
  troubles,
} from './auth-parts.ts'
import { expect, holding, test } from './setting.ts'

const NEW_PASSWORD = 'Analytical-2!'

const on = (page: Page) => ({
  password: page.getByLabel('New Password', { exact: true }),
  confirm: page.getByLabel('Confirm Password', { exact: true }),
  save: page.getByRole('button', { name: 'Save New Password', exact: true }),
})

test('the form, and what is wrong at its fields [2.24 5.10 5.11]', async ({ visitor: page }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/set-new-password')) sent.push(request.url())
  })
  await page.goto('/create-new-password?token=some')
  const { password, confirm, save } = on(page)
  for (const field of [password, confirm]) {
    await expect(field).toHaveAttribute('type', 'password')
    await expect(field).toHaveAttribute('autocomplete', 'new-password')
  }
  await save.click()
  await expect(password).toHaveAccessibleDescription('Please enter your password')
  await expect(confirm).toHaveAccessibleDescription('Please confirm your password')
  await expect(password).toBeFocused()

  await expectRefused(password, [
    ['', 'Please enter your password'],
    ['Six-6!', 'Password must be at least 7 characters long'],
    ['كلمةسر', 'Password must be at least 7 characters long'],
    ['x'.repeat(129), 'Password must be at most 128 characters long'],
    ['x'.repeat(10_000), 'Password must be at most 128 characters long'],
  ])
  await expectTaken(password, ['Seven-7', 'x'.repeat(128), 'كلمة السر الطويلة', NEW_PASSWORD])
  await expectRefused(confirm, [
    ['', 'Please confirm your password'],
    ['another one', 'Passwords do not match'],
    [NEW_PASSWORD.toLowerCase(), 'Passwords do not match'],
    ['x'.repeat(10_000), 'Password must be at most 128 characters long'],
  ])
  await expectTaken(confirm, [NEW_PASSWORD])
  expect(sent).toEqual([])
})

test('saved: a toast, and one second later login [4.25 9.8 8.18]', async ({
  visitor: page,
  setting,
}) => {
  const user = await aMember(setting)
  const token = await aMailedToken(setting, user, 'reset-password')
  await page.clock.install()
  await page.goto(`/create-new-password?token=${token}`)
  await expect(page).toHaveURL('/create-new-password')
  const { password, confirm, save } = on(page)
  const goOn = await holding(page, '/auth/set-new-password')
  await password.fill(NEW_PASSWORD)
  await confirm.fill(NEW_PASSWORD)
  await expect(save).toBeEnabled()
  const asked = page.waitForRequest('**/auth/set-new-password')
  await confirm.press('Enter')
  await expect(save).toBeDisabled()
  expect((await asked).postDataJSON()).toEqual({
    ...{ password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD, session: token },
  })
  // From here on time stands still, so that the second can be measured.
  await page.clock.pauseAt(Date.now() + 5000)
  const answered = page.waitForResponse('**/auth/set-new-password')
  goOn()
  await (await answered).finished()
  // Saved: another Enter must not send it again.
  await expect(save.locator('svg')).toHaveCount(0)
  await expect(save).toBeDisabled()
  await page.clock.runFor(999)
  await toastWith(page, 'Password updated successfully.')
  await expect(page).toHaveURL('/create-new-password')
  await page.clock.runFor(1)
  await expect(page).toHaveURL('/login')
  await page.clock.resume()

  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('a link that does not work, or a server in trouble: a toast, the form stays, and a way to a new link [2.24 4.25]', async ({
  visitor: page,
  setting,
}) => {
  const user = await aMember(setting)
  const { password, confirm, save } = on(page)
  const saveAndRead = async (message: string) => {
    await save.click()
    await toastWith(page, '❌ Error', message)
    await page.getByRole('button', { name: 'Close notification' }).click()
    await expect(password).toHaveValue(NEW_PASSWORD)
    await expect(confirm).toHaveValue(NEW_PASSWORD)
    await expect(page).toHaveURL('/create-new-password')
  }
  const open = async (query: string, refusal?: string) => {
    await page.goto(`/create-new-password${query}`)
    // Said before a password is asked for.
    if (refusal) await expect(page.getByRole('alert')).toContainText(refusal)
    await password.fill(NEW_PASSWORD)
    await confirm.fill(NEW_PASSWORD)
  }
  await open('', 'This link is not valid: it was used')
  await saveAndRead('This link is not valid')
  await open('?token=never-mailed', 'This link is not valid: it was used')
  await saveAndRead('This link is not valid')
  const late = await aMailedToken(setting, user, 'reset-password', 'expired')
  await open(`?token=${late}`, 'This link has expired')
  await saveAndRead('This link has expired')
  await open(`?token=${await aMailedToken(setting, user, 'reset-password')}`)
  for (const trouble of troubles) {
    const mend = await inTrouble(page, '/auth/set-new-password', trouble)
    await saveAndRead(trouble.message)
    await mend()
  }

  // Errors that only the server can find show at the field too.
  await password.fill('password123')
  await confirm.fill('password123')
  await save.click()
  await expect(password).toHaveAccessibleDescription(/one of the most common ones/)
  await expect(password).toBeFocused()

  await page.getByRole('link', { name: 'Send a new link' }).click()
  await expect(page).toHaveURL('/forgot-password')
})
