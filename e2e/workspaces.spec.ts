/** An agency: all of its workspaces on one page, found, sorted and opened with one click. */
import { aDomain, aMailbox, aWorkspace } from '#test-world/builders.ts'
import { expect, opened, test } from './specification/setting.ts'

test('all workspaces are listed with their sums, searched, and opened from there', async ({
  setting,
  person: { page, user, workspace },
}) => {
  for (const [name, count] of [
    ['Bakery Weber', 3],
    ['Hotel Adler', 1],
  ] as const) {
    const client = await aWorkspace(setting, { name, members: [{ user, role: 'Admin' }] })
    for (let n = 0; n < count; n++)
      await aMailbox(setting, {
        domain: await aDomain(setting, { workspaceId: client.id, active: n > 0 }),
      })
  }
  await opened(page, '/dashboard')
  await page.getByRole('button', { name: `Workspace: ${workspace.name}` }).click()
  await page.getByRole('menuitem', { name: 'All workspaces' }).click()
  await expect(page.getByRole('heading', { name: '3 workspaces' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main).toContainText('4 domains (4 need work), 4 mailboxes, $0 this month')
  const rows = page.getByRole('table', { name: 'Workspaces' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('open now')
  await page.getByRole('button', { name: 'Domains', exact: true }).last().click()
  await page.getByRole('button', { name: 'Domains', exact: true }).last().click()
  await expect(rows.nth(1)).toContainText(/Bakery Weber.*3 need work/)
  await expect(page).toHaveURL(/sort=-domains/)
  await page.getByLabel('Search workspaces').fill('adler')
  await expect(page.getByRole('heading', { name: '1 workspace', exact: true })).toBeVisible()
  await expect(main).toContainText('1 domain (1 needs work), 1 mailbox')
  await page.getByRole('button', { name: 'Hotel Adler' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('button', { name: 'Workspace: Hotel Adler' })).toBeVisible()

  // The palette finds other workspaces by their names, and settings by what one does there.
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('invite')
  await expect(palette.getByRole('option', { name: /^Users and invitations/ })).toBeVisible()
  await palette.getByRole('combobox').fill('bakery')
  await expect(palette.getByRole('option', { name: /^Bakery Weber/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Workspace: Bakery Weber' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
})
