/** Toasts: one at a time, for five seconds, and each title of a success at its trigger. */
import type { Page } from '@playwright/test'
import { aUser, aWorkspace } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { logIn } from '../browsers.ts'
import { aMailedToken } from './auth-parts.ts'
import { answering, expect, failing, opened, test } from './setting.ts'

/** By attribute: while a dialog is open, everything else is hidden from roles. */
const region = (page: Page) => page.locator('[role="region"][aria-label^="Notification"]')
const toasts = (page: Page) => region(page).locator('li')

/** The one toast that is shown has exactly this title, and this text below it. */
const expectOnly = async (page: Page, title: string, text?: string): Promise<void> => {
  const titled = toasts(page).filter({ has: page.getByText(title, { exact: true }) })
  const whole =
    text === undefined ? titled : titled.filter({ has: page.getByText(text, { exact: true }) })
  await expect(whole).toBeVisible()
  await expect(toasts(page)).toHaveCount(1)
}

/** When the newest toast came, by the clock of the page. */
const noteToasts = (page: Page) =>
  page.addInitScript(() => {
    let newest: Element | null = null
    const note = () => {
      const item = document.querySelector('[role="region"] li')
      if (item !== null && item !== newest) Object.assign(window, { toastCameAt: Date.now() })
      newest = item
    }
    new MutationObserver(note).observe(document, { childList: true, subtree: true })
  })
const toastCameAt = (page: Page): Promise<number> =>
  page.evaluate(() => Reflect.get(window, 'toastCameAt'))

const aToast = async (page: Page): Promise<void> => {
  await page.goto('/google-login?code=abc')
  await expectOnly(page, 'Invalid Params', 'Not all the required params were provided')
}

/** Five seconds after it came it goes; the clock stands then. A busy page notes it a moment after its time has begun. */
const expectFiveSeconds = async (page: Page): Promise<void> => {
  await page.clock.pauseAt((await toastCameAt(page)) + 4500)
  await expect(toasts(page)).toHaveCount(1)
  await page.clock.fastForward(600)
  await expect(toasts(page)).toHaveCount(0)
}

test('a toast is shown for five seconds and removed 1000000 ms after it closed [9.6]', async ({
  visitor,
}) => {
  await noteToasts(visitor)
  await visitor.clock.install()
  await aToast(visitor)
  await expectFiveSeconds(visitor)
  await visitor.clock.fastForward(999_000)
  await expect(region(visitor)).toHaveCount(1)
  await visitor.clock.fastForward(1_100)
  await expect(region(visitor)).toHaveCount(0)
})

test('a toast is closed by hand, by mouse and by keyboard [9.6]', async ({ visitor }) => {
  await noteToasts(visitor)
  await visitor.clock.install()
  for (const close of [
    () => toasts(visitor).getByRole('button', { name: 'Close notification' }).click(),
    async () => {
      await visitor.keyboard.press('F8')
      await visitor.keyboard.press('Tab')
      await visitor.keyboard.press('Escape')
    },
  ]) {
    await aToast(visitor)
    await visitor.clock.pauseAt((await toastCameAt(visitor)) + 4500)
    await expectOnly(visitor, 'Invalid Params')
    await close()
    await expect(toasts(visitor)).toHaveCount(0)
    await visitor.clock.resume()
  }
})

test('a new toast takes the place of the one before, for five seconds of its own [2.81 9.6]', async ({
  visitor,
}) => {
  await noteToasts(visitor)
  await visitor.clock.install()
  await aToast(visitor)
  const first = await toastCameAt(visitor)
  await visitor.getByRole('link', { name: 'Back to login' }).click()
  await visitor.getByLabel('Password', { exact: true }).fill('Engine-No-9!')
  await visitor.getByLabel('Email').fill(`nobody@${ELSEWHERE}`)
  await visitor.getByLabel('Email').press('Enter')
  await expectOnly(visitor, 'Error', 'Invalid email or password')
  await expect(toasts(visitor)).not.toContainText('Invalid Params')
  expect(await toastCameAt(visitor)).toBeGreaterThan(first)
  await expectFiveSeconds(visitor)
})

test('Escape is for the dialog in which one types, not for the toast above it; its mark is drawn', async ({
  person: { page },
}) => {
  await opened(page, '/dashboard/settings?tab=users')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill('grace@elsewhere.example')
  await failing(page, 'POST', '/invitations', { statusCode: 500, message: 'It broke' })
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await expectOnly(page, '❌ Error', 'It broke')
  // Not every machine has a glyph for it.
  await expect(toasts(page).locator('svg + *, span > svg').first()).toBeVisible()
  await dialog.getByLabel('Email').focus()
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expectOnly(page, '❌ Error')
  // A busy page brings the focus back later than one presses again.
  await page.evaluate(
    () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
  )
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toHaveCount(0)
})

test('what succeeded, each with its title [8.18]', async ({ setting, visitor }) => {
  const email = `mary-${crypto.randomUUID().slice(0, 8)}@${ELSEWHERE}`
  const { passwordHash } = setting
  const user = await aUser(setting, { email, passwordHash, isVerified: false })
  await aWorkspace(setting, { members: [{ user, role: 'Admin' }] })
  const verify = async (state: 'fresh' | 'expired') => {
    const token = await aMailedToken(setting, user, 'email-verification', state)
    await visitor.goto(`/verify-email?token=${token}`)
  }
  await verify('expired')
  await expectOnly(visitor, 'Link Expired', 'Verification link has expired')
  await visitor.getByRole('button', { name: 'Resend Email' }).click()
  await expectOnly(visitor, 'Email Resent', `Verification email sent to ${email}`)

  const spare = await aMailedToken(setting, user, 'email-verification')
  await verify('fresh')
  await expectOnly(visitor, 'Email verified successfully')
  // A signed-in user would be redirected to the dashboard.
  await visitor.context().clearCookies()
  await visitor.goto(`/verify-email?token=${spare}`)
  await expectOnly(visitor, 'Already Verified', 'This email is already verified')
  await expect(visitor).toHaveURL('/login')

  await logIn(visitor, email)
  await expectOnly(visitor, 'Logged in successfully....')
  await expect(visitor).toHaveURL('/dashboard')

  const login = { data: { email, password: PASSWORD } }
  const answer = await visitor.request.post('/api/v1/auth/login', login)
  const json = await answer.json()
  await answering(visitor, 'GET', '/oauth/google/callback?*', { json })
  await visitor.goto('/google-login?code=a&scope=b&authuser=0&prompt=none&state=s')
  await expectOnly(visitor, 'Logged in successfully')
  await expect(visitor).toHaveURL('/dashboard')

  const token = await aMailedToken(setting, user, 'reset-password')
  await visitor.goto(`/create-new-password?token=${token}`)
  await expect(visitor.getByRole('button', { name: 'Save New Password' })).toBeVisible()
  for (const field of await visitor.locator('input[type=password]').all())
    await field.fill('Engine-No-2!')
  await visitor.getByRole('button', { name: 'Save New Password' }).click()
  await expectOnly(visitor, 'Password updated successfully.')
})
