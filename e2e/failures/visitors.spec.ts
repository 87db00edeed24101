/** Visitors and a server that is slow, refuses, breaks or cannot be reached: the words they get, and what they typed stays. */
import type { Page } from '@playwright/test'
import { chosenFrom } from '../sample.ts'
import { cutting, expect, expectToast, failing, holding, test } from '../specification/setting.ts'
import { closeToast, expectNoToast, expectTyped } from './steps.ts'
import { visits } from './visits.ts'

const TROUBLES = [
  [500, 'INTERNAL', 'It broke'],
  [403, 'FORBIDDEN', 'Not for you'],
  [429, 'TOO_MANY_REQUESTS', 'Too many requests'],
  [null, 'INTERNAL', 'Something went wrong'],
] as const

/** From now on this call fails so; answers what ends it. */
const begin = async (
  page: Page,
  [method, path]: readonly [string, string],
  [statusCode, type, message]: (typeof TROUBLES)[number],
): Promise<() => Promise<void>> => {
  if (statusCode !== null) return failing(page, method, path, { statusCode, type, message })
  await page.context().setOffline(true)
  return () => page.context().setOffline(false)
}

for (const [name, visit] of chosenFrom(visits, 'login', 'email-verification'))
  test(`${name}: slow, 500, 403, 429 and no network lose nothing`, async ({ visitor: page }) => {
    const { path, open, typed, button, pending, call, title } = visit
    await page.clock.install()
    await page.goto(path)
    await open?.(page)
    await expect(page.getByRole('button', { name: button, exact: true })).toBeEnabled()
    for (const [label, value] of Object.entries(typed))
      await page.getByLabel(label, { exact: true }).fill(value)
    const send = page.getByRole('button', { name: button, exact: true })
    for (const trouble of TROUBLES) {
      const end = await begin(page, call, trouble)
      const release = trouble[0] === 500 ? await holding(page, call[1]) : () => undefined
      await send.click()
      if (trouble[0] === 500) {
        const waiting = page.getByRole('button', { name: pending ?? button, exact: true })
        await expect(waiting).toHaveAttribute('aria-disabled', 'true')
        await expectTyped(page, typed)
        await expectNoToast(page)
        release()
      }
      await expectToast(page, title, trouble[2])
      await expect(send).not.toHaveAttribute('aria-disabled', 'true')
      await expectTyped(page, typed)
      await expect(page).toHaveURL(new RegExp(`${path.split('?')[0]}$|\\?email=|verify-email$`))
      await closeToast(page)
      await end()
    }
  })

/** Pages that ask at once, and what becomes of them when that fails. */
const arrivals = {
  'verify-email': {
    path: '/verify-email?token=x',
    call: ['POST', '/auth/verify-email'],
    waits: 'Verifying your email...',
    expectTold: async (page: Page) => {
      await expect(page).toHaveURL('/404-page')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        "Whoops! We can't find that page.",
      )
    },
  },
  'google-login': {
    path: '/google-login?code=c&state=t&scope=s&authuser=0&prompt=none',
    call: ['GET', '/oauth/google/callback?*'],
    waits: 'Signing you in...',
    expectTold: async (page: Page, message: string) => {
      await expectToast(page, 'Authentication Error', message)
      await expect(page.getByRole('main').getByText(message)).toBeVisible()
      await expect(page.getByRole('link', { name: 'Back to login' })).toBeVisible()
      // The code is not left in the address, also when it led nowhere.
      await expect(page).toHaveURL('/google-login')
    },
  },
} as const

for (const [name, { path, call, waits, expectTold }] of chosenFrom(arrivals, 'verify-email'))
  test(`${name}: slow, 500, 403, 429 and no network are told`, async ({ visitor: page }) => {
    for (const trouble of TROUBLES) {
      const end = await (trouble[0] === null ? cutting(page, call[1]) : begin(page, call, trouble))
      const release = trouble[0] === 500 ? await holding(page, call[1]) : () => undefined
      await page.goto(path)
      if (trouble[0] === 500) await expect(page.getByRole('status')).toHaveText(waits)
      release()
      await expectTold(page, trouble[2])
      await end()
    }
  })
