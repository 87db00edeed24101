/** An agency: sixty domains with one paste, and what is done to many of them at once. */
import type { Page } from '@playwright/test'
import {
  aDomainWithRecords,
  mailComesHere,
  mailStaysElsewhere,
} from './specification/domain-rows.ts'
import { expect, holding, opened, test } from './specification/setting.ts'

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
  const pasted = [
    'Domain',
    ...good,
    `https://www.shop.${end}/kontakt`,
    `there.${end}`,
    good[0],
    'Max',
  ]
  await page.getByLabel('Domains', { exact: true }).fill(pasted.join(',\n'))
  await expect(page.getByText('23 can be added, 1 cannot, 3 left out')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Names' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('MaxNot a domain')
  const rowOf = (text: string) => rows.filter({ hasText: text })
  await expect(rowOf(`From https://www.shop.${end}/kontakt`)).toContainText(
    `shop.${end}Will be added`,
  )
  await expect(rowOf('Already in this list')).toContainText(good[0] ?? '')
  await expect(rowOf('Already in your workspace')).toContainText(`there.${end}`)
  await expect(rowOf('A heading: left out')).toContainText('Domain')
  await page.getByLabel('Add nothing unless every row can be added').check()
  await expect(button(page, 'Add 23 domains')).toBeDisabled()
  await page.getByLabel('Add nothing unless every row can be added').uncheck()
  // The workspace has them before the answer is here: no row turns meanwhile.
  const release = await holding(page, '/domains/batch')
  await button(page, 'Add 23 domains').click()
  for (const name of good.slice(0, 2)) await call('POST', '/domains', { name })
  await expect(rows.filter({ hasText: 'Will be added' })).toHaveCount(23)
  await release()
  await expect(
    page.getByRole('heading', { name: '21 domains added, 6 of 27 entries not added' }),
  ).toBeVisible()
  const became = page.getByRole('table', { name: 'What became of each entry' }).getByRole('row')
  await expect(became).toHaveCount(28)
  await expect(became.filter({ hasText: 'This domain is already in your workspace' })).toHaveCount(
    2,
  )
  await expect(became.filter({ hasText: `Added as shop.${end}` })).toHaveCount(1)
  const file = page.waitForEvent('download')
  await button(page, 'Download this list (CSV)').click()
  expect((await file).suggestedFilename()).toMatch(/^added-domains-\d{4}-\d\d-\d\d\.csv$/)
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
  await expect(dialog.getByRole('status')).toHaveText('0 right, 5 need work')
  await expect(dialog).toHaveAccessibleName('0 of 5 domains verified')
  await expect(dialog.getByRole('listitem').first()).toContainText(/SPF: /)
  await expect(dialog.getByRole('button', { name: 'Try the 5 again' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done', exact: true }).click()

  await bar.getByRole('button', { name: 'Delete' }).click()
  const sure = dialog.getByRole('button', { name: 'Delete 5 domains' })
  await expect(sure).toBeDisabled()
  await dialog.getByLabel('Type how many domains are deleted (5) to confirm').fill('5')
  await sure.click()
  await expect(dialog.getByRole('status')).toHaveText('5 done')
  await dialog.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(page.getByText('Nothing found')).toBeVisible()
  await button(page, 'Clear filters').first().click()
  await expect(page.getByText('Total Domains: 55', { exact: true })).toBeVisible()

  const notice = page.getByRole('region', { name: 'Just deleted' })
  await expect(notice).toContainText('5 domains were deleted:')
  await expect(notice).toBeInViewport()
  await notice.getByRole('button', { name: 'Take all 5 back' }).click()
  await expect(notice).toBeHidden()
  await expect(page.getByText('Total Domains: 60', { exact: true })).toBeVisible()
  // What came back is not selected.
  await expect(bar).toBeHidden()
})

test('what receives elsewhere is found together with what needs work, each with its reason', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const end = `${workspace.id.slice(-8)}.example`
  const given = { workspaceId: workspace.id, verified: true } as const
  const right = { ownership: 'verified', spf: 'verified', dkim: 'verified' } as const
  const good = { ...right, dmarc: 'verified', mx: 'different' } as const
  for (let n = 0; n < 6; n++)
    await aDomainWithRecords(setting, {
      ...{ ...given, name: `well-${n}.${end}`, active: true },
      states: 'verified',
    }).then((domain) => mailComesHere(setting, domain))
  const away = await aDomainWithRecords(setting, {
    ...{ ...given, name: `away.${end}`, active: true, states: good },
  })
  await mailStaysElsewhere(setting, away)
  await aDomainWithRecords(setting, { ...given, name: `dead.${end}`, active: true, states: good })
  await aDomainWithRecords(setting, {
    ...{ ...given, name: `wrong.${end}`, states: { ...good, spf: 'different' } },
  })
  await opened(page, '/dashboard/domains')
  const rows = page.getByRole('table', { name: 'Domains' }).getByRole('row')
  await expect(button(page, 'Need work 1')).toBeVisible()
  await button(page, 'Need work or receive elsewhere 3').click()
  await expect(rows).toHaveCount(4)
  for (const [name, reason] of [
    ['away', 'Receiving is at mx1.oldprovider.net.'],
    ['dead', 'No server receives its mail.'],
    ['wrong', 'SPF: Another value stands there.'],
  ] as const)
    await expect(rows.filter({ hasText: `${name}.${end}` })).toContainText(reason)
})

test('one domain is deleted by its name, and taken back at the top of the list', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const name = `single-${workspace.id.slice(-8)}.example`
  await aDomainWithRecords(setting, {
    ...{ name, workspaceId: workspace.id, verified: true, active: true, states: 'verified' },
  })
  await opened(page, '/dashboard/domains')
  await page.getByLabel(`Select ${name}`).check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveAccessibleName(`Delete ${name}?`)
  const sure = dialog.getByRole('button', { name: 'Delete domain' })
  await expect(sure).toBeDisabled()
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name.toUpperCase())
  await sure.click()
  await dialog.getByRole('button', { name: 'Done', exact: true }).click()
  const notice = page.getByRole('region', { name: 'Just deleted' })
  await notice.getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByText('Total Domains: 1', { exact: true })).toBeVisible()
  await expect(bar).toBeHidden()

  // From its own page the way back stands at the top of the list, too.
  await page.getByRole('link', { name }).click()
  await button(page, 'Delete domain').click()
  const question = page.getByRole('alertdialog')
  await question.getByLabel(`Type ${name} to confirm`).fill(name)
  await question.getByRole('button', { name: 'Delete domain' }).click()
  await expect(notice).toContainText(`1 domain was deleted: ${name}`)
  await notice.getByRole('button', { name: 'Close this notice' }).click()
  await expect(notice).toBeHidden()
})

test('where there is no other workspace, the move makes one', async ({ setting, person }) => {
  const { page, workspace } = person
  const name = `moves-${workspace.id.slice(-8)}.example`
  await aDomainWithRecords(setting, {
    ...{ name, workspaceId: workspace.id, verified: true, active: true, states: 'verified' },
  })
  await opened(page, '/dashboard/domains')
  await button(page, `Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: 'Add to workspace' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add to workspace' })
  await expect(dialog.getByRole('button', { name: 'Move domain' })).toBeDisabled()
  await dialog.getByLabel('Name of the new workspace').fill('Weber Bakery')
  await dialog.getByRole('button', { name: 'Create workspace' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Workspace' })).toContainText('Weber Bakery')
  await dialog.getByRole('button', { name: 'Move domain' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Total Domains: 0', { exact: true })).toBeVisible()
})

test('what could not be looked up is amber in the list, on its page and at home', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const end = `${workspace.id.slice(-8)}.example`
  const silent = `silent.${end}`
  const given = { workspaceId: workspace.id, verified: true, active: true } as const
  await aDomainWithRecords(setting, { ...given, name: silent, states: 'verified', isSilent: true })
  for (let n = 0; n < 5; n++)
    await aDomainWithRecords(setting, { ...given, name: `right${n}.${end}`, states: 'verified' })
  await opened(page, '/dashboard/domains')
  await button(page, 'Could not be checked 1').click()
  const row = page
    .getByRole('table', { name: 'Domains' })
    .getByRole('row')
    .filter({ hasText: silent })
  await expect(row).toContainText(/Could not be checked since .*\. Its name servers did not answer/)
  await expect(row).toContainText('ns1.provider.example (192.0.2.53) answered SERVFAIL')
  await expect(row).toContainText(/Right on \w+/)
  await expect(button(page, 'Need work 1')).toBeVisible()

  await row.getByRole('link', { name: silent }).click()
  const health = page.getByRole('region', { name: 'Health' })
  await expect(health.getByRole('heading')).toHaveText('Could not be checked')
  await expect(health).toContainText('ns1.provider.example')
  await expect(page.getByText('All records are right')).toHaveCount(0)

  await opened(page, '/dashboard')
  const home = page.getByRole('main').getByRole('link').filter({ hasText: silent })
  await expect(home.filter({ hasText: 'Could not be checked' })).toBeVisible()
  await expect(page.getByText('All is well')).toHaveCount(0)
})
