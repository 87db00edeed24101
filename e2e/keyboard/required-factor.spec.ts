/** By keyboard alone: I require a second factor, see who has none, and stop requiring it; who has none is led to set one up. */
import { setUpApp } from '../second-step.ts'
import { aPerson, expect, expectToast, opened, test } from '../specification/setting.ts'
import { expectAt, press, tabTo } from './keys.ts'

test('I require a second factor, and stop requiring it', async ({ setting, person, browser }) => {
  const { page, context, workspace } = person
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const other = await browser.newContext({ baseURL: setting.product.url, reducedMotion: 'reduce' })
  const given = { workspace, role: 'Editor', firstName: 'Mary' } as const
  const mary = await aPerson(setting, other, await other.newPage(), given)
  await opened(page, '/dashboard/security')
  await setUpApp(page)

  await opened(page, '/dashboard/settings')
  await press(page, 'button', 'Require a second factor', { within: 60 })
  await expectAt(page, 'textbox', 'Days of grace')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('31')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please enter a number from 0 to 30')).toBeVisible()
  await expectAt(page, 'textbox', 'Days of grace')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('0')
  await page.keyboard.press('Enter')
  await expectToast(page, 'A second factor is required')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator('body')).not.toBeFocused()
  await press(page, 'button', 'Without one: 1', { within: 60 })
  const people = page.getByRole('dialog', { name: 'Without a second factor' })
  await expect(people.getByRole('listitem')).toContainText(mary.email)
  await page.keyboard.press('Escape')
  await expectAt(page, 'button', 'Without one: 1')

  // Locked out, she reaches what sets one up, and above it the way out.
  await mary.page.goto('/dashboard/domains')
  await expect(mary.page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await press(mary.page, 'button', 'Set up the app', { within: 10 })
  await expect(mary.page.getByRole('dialog')).toBeVisible()
  await mary.page.keyboard.press('Escape')
  await expectAt(mary.page, 'button', 'Set up the app')
  await tabTo(mary.page, 'button', 'Log out', { within: 10, back: true })

  await press(page, 'button', 'Stop requiring it', { within: 2 })
  const question = page.getByRole('alertdialog', { name: 'Stop requiring a second factor?' })
  await expect(question).toBeVisible()
  await press(page, 'button', 'Stop requiring it', { within: 3 })
  await expectToast(page, 'A second factor is no longer required')
  await expect(question).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Stop requiring it' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Second factor' })).toBeFocused()
  await press(page, 'button', 'Require a second factor', { within: 1 })
  await expectAt(page, 'textbox', 'Days of grace')
  await other.close()
})
