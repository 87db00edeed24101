/** Workspaces: one from sign-up, more when a user creates them, and domains that move between them. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { anAccount } from '#test-world/trials/account.ts'
import { logIn } from '../browsers.ts'
import { expect, expectToast, failing, type Person, test } from './setting.ts'

const switcher = (page: Page) => page.getByRole('button', { name: /^Workspace:/ })
const switchTo = async (page: Page, name: string) => {
  await switcher(page).click()
  await page.getByRole('menuitemcheckbox', { name }).click()
  await expect(switcher(page)).toContainText(name)
}
const domainsLink = (page: Page) => page.getByRole('link', { name: 'Domains', exact: true })

/** An active domain with two mailboxes that are on one bill of $4. */
const aBilledDomain = async ({ workspace, call }: Person, world: Parameters<typeof aDomain>[0]) => {
  const domain = await aDomain(world, { workspaceId: workspace.id, active: true })
  const mailboxes = [
    await aMailbox(world, { domain, status: 'inactive' }),
    await aMailbox(world, { domain, status: 'inactive' }),
  ]
  await call('POST', '/payments', { mailboxIds: mailboxes.map(({ id }) => id) })
  return domain
}

test('everybody has a workspace from sign-up, and creates another; a name that is not taken stays [2.31]', async ({
  visitor: page,
  setting: { product },
}) => {
  const { email } = await anAccount(
    product,
    `grace-${crypto.randomUUID().slice(0, 8)}@${ELSEWHERE}`,
  )
  await page.goto('/login')
  await logIn(page, email)
  await expect(switcher(page)).toHaveText(/Ada’s workspace\s*Admin/)

  await switcher(page).click()
  await page.getByRole('menuitem', { name: 'Create workspace' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create workspace' })
  const create = dialog.getByRole('button', { name: 'Create', exact: true })
  const name = dialog.getByLabel('Name')
  await name.fill('x'.repeat(61))
  await create.click()
  await expect(name).toHaveAccessibleDescription('At most 60 characters')
  await name.fill('חברה שנייה')
  const end = await failing(page, 'POST', '/workspaces', { statusCode: 500 })
  await create.click()
  await expectToast(page, 'Error', 'Something went wrong')
  await expect(name).toHaveValue('חברה שנייה')
  await end()
  await create.click()
  await expectToast(page, 'Workspace created', 'חברה שנייה')
  await expect(switcher(page)).toHaveText(/חברה שנייה\s*Admin/)
  await domainsLink(page).click()
  await expect(page.getByText('No domain available')).toBeVisible()
})

test("'Add to workspace' says what moves, and moves a domain with its mailboxes and their bills [2.50]", async ({
  person,
  setting,
}) => {
  const { page, call, workspace } = person
  const domain = await aBilledDomain(person, setting)
  await call('POST', '/workspaces', { name: 'Second' })
  await call('POST', `/workspaces/${workspace.id}/switch`)
  await page.goto('/dashboard/domains')
  await page.getByRole('button', { name: `Actions for ${domain.name}` }).click()
  await page.getByRole('menuitem', { name: 'Add to workspace' }).click()
  const move = page.getByRole('dialog', { name: 'Add to workspace' })
  await expect(move).toContainText(domain.name)
  await expect(move).toContainText('2 mailboxes')
  await expect(move).toContainText('$4 of 1 invoice')
  await move.getByLabel('Workspace', { exact: true }).click()
  await expect(page.getByRole('option')).toHaveText(['Second'])
  await page.getByRole('option', { name: 'Second' }).click()
  await move.getByRole('button', { name: 'Move domain' }).click()
  await expectToast(page, 'Domain moved', `${domain.name} is now in Second.`)
  await expect(page.getByText('No domain available')).toBeVisible()
  await page.goto('/dashboard/profile?tab=billing')
  const bills = page.getByRole('row').filter({ hasText: 'Mailbox x 2' })
  await expect(bills.filter({ hasText: '-$4' })).toContainText('Credit note')
  await expect(bills.filter({ hasText: 'Credited' })).toHaveCount(2)

  await switchTo(page, 'Second')
  await domainsLink(page).click()
  await expect(page.getByRole('row').filter({ hasText: domain.name })).toContainText('Active')
  await page.goto('/dashboard/profile?tab=billing')
  await expect(bills).toContainText('$4')
  await expect(bills).toContainText('Due')
  await page.goto('/dashboard/mailboxes')
  await expect(page.getByRole('row').filter({ hasText: domain.name })).toHaveCount(2)
})

test('a tab stays in its workspace when another switches; a new session starts in the last one [2.31]', async ({
  person: { page, call, workspace, email },
  setting: { product },
  browser,
}) => {
  await call('POST', '/workspaces', { name: 'Second' })
  await page.goto('/dashboard/settings')
  await expect(switcher(page)).toContainText('Second')
  await call('POST', `/workspaces/${workspace.id}/switch`)
  await page.reload()
  await expect(switcher(page)).toContainText('Second')
  const context = await browser.newContext()
  const later = await context.newPage()
  await later.goto(`${product.url}/login`)
  await logIn(later, email)
  await expect(switcher(later)).toContainText(workspace.name)
  await context.close()
})
