/** What stories of the second factor do by the way. */
import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { PASSWORD } from '#test-world/trials/account.ts'
import { expect, type Person } from './specification/setting.ts'

export const enterPassword = async (page: Page, email: string, password = PASSWORD) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Reads the codes, which are shown this once, and closes them. */
export const keepCodes = async (page: Page): Promise<string[]> => {
  const dialog = page.getByRole('dialog', { name: 'Keep your recovery codes' })
  const items = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(items).toHaveCount(10)
  const codes = await items.allTextContents()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const leaving = page.getByRole('alertdialog', { name: 'Close without the codes?' })
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Copy the codes' }).click()
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  return codes
}

/** By the API, where a story is not about setting it up. `call` is of somebody who has just signed in. */
export const haveApp = async (call: Person['call']): Promise<void> => {
  const { body } = await call('POST', '/second-factor/totp/begin')
  const code = new TOTP({ secret: body.secret }).generate()
  expect(await call('POST', '/second-factor/totp', { code })).toMatchObject({ status: 200 })
}

export const setUpApp = async (page: Page): Promise<{ secret: string; codes: string[] }> => {
  await page.getByRole('button', { name: 'Set up the app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expect(dialog).toContainText('All other browsers and devices are signed out then')
  const secret = ((await dialog.locator('code').textContent()) ?? '').replace(/\s/g, '')
  await dialog.getByRole('textbox', { name: 'Code' }).fill('000 000')
  await dialog.getByRole('button', { name: 'Turn it on' }).click()
  await expect(dialog.getByText('This code is not right')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate())
  await dialog.getByRole('button', { name: 'Turn it on' }).click()
  return { secret, codes: await keepCodes(page) }
}

/** Of the next step: none is taken twice. */
export const nextCode = (secret: string): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 })
