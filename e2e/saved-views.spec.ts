/** Views of lists that a member keeps: saved by a name, with a count, opened, renamed and deleted. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { aDomainWithRecords } from './specification/domain-rows.ts'
import { expect, expectToast, opened, test } from './specification/setting.ts'

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const views = (page: Page) => page.getByRole('region', { name: 'Saved views' })
const nameView = async (page: Page, name: string) => {
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a view of each list is kept with its count, and opens what it was', async ({
  setting,
  person: { page, workspace },
}) => {
  const workspaceId = workspace.id
  const end = `${workspaceId.slice(-8)}.example`
  for (const n of [1, 2, 3, 4, 5, 6, 7])
    await aDomainWithRecords(setting, {
      ...{ name: `client-${n}.${end}`, workspaceId, verified: true, active: n > 2 },
      states: n > 2 ? 'verified' : { ownership: 'verified', spf: 'different' },
    })
  await opened(page, '/dashboard/domains')
  await expect(button(page, 'All 7')).toBeVisible()
  await expect(views(page)).toHaveCount(0)
  await button(page, 'Failed 2').click()
  await button(page, 'Save view').click()
  await nameView(page, 'Broken clients')
  const broken = views(page).getByRole('button', { name: 'Broken clients 2', exact: true })
  await expect(broken).toHaveAttribute('aria-pressed', 'true')
  await button(page, 'Clear filters').click()
  await expect(broken).toHaveAttribute('aria-pressed', 'false')
  await page.reload()
  await broken.click()
  await expect(page).toHaveURL(/\?state=failed$/)
  await button(page, 'Actions for the view Broken clients').click()
  await page.getByRole('menuitem', { name: 'Rename view' }).click()
  await nameView(page, 'To mend')
  await expect(views(page)).toContainText('To mend')

  const domain = await aDomain(setting, { workspaceId, active: true })
  for (const n of [1, 2, 3, 4, 5, 6])
    await aMailbox(setting, {
      ...{ domain, localPart: `person${n}`, usedBytes: n * 1_000_000 },
      status: n > 4 ? 'suspended' : 'active',
    })
  await opened(page, '/dashboard/mailboxes')
  await expect(page.getByRole('main')).toContainText('6 mailboxes')
  await page.getByLabel('State', { exact: true }).click()
  await page.getByRole('option', { name: 'Suspended' }).click()
  await page.getByLabel('Order', { exact: true }).click()
  await page.getByRole('option', { name: 'Largest first' }).click()
  await expect(page).toHaveURL(/status=suspended&sort=-size/)
  const rows = page.getByRole('table', { name: 'Mailboxes' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('person6@')
  await expect(rows.nth(1)).toContainText('6MB of mail')
  await expect(page.getByRole('main')).toContainText('2 mailboxes')
  await button(page, 'Save view').click()
  await nameView(page, 'Leavers')
  await expect(button(page, 'Leavers 2')).toBeVisible()
  await button(page, 'Actions for the view Leavers').click()
  await page.getByRole('menuitem', { name: 'Delete view' }).click()
  await expectToast(page, 'View deleted')
  await expect(button(page, 'Leavers 2')).toHaveCount(0)
  await expect(button(page, 'Save view')).toBeVisible()
})
