/** By keyboard alone: I make mailboxes in bulk, there and back through the three steps. */
import { aDomain } from '#test-world/builders.ts'
import { expect, expectToast, opened, test } from '../specification/setting.ts'
import { expectAt, press, tabTo, typeInto } from './keys.ts'

test('I generate mailboxes in two domains, with a look back and a signature', async ({
  setting,
  person: { page, workspace, call },
}) => {
  const workspaceId = workspace.id
  const suffix = `${crypto.randomUUID().slice(0, 8)}.example`
  for (const name of ['alpha', 'beta', 'gamma'])
    await aDomain(setting, { workspaceId, active: true, name: `${name}-${suffix}` })
  await opened(page, '/dashboard/mailboxes')
  await press(page, 'button', 'Auto generate')
  const dialog = page.getByRole('dialog', { name: 'Auto generate mailboxes' })
  const at = (step: string) => expect(dialog.locator('[aria-current=step]')).toHaveText(step)
  const domains = dialog.getByRole('button', { name: 'Domains' }).last()

  // What is wrong gets the focus.
  await expect(dialog).toBeVisible()
  await press(page, 'button', 'Next', { within: 8 })
  await expect(domains).toBeFocused()
  await expect(domains).toHaveAccessibleDescription('At least one domain must be selected')
  await page.keyboard.press('Shift+Tab')
  await expectAt(page, 'button', 'Select all 3')
  await page.keyboard.press('Enter')
  await expect(domains).toHaveText('Selected: 3')
  await page.keyboard.press('Enter')
  await expect(domains).toHaveText('Select domains...')
  await page.keyboard.press('Tab')
  await expect(domains).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expectAt(page, 'combobox', 'Search domains')
  for (const part of ['alp', 'gam']) {
    await page.keyboard.press('Control+a')
    await page.keyboard.type(part)
    await expect(page.getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await expect(domains).toBeFocused()
  await expect(domains).toHaveText('Selected: 2')
  await tabTo(page, 'button', `Remove alpha-${suffix}`, { within: 1 })
  await tabTo(page, 'button', `Remove gamma-${suffix}`, { within: 1 })
  await tabTo(page, 'combobox', 'Mailboxes per domain', { within: 1 })
  await page.keyboard.press('ArrowDown')
  await expectAt(page, 'option', '1')
  await page.keyboard.type('2')
  await expectAt(page, 'option', '2')
  await page.keyboard.press('Enter')
  await expectAt(page, 'combobox', 'Mailboxes per domain')
  await tabTo(page, 'button', 'From a list', { within: 1 })
  await press(page, 'button', 'Next', { within: 2 })

  // The next Tab leads into the new step, also on the way back.
  await at('2Names')
  await tabTo(page, 'combobox', 'Name type', { within: 1 })
  await tabTo(page, 'button', 'From a list', { within: 1 })
  await press(page, 'button', 'Back', { within: 1 })
  await at('1Domains')
  await page.keyboard.press('Tab')
  await expectAt(page, 'button', 'Select all 3')
  await page.keyboard.press('Tab')
  await expect(domains).toBeFocused()
  await press(page, 'button', 'Next', { within: 6 })
  await press(page, 'combobox', 'Name type', { within: 1 })
  await expectAt(page, 'option', 'Predefined (name)')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expectAt(page, 'combobox', 'Name type')
  await tabTo(page, 'button', 'From a list', { within: 5 })
  await press(page, 'button', 'Next', { within: 2 })
  await expectAt(page, 'textbox', 'First name 1')
  await page.keyboard.type('Augusta')
  await typeInto(page, 'Last name 1', 'Lovelace', { within: 1 })
  await typeInto(page, 'First name 2', 'Charles', { within: 1 })
  await typeInto(page, 'Last name 2', 'Babbage', { within: 1 })
  await tabTo(page, 'button', 'From a list', { within: 1 })
  await press(page, 'button', 'Next', { within: 2 })

  // Arrows walk the toolbar; its buttons lead back into the text.
  await at('3Signature')
  const text = dialog.getByRole('textbox', { name: 'Signature' })
  await expect(text).toBeVisible()
  await tabTo(page, 'button', 'Bold', { within: 1 })
  await page.keyboard.press('ArrowRight')
  await expectAt(page, 'button', 'Italic')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expectAt(page, 'button', 'Insert image')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(text).toBeFocused()
  await page.keyboard.type('Yours')
  await expect(text.locator('strong')).toHaveText('Yours')
  await press(page, 'button', 'Generate', { within: 2 })
  await expectToast(page, '4 mailboxes created')
  await expect(dialog).toHaveCount(0)
  await expectAt(page, 'button', 'Auto generate')
  const { body } = await call('GET', '/mailboxes')
  expect(body.items.map(({ email }: { email: string }) => email).toSorted()).toEqual(
    ['alpha', 'gamma']
      .flatMap((name) => [
        `augusta.lovelace@${name}-${suffix}`,
        `charles.babbage@${name}-${suffix}`,
      ])
      .toSorted(),
  )
})
