/** Mailboxes from a file: 400 people over 60 domains, with the mistakes of a real list. */
import { readFile } from 'node:fs/promises'
import { aDomain } from '#test-world/builders.ts'
import { expect, test } from './setting.ts'

test('400 people over 60 domains come from one file, and each fault is named', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const domains: string[] = []
  for (let at = 0; at < 60; at += 1)
    domains.push((await aDomain(setting, { workspaceId: workspace.id, active: true })).name)
  const people = Array.from(
    { length: 400 },
    (_, at) => `Jörg;Weiß${at < 60 ? '' : at};${domains[at % 60]}`,
  )
  const faults = ['Max;;maier.example', 'Eva;Roth;nobody.example', '=1+1;Formula;nobody.example']
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Import a list' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('CSV file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Vorname;Nachname;Domäne', ...people, ...faults].join('\r\n'), 'latin1'),
  })
  await dialog.getByLabel('German spelling').click()
  await dialog.getByRole('button', { name: 'Check' }).click()
  await expect(
    dialog.getByText('3 rows have a fault. Correct them, or leave them out.'),
  ).toBeVisible()
  await expect(dialog.getByText('Row 402: last name is missing')).toBeVisible()
  await expect(dialog.getByText('Row 403: no such domain in this workspace')).toBeVisible()
  await expect(dialog.getByText(`joerg.weiss@${domains[0]}`)).toBeVisible()
  await dialog.getByLabel('Domain of row 403').fill(domains[0] ?? '')
  await dialog.getByRole('button', { name: 'Leave out row 402' }).click()
  await dialog.getByRole('button', { name: 'Check again' }).click()
  await dialog.getByRole('button', { name: 'Create 401 mailboxes' }).click()
  await expect(page.getByRole('dialog', { name: '401 mailboxes created' })).toBeVisible()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download result' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n').slice(0, -1)
  expect(lines).toHaveLength(403)
  expect(lines[0]).toBe('\uFEFFRow,First name,Last name,Email,Result')
  expect(lines[1]).toBe(`2,Jörg,Weiß,joerg.weiss@${domains[0]},created`)
  // A spreadsheet that opens the result shows the formula and does not run it.
  expect(lines.at(-1)).toBe(`404,"'=1+1",Formula,,no such domain in this workspace`)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByLabel('Search mailboxes').fill(`eva.roth@${domains[0]}`)
  await expect(page.getByRole('row', { name: /Eva Roth/ })).toBeVisible()
})

test('a pasted list opens from Auto generate, and an empty one is refused in words', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const { name } = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Auto generate' }).click()
  await page.getByRole('button', { name: 'From a list' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import mailboxes' })
  await dialog.getByRole('button', { name: 'Check' }).click()
  await expect(dialog.getByText('Please choose a file or paste a table')).toBeVisible()
  await dialog.getByLabel('People').fill(`Max Roth; ${name}\nEva Weiß; ${name}`)
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByRole('button', { name: 'Create 2 mailboxes' }).click()
  await expect(page.getByRole('dialog', { name: '2 mailboxes created' })).toBeVisible()
})
