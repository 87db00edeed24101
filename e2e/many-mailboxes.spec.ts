/** An agency: who has no access yet, and what is done with many mailboxes at once. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { expect, opened, test } from './specification/setting.ts'

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })

const saved = async (page: Page, press: () => Promise<void>): Promise<string> => {
  const download = page.waitForEvent('download')
  await press()
  return readFileSync(await (await download).path(), 'utf8')
}

test('who has no access is seen, and gets it, all in one go', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  for (let n = 0; n < 30; n++)
    await aMailbox(setting, {
      ...{ domain, localPart: `person${n}`, firstName: n === 3 ? '=1+1' : `Person${n}` },
      status: n < 28 ? 'active' : 'suspended',
    })
  await opened(page, '/dashboard/mailboxes')
  const table = page.getByRole('table', { name: 'Mailboxes' })
  const row = (n: number) => table.getByRole('row').filter({ hasText: `person${n}@` })
  await expect(row(29)).toContainText('No access yet')

  // Of two only: the others keep waiting, and the filter finds them.
  await row(29).getByRole('checkbox').check()
  await row(28).getByRole('checkbox').check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar).toContainText('Selected: 2')
  await expect(bar.getByRole('button', { name: 'Suspend' })).toHaveCount(0)
  await bar.getByRole('button', { name: 'Resume' }).click()
  await button(page, 'Resume 2 mailboxes').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('status')).toHaveText('2 done')
  await expect(dialog).toHaveAccessibleName('2 mailboxes resumed')
  await button(page, 'Done').click()
  await expect(row(29)).toContainText('Active')
  await bar.getByRole('button', { name: 'Set up access' }).click()
  const privateOf = (n: number) => dialog.getByLabel(`Private address for person${n}@`)
  await expect(privateOf(28)).toHaveValue('')
  await button(page, 'Paste a table').click()
  const pasted = dialog.getByLabel('Mailboxes and private addresses')
  await pasted.fill('Person;Private\nPerson29 Lovelase;grace@elsewhere.example')
  const lines = dialog.getByRole('region', { name: 'Lines that are not clear' })
  await expect(lines).toContainText('1 line is not clear.')
  await expect(button(page, 'Make 2 links')).toBeDisabled()
  await lines.getByRole('button', { name: `person29@${domain.name}` }).click()
  await expect(privateOf(29)).toHaveValue('grace@elsewhere.example')
  await privateOf(28).fill('no address')
  await expect(privateOf(28)).toHaveAttribute('aria-invalid', 'true')
  await expect(button(page, 'Mail 2 links')).toBeDisabled()
  await privateOf(28).fill('')
  await button(page, 'Mail 1, make 1 link').click()
  await expect(dialog).toHaveAccessibleName('2 links made')
  await expect(dialog.getByText('1 link was mailed.')).toBeVisible()

  // Nobody can see the links again: closing asks as long as they were not saved.
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Close without the link?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  const links = await saved(page, () => button(page, 'Download 1 link').click())
  expect(links).not.toContain('person29@')
  expect(links).toMatch(
    /^\uFEFFFirst name,Last name,Email,Domain,Private email,Link,Valid until\r\nPerson28,/,
  )
  expect(links.match(/person28@[^,]+,[^,]+,,http[^,]+token=[^,]+,/g)).toHaveLength(1)
  await button(page, 'Done').click()
  await expect(dialog).toHaveCount(0)
  await expect(row(29)).toContainText('Link sent to grace@elsewhere.example')
  await expect(row(28)).toContainText('Link not used yet')

  await page.getByLabel('Access', { exact: true }).click()
  await page.getByRole('option', { name: 'No access yet' }).click()
  await expect(row(29)).toHaveCount(0)
  await expect(row(27)).toBeVisible()
  await expect(page).toHaveURL(/access=none/)
  await page.reload()
  await expect(row(27)).toBeVisible()
  await expect(row(29)).toHaveCount(0)
  await button(page, 'Clear filters').click()
  await expect(row(29)).toBeVisible()
})

test('a selection is exported and deleted, also what is not loaded yet', async ({
  setting,
  person: { page, workspace, call },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  // A page of the list has 200.
  for (let n = 0; n < 205; n++)
    await aMailbox(setting, { domain, localPart: `person${n}`, status: 'active' })
  await opened(page, '/dashboard/mailboxes')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar).toContainText('Selected: 205')
  const csv = await saved(page, () => bar.getByRole('button', { name: 'Export' }).click())
  expect(csv.trim().split('\r\n')).toHaveLength(206)
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(button(page, 'Delete 205 mailboxes')).toBeDisabled()
  await page.getByLabel('Type how many mailboxes are deleted (205) to confirm').fill('205')
  await button(page, 'Delete 205 mailboxes').click()
  // Five requests, one after the other.
  await button(page, 'Done').waitFor()
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('205 done')
  await button(page, 'Done').click()
  await expect(page.getByText('No mailboxes available')).toBeVisible()
  expect((await call('GET', '/stats')).body.mailboxes.total).toBe(0)
})

test('links beyond the limit of a day are announced, grouped, and made instead', async ({
  setting,
  person: { page, workspace, user },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  for (let n = 0; n < 6; n++)
    await aMailbox(setting, { domain, localPart: `person${n}`, status: 'active' })
  const windowEndsAt = new Date(Date.now() + 86_400_000)
  await setting.db
    .insertInto('throttles')
    .values({ key: `access-links-by:${user.id}`, count: 105, windowEndsAt })
    .execute()
  await opened(page, '/dashboard/mailboxes')
  await button(page, 'Give access to all 6').click()
  const dialog = page.getByRole('dialog')
  await button(page, 'Paste a table').click()
  await dialog
    .getByLabel('Mailboxes and private addresses')
    .fill([0, 1, 2, 3, 4, 5].map((n) => `person${n}@${domain.name};p${n}@home.example`).join('\n'))
  const announced = dialog.getByText('1 of the 6 links can be mailed now, the other 5 from')
  await expect(announced).toBeVisible()

  // What was typed is there when the page is loaded again.
  await page.reload()
  await button(page, 'Give access to all 6').click()
  await expect(dialog.getByText('6 of 6 with a private address')).toBeVisible()
  await expect(announced).toBeVisible()
  await button(page, 'Mail 6 links').click()
  await expect(dialog).toHaveAccessibleName('1 of 6 links made')
  const refused = dialog.getByRole('list', { name: 'Not done' }).getByRole('listitem')
  await expect(refused).toHaveCount(1)
  await expect(refused).toContainText('5 mailboxes')
  await expect(refused).toContainText('No more of these links can be mailed today. Again from')
  await expect(dialog.getByRole('button', { name: /^Try/ })).toHaveCount(0)
  await button(page, 'Make links instead').click()
  await expect(dialog).toHaveAccessibleName('6 links made')
  const links = await saved(page, () => button(page, 'Download 5 links').click())
  expect(links.trim().split('\r\n')).toHaveLength(6)
})

test('of a long list all that wait for their people are counted, given access and selected', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  // A page of the list has 200.
  for (let n = 0; n < 205; n++)
    await aMailbox(setting, { domain, localPart: `person${n}`, status: 'active' })
  await opened(page, '/dashboard/mailboxes')
  await button(page, 'Give access to all 205').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveAccessibleName('Set up access to 205 mailboxes')
  await page.keyboard.press('Escape')
  await opened(page, '/dashboard/mailboxes?access=none')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar).toContainText('Selected: 205')
  await page.getByRole('checkbox', { name: 'Select all' }).uncheck()
  await expect(bar).toHaveCount(0)
})
