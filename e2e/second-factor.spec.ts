/** Somebody sets up a second factor, signs in with it, loses it, and gets back in. */
import type { CDPSession, Page } from '@playwright/test'
import { tick } from './browsers.ts'
import { enterPassword, keepCodes, nextCode, setUpApp } from './second-step.ts'
import {
  answering,
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

const SECURITY = '/dashboard/security'

/** A device that makes passkeys and asks for a finger, without a person. */
const aDevice = async (page: Page) => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return { cdp, authenticatorId }
}

const lie = (
  { cdp, authenticatorId }: { cdp: CDPSession; authenticatorId: string },
  bits: { isBogusSignature?: boolean; isBadUV?: boolean },
) => cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, ...bits })

const logOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
}

const longAgo = async ({ db }: Setting, { user }: Person) => {
  const confirmedAt = new Date(Date.now() - 3_600_000)
  await db.updateTable('sessions').set({ confirmedAt }).where('userId', '=', user.id).execute()
}

test('I sign in with a passkey, lose it, and get back in with a recovery code', async ({
  person,
}) => {
  const { page, context, email } = person
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const device = await aDevice(page)
  await opened(page, '/dashboard/profile')
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(page).toHaveURL(new RegExp(`${SECURITY}$`))
  await expect(page.getByText('No passkey yet')).toBeVisible()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await expect(dialog).toContainText('All other browsers and devices are signed out then')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('Please enter a name')).toBeVisible()
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expectToast(page, 'Passkey added', 'Laptop')
  const [code = ''] = await keepCodes(page)
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await expect(passkeys.getByRole('listitem')).toHaveText([/Laptop.*never used/])

  // Otherwise the device answers what the browser offers at the field, before anybody presses a button.
  await page.evaluate(() => localStorage.removeItem('mailstead-passkey'))
  await logOut(page)
  await lie(device, { isBogusSignature: true })
  const byPasskey = page.getByRole('button', { name: 'Sign in with a passkey' })
  await byPasskey.click()
  await expectToast(page, 'This passkey was not accepted')
  await lie(device, { isBogusSignature: false, isBadUV: true })
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/auth/passkey'))
  await byPasskey.click()
  expect((await answered).status()).toBe(403)
  await expect(page).toHaveURL(/\/login$/)
  await lie(device, { isBadUV: false })
  await byPasskey.click()
  await expect(page).toHaveURL(/\/dashboard$/)

  // Now the browser offers it by itself, and the device accepts.
  await context.clearCookies()
  await page.goto('/login')
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.evaluate(() => localStorage.removeItem('mailstead-passkey'))
  await logOut(page)
  const { cdp, authenticatorId } = device
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  await enterPassword(page, email)
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill('0000-0000-0000-0000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This code is not right')).toBeVisible()
  await page.getByLabel('Recovery code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await opened(page, SECURITY)
  await expect(page.getByText('9 of 10 left')).toBeVisible()
  await page.getByRole('button', { name: 'Delete Laptop' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete Laptop?' })
  await expect(question).toContainText('your only second factor')
  await question.getByRole('button', { name: 'Delete passkey' }).click()
  await expect(page.getByText('No passkey yet')).toBeVisible()
})

test('I sign in with an app, and trust this browser until I end it', async ({ person }) => {
  const { page, context, email } = person
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await opened(page, SECURITY)
  const { secret } = await setUpApp(page)

  // Another one signs nobody out, also when it brings new codes because none was left.
  const codes = { json: { recoveryCodes: ['k3m0-x7pq-9v0t-c5wz'] } }
  const end = await answering(page, 'POST', '/second-factor/totp', codes)
  await page.getByRole('button', { name: 'Set up another app' }).click()
  const another = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await another.getByRole('textbox', { name: 'Code' }).fill('000000')
  await expect(another).not.toContainText('signed out')
  await another.getByRole('button', { name: 'Turn it on' }).click()
  const kept = page.getByRole('dialog', { name: 'Keep your recovery codes' })
  await kept.getByRole('button', { name: 'Copy the codes' }).click()
  await expect(kept).not.toContainText('signed out')
  await kept.getByRole('button', { name: 'Done' }).click()
  await end()
  await logOut(page)
  await enterPassword(page, email)
  const field = page.getByRole('textbox', { name: 'Code' })
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
  await tick(page.getByRole('checkbox'))
  await field.fill(nextCode(secret))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
  await logOut(page)
  await enterPassword(page, email)
  await expect(page).toHaveURL(/\/dashboard$/)
  await opened(page, SECURITY)
  const trusted = page.getByRole('region', { name: 'Trusted browsers' })
  await trusted.getByRole('button', { name: /^End the trust/ }).click()
  // The password alone signed in here, so the person is asked.
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await asked.getByRole('button', { name: 'Close' }).click()
  await expectToast(page, 'Please confirm that it is you')
  await expect(trusted.getByRole('listitem')).toHaveCount(1)
})

test('before something that matters I confirm that it is me, once', async ({ setting, person }) => {
  const { page, context } = person
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await opened(page, SECURITY)
  const { codes } = await setUpApp(page)
  await longAgo(setting, person)
  await opened(page, '/dashboard/settings?tab=users')
  const invite = async (email: string) => {
    await page.getByRole('button', { name: /^Invite/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: /^(Send|Invite)/ }).click()
  }
  await invite('grace@example.org')
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await asked.getByRole('button', { name: 'Use a recovery code' }).click()
  await asked.getByLabel('Recovery code').fill(codes[0] ?? '')
  await asked.getByRole('button', { name: 'Confirm' }).click()
  await expect(asked).toBeHidden()
  await expect(page.getByText('grace@example.org').first()).toBeVisible()
  await invite('alan@example.org')
  await expect(page.getByText('alan@example.org').first()).toBeVisible()
})
