/** From a table to access links: what it says about private addresses outlives the dialog and the payment. */
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { expect, opened, test } from './specification/setting.ts'

test('private addresses of an import reach the access links by way of the page', async ({
  setting,
  person: { page, workspace },
}) => {
  const { name } = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await opened(page, '/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Import a list' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('People').fill('Anna Berg, anna.berg@gmx.example\nBen Stone, ben@privat')
  await dialog.getByRole('button', { name: 'Check' }).click()
  const unknown = dialog.getByRole('region', { name: 'The domain is not in this workspace' })
  await unknown.getByRole('button', { name: 'Use it as a private address' }).click()
  await expect(unknown).toHaveCount(0)
  const ready = dialog.getByRole('table', { name: 'Mailboxes to create' })
  await expect(ready).toContainText(`anna.berg@${name}`)
  await expect(ready.getByRole('columnheader', { name: 'Private email' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Create 1 mailbox, skip 1' }).click()
  await expect(dialog.getByRole('status')).toContainText('1 private address is kept')
  await dialog.getByRole('button', { name: 'Done' }).click()

  // The fields of the buyer never stand behind the buttons while they have the focus.
  await page.setViewportSize({ width: 1440, height: 600 })
  await page.getByRole('button', { name: /^Pay Now/ }).click()
  const question = page.getByRole('alertdialog')
  const pay = question.getByRole('button', { name: /^Pay / })
  await question.getByLabel('Company or name').focus()
  const last = question.getByLabel('VAT ID')
  for (let at = 0; at < 5; at += 1) await page.keyboard.press('Tab')
  await expect(last).toBeFocused()
  const [field, button] = [await last.boundingBox(), await pay.boundingBox()]
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(button?.y ?? 0)
  await pay.click()
  await page.getByRole('button', { name: 'Give access' }).click()
  await expect(dialog.getByText('1 of 1 with a private address')).toBeVisible()
  await expect(dialog.getByLabel(`Private address for anna.berg@${name}`)).toHaveValue(
    'anna.berg@gmx.example',
  )
  // What comes after the links is said there, and the home waits for the person.
  await dialog.getByRole('button', { name: 'Mail 1 link' }).click()
  const next = dialog.getByRole('region', { name: 'Next step' })
  await expect(next.getByRole('heading')).toHaveText(`Next, for ${name}: Move receiving here`)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await opened(page, '/dashboard')
  const steps = page.getByRole('list', { name: `Until mail of ${name} works` })
  const access = steps.getByRole('link').filter({ hasText: 'Give people access' })
  await expect(access).toContainText('0 of 1 mailbox is in use, and 1 link waits for its person.')
  await expect(access).not.toHaveAttribute('aria-current')
  await expect(steps.getByRole('link').and(page.locator('[aria-current=step]'))).toContainText(
    'Move receiving here',
  )
})

test('the link of one mailbox goes to the private address that its import has named', async ({
  setting,
  person: { page, workspace },
}) => {
  const { name } = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await opened(page, '/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Import a list' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel('People')
    .fill(
      `First name,Last name,Domain,Private email\nAnna,Berg,https://www.${name}/,anna@home.example`,
    )
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByRole('button', { name: 'Create 1 mailbox' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: `Actions for anna.berg@${name}` }).click()
  await page.getByRole('menuitem', { name: 'Access' }).click()
  await page.getByRole('button', { name: 'Set up access' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Private address' })).toHaveValue(
    'anna@home.example',
  )
  await dialog.getByRole('button', { name: 'Make link' }).click()
  await expect(dialog.getByRole('status')).toContainText('is on its way to anna@home.example')
})

test('a file that is imported again makes nobody twice without a word', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const { name } = domain
  const anna = { domain, localPart: 'anna.berg', firstName: 'Anna', lastName: 'Berg' }
  await aMailbox(setting, { ...anna, status: 'active' })
  await opened(page, '/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  const lines = [`Anna,Berg,${name},us@home.example`, `Ida,Berg,${name},us@home.example`]
  await dialog.getByLabel('CSV file').setInputFiles({
    ...{ name: 'clients.csv', mimeType: 'text/csv' },
    buffer: Buffer.from(
      ['First name,Last name,Domain,Private email', ...lines, `Ben,Roth,ben@home.example,`].join(
        '\n',
      ),
    ),
  })
  await dialog.getByRole('button', { name: 'Check' }).click()
  const twice = dialog.getByRole('region', { name: 'A person of this name has a mailbox' })
  await expect(twice).toContainText(`the mailbox anna.berg@${name} in this domain already`)
  await twice.getByRole('button', { name: 'Make another address for 1 row' }).click()
  const ready = dialog.getByRole('table', { name: 'Mailboxes to create' })
  await expect(ready).toContainText(`anna.berg2@${name}`)
  await expect(dialog.getByRole('note')).toContainText('2 people have the private address us@home')
  const unknown = dialog.getByRole('region', { name: 'The domain is not in this workspace' })
  await unknown.getByRole('button', { name: 'Use it as a private address' }).click()
  await expect(ready.getByRole('row').filter({ hasText: 'ben.roth' })).toContainText('ben@home')
  await dialog.getByRole('button', { name: 'Create 3 mailboxes' }).click()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download result' }).click()
  expect((await download).suggestedFilename()).toMatch(/^import-result-clients-20/)
})
