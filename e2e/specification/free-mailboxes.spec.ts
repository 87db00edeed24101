/** With BILLING=off nothing is paid: no prices anywhere, and mailboxes work at once. Domains have two places here. */
import { aDomain } from '#test-world/builders.ts'
import { expect, expectToast, test } from './setting.ts'

test('mailboxes are active at once, and no page names a price [2.65 3.11]', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await page.goto(`/dashboard/new-mail-box?domain=${domain.name}`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Domain')).toHaveText(domain.name)
  await dialog.getByLabel('First name').fill('Grace')
  await dialog.getByLabel('Last name').fill('Hopper')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expectToast(page, 'Mailbox created', `grace.hopper@${domain.name}`)
  await expect(page.getByText('paid for')).toHaveCount(0)
  const row = page.getByRole('row').filter({ hasText: `grace.hopper@${domain.name}` })
  await expect(row).toContainText('Active')
  await expect(row.getByRole('checkbox')).not.toBeChecked()
  await expect(page.getByRole('button', { name: 'Pay Now' })).toHaveCount(0)
  const pages = {
    '/dashboard/mailboxes': row,
    '/dashboard': page.getByText('% of 75GB used'),
    '/dashboard/profile?tab=billing': page
      .getByRole('tabpanel', { name: 'Billing' })
      .getByText(/.+/),
  }
  for (const [path, ready] of Object.entries(pages)) {
    await page.goto(path)
    await expect(ready.first()).toBeVisible()
    await expect(page.locator('body')).not.toContainText(/[$€]|pay now/i)
  }
})

test('a domain without enough places is named, and the form is kept [4.38 9.11]', async ({
  setting,
  person: { page, workspace, call },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const grace = { firstName: 'Grace', lastName: 'Hopper', domain: domain.name }
  await call('POST', '/mailboxes', { ...grace, email: `grace@${domain.name}` })
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Auto generate' }).click()
  const dialog = page.getByRole('dialog')
  const choose = async (label: string, option: string) => {
    await dialog.getByLabel(label).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await choose('Domains', domain.name)
  await page.keyboard.press('Escape')
  await choose('Mailboxes per domain', '2')
  await dialog.getByRole('button', { name: 'Next' }).click()
  await choose('Name type', 'Random (male)')
  await expect(dialog.getByLabel('First name 2')).toBeVisible()
  const name = await dialog.getByLabel('First name 1').inputValue()
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click()
  await expect(
    dialog.getByText(
      `${domain.name} has room for 1 more, and 2 are asked for. It may have 2: the operator of this installation sets this limit and can raise it`,
    ),
  ).toBeVisible()
  await expect(dialog.getByLabel('Domains', { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  )

  await choose('Mailboxes per domain', '1')
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByLabel('First name 1')).toHaveValue(name)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click()
  await expectToast(page, '1 mailbox created')
  await expect(page.getByText('paid for')).toHaveCount(0)
  await expect(page.getByRole('row').nth(1)).toContainText('Active')

  await page.getByRole('button', { name: 'Create mailboxes' }).click()
  await expect(dialog.getByLabel('Domain')).toHaveText('Select a domain')
  await dialog.getByLabel('First name').fill('Ada')
  await dialog.getByLabel('Last name').fill('Lovelace')
  await choose('Domain', domain.name)
  await expect(dialog.getByLabel('Email')).toHaveValue(`ada.lovelace@${domain.name}`)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByText('This domain has no free mailbox left')).toBeVisible()
  await expect(dialog.getByLabel('First name')).toHaveValue('Ada')
})
