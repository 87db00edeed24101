/** An agency: sixty domains with one paste, and what is done to many of them at once. */
import type { Page } from '@playwright/test'
import { aDomainWithRecords } from './specification/domain-rows.ts'
import { expect, opened, test } from './specification/setting.ts'

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })

test('names are pasted, marked and mended, and the good ones are added with one click', async ({
  person,
}) => {
  const { page, call } = person
  const end = `${person.workspace.id.slice(-8)}.example`
  await call('POST', '/domains', { name: `there.${end}` })
  await opened(page, '/dashboard/add-domain')
  await page.getByRole('link', { name: 'Add many at once' }).click()
  await expect(page.getByRole('heading', { name: 'Add domains', level: 1 })).toBeVisible()
  const good = Array.from({ length: 22 }, (_, n) => `client${n}.${end}`)
  await page
    .getByLabel('Domains', { exact: true })
    .fill([...good, `https://www.shop.${end}/kontakt`, `there.${end}`, good[0], 'Max'].join('\n'))
  await expect(page.getByText('22 can be added, 4 cannot as they are')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Names' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('A web address')
  await expect(rows.nth(2)).toContainText('Already in your workspace')
  await expect(rows.nth(3)).toContainText('Already in this list')
  await expect(rows.nth(4)).toContainText('Not a domain')
  await button(page, `Use shop.${end}`).click()
  await page.getByLabel('Add nothing unless every row can be added').check()
  await expect(button(page, 'Add 23 domains')).toBeDisabled()
  await button(page, 'Remove the 3 rows that cannot').click()
  await page.getByLabel('Add nothing unless every row can be added').uncheck()
  await button(page, 'Add 23 domains').click()
  await expect(page.getByRole('heading', { name: '23 of 23 added' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to Domains' }).click()
  await expect(page.getByRole('heading', { name: 'Total Domains: 24' })).toBeVisible()
})

test('sixty domains: what fails and why is seen, filtered, verified and deleted in one go', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const end = `${workspace.id.slice(-8)}.example`
  const good = {
    ownership: 'verified',
    spf: 'verified',
    dkim: 'verified',
    dmarc: 'verified',
  } as const
  for (let n = 0; n < 60; n++)
    await aDomainWithRecords(setting, {
      ...{ name: `client-${n}.${end}`, workspaceId: workspace.id, verified: true, active: n >= 13 },
      states: n < 5 ? { ...good, spf: 'different' } : n < 13 ? { ...good, dmarc: 'waiting' } : good,
    })
  await opened(page, '/dashboard/domains')
  const table = page.getByRole('table', { name: 'Domains' })
  const shown = page.getByRole('main').getByRole('status').filter({ hasText: 'shown' })
  await button(page, 'Need work 13').click()
  await expect(shown).toHaveText('13 shown')
  await expect(page).toHaveURL(/state=work/)
  await expect(
    table.getByRole('row').filter({ hasText: 'SPF: Another value stands there.' }),
  ).toHaveCount(5)
  await page.getByLabel('Record that fails').click()
  await page.getByRole('option', { name: 'SPF fails' }).click()
  await expect(shown).toHaveText('5 shown')
  await page.reload()
  await expect(shown).toHaveText('5 shown')
  await table.getByLabel('Select all').check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar).toContainText('Selected: 5')

  await bar.getByRole('button', { name: 'Verify all' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('status')).toHaveText('0 done, 5 not')
  await expect(dialog).toHaveAccessibleName('0 of 5 domains verified')
  await expect(dialog.getByRole('listitem').first()).toContainText(/SPF: /)
  await expect(dialog.getByRole('button', { name: 'Try the 5 again' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done', exact: true }).click()

  await bar.getByRole('button', { name: 'Delete' }).click()
  const sure = dialog.getByRole('button', { name: 'Delete 5 domains' })
  await expect(sure).toBeDisabled()
  await dialog.getByLabel('Type 5 to confirm').fill('5')
  await sure.click()
  await expect(dialog.getByRole('status')).toHaveText('5 done')
  await dialog.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(page.getByText('Nothing found')).toBeVisible()
  await button(page, 'Clear filters').first().click()
  await expect(page.getByText('Total Domains: 55', { exact: true })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
})
