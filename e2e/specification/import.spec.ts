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
  const [known = ''] = domains
  const faults = [
    ...['Max;;maier.example', 'Eva;Roth;nobody.test', '=1+1;Formula;nobody.test'],
    // Two letters are swapped, and one person stands twice.
    ...[`Ida;Typo;${known.replace(/(.)\.example/, '.$1example')}`, `Jörg;Weiß;${known}`],
  ]
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Import a list' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('CSV file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Vorname;Nachname;Domäne', ...people, ...faults].join('\r\n'), 'latin1'),
  })
  // The headings are German.
  await expect(dialog.getByLabel('German spelling')).toBeChecked()
  await dialog.getByRole('button', { name: 'Check' }).click()
  await expect(dialog.getByText('5 rows have a fault. Correct them, or skip them.')).toBeVisible()
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveText([
    '2 rows: The domain is not in this workspace',
    '1 row: A name is missing',
    '1 row: A name looks like a formula',
    '1 row: The row stands twice in the file',
  ])
  await expect(dialog.getByText('Row 402: last name is missing')).toBeVisible()
  // One sentence for both rows of the group.
  await expect(dialog.getByRole('group', { name: 'Row 403' })).toBeVisible()
  await expect(dialog.getByText('no such domain in this workspace')).toHaveText(
    'Both rows: no such domain in this workspace',
  )
  await expect(dialog.getByText('Row 404: first name begins like a formula')).toBeVisible()
  await expect(dialog.getByText(`joerg.weiss@${known}`)).toBeVisible()
  const unknown = dialog.getByRole('region', { name: 'The domain is not in this workspace' })
  await unknown.getByRole('button', { name: 'Use the proposed domain for 1 row' }).click()
  await expect(unknown.getByRole('heading')).toHaveText(/^1 row:/)
  // What is typed is checked, and the row stays where it is.
  const domainOf403 = dialog.getByLabel('Domain of row 403')
  await domainOf403.fill(known.slice(0, -1))
  await expect(unknown.getByText('Row 403: no such domain in this workspace')).toBeVisible()
  await domainOf403.press('End')
  await domainOf403.press(known.slice(-1))
  await expect(unknown.getByText('Row 403 is right now')).toBeVisible()
  await expect(domainOf403).toBeFocused()
  await expect(unknown.getByRole('heading')).toHaveText(/^Corrected:/)
  await dialog.getByRole('button', { name: 'Skip row 402' }).click()
  await expect(dialog.getByText('1 row is skipped.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Create 402 mailboxes, skip 2' }).click()
  await expect(page.getByRole('dialog', { name: '402 mailboxes created' })).toBeVisible()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download result' }).click()
  expect((await download).suggestedFilename()).toMatch(
    /^import-result-people-\d{4}-\d\d-\d\d\.csv$/,
  )
  const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n').slice(0, -1)
  expect(lines).toHaveLength(406)
  expect(lines[0]).toBe('\uFEFFRow,First name,Last name,Email,Domain,Result')
  expect(lines[1]).toBe(`2,Jörg,Weiß,joerg.weiss@${known},${known},created`)
  expect(lines[401]).toBe('402,Max,,,maier.example,skipped: last name is missing')
  // A spreadsheet that opens the result shows the formula and does not run it.
  expect(lines[403]).toBe(`404,"'=1+1",Formula,,nobody.test,first name begins like a formula`)

  // What comes next is for the new ones: payment, then access.
  await dialog.getByRole('button', { name: 'Pay Now ($804)' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pay $804' }).click()
  await expect(dialog.getByText('The 402 new mailboxes are active.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Set up access' }).click()
  await expect(page.getByRole('dialog', { name: 'Set up access to 402 mailboxes' })).toBeVisible()
  await dialog.getByLabel('Find a person').fill('eva roth')
  await dialog.getByLabel(`Private address for eva.roth@${known}`).fill('eva@home.example')
  await expect(dialog.getByRole('button', { name: 'Mail 1, make 401 links' })).toBeEnabled()
})

test('the rows over the limit of a domain are marked before anything is made, and all skipped at once', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, {
    workspaceId: workspace.id,
    active: true,
    mailboxLimit: 5,
  })
  const people = Array.from({ length: 40 }, (_, at) => `Max${at},Weiß,max${at}@home.example`)
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Import a list' }).click()
  const dialog = page.getByRole('dialog')
  // The only domain is selected at first.
  await expect(dialog.getByLabel('Domain for rows without a domain')).toHaveText(domain.name)
  await dialog
    .getByLabel('People')
    .fill(['First name,Last name,Private email', ...people].join('\n'))
  await dialog.getByRole('button', { name: 'Check' }).click()
  const group = dialog.getByRole('region', { name: 'The domain has no room for more mailboxes' })
  await expect(group.getByRole('heading')).toHaveText(/^35 rows:/)
  await expect(group).toContainText('A domain may have 500 mailboxes here')
  await expect(group).toContainText('Only the operator can raise it')
  await group.getByRole('button', { name: 'Show these 35 rows' }).click()
  await expect(group.getByText('1 to 10 of 35')).toBeVisible()
  await group.getByRole('button', { name: 'Next' }).click()
  const over = `over the limit of 5 mailboxes of ${domain.name}`
  await expect(group.getByText(over)).toHaveText(`All 35 rows: ${over}`)
  await expect(group.getByRole('group', { name: 'Row 17' })).toBeVisible()
  await group.getByRole('button', { name: 'Skip all 35' }).click()
  await expect(group).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Take them back' }).click()
  await expect(group.getByRole('heading')).toHaveText(/^35 rows:/)
  await group.getByRole('button', { name: 'Skip all 35' }).click()
  await dialog.getByRole('button', { name: 'Create 5 mailboxes' }).click()
  await dialog.getByRole('button', { name: 'Pay Now ($10)' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pay $10' }).click()
  await dialog.getByRole('button', { name: 'Set up access' }).click()
  // The file says where the links go.
  await expect(dialog.getByLabel(`Private address for max0.weiss@${domain.name}`)).toHaveValue(
    'max0@home.example',
  )
  await expect(dialog.getByRole('button', { name: 'Mail 5 links' })).toBeEnabled()
})

test('a picture, an empty file and headings alone are each refused in their own words', async ({
  setting,
  person: { page, workspace },
}) => {
  await aDomain(setting, { workspaceId: workspace.id, active: true })
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Import a list' }).click()
  const dialog = page.getByRole('dialog')
  for (const [content, words] of [
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'This file is a picture, whatever its name says.'],
    ['', 'The file is empty.'],
    ['Vorname;Name;Domäne\r\n', 'The table has only headings.'],
    [
      'Name;Domain\nA B;a.de\n"C D;a.de\n',
      'Row 3 opens a quotation mark (") that is never closed.',
    ],
  ] as const) {
    await dialog.getByLabel('CSV file').setInputFiles({
      ...{ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content, 'latin1') },
    })
    await dialog.getByRole('button', { name: 'Check' }).click()
    await expect(dialog.getByText(words)).toBeVisible()
  }
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

test('of two imports that are not paid the second says which it pays for', async ({
  setting,
  person: { page, workspace },
}) => {
  const domains = [
    await aDomain(setting, { workspaceId: workspace.id, active: true }),
    await aDomain(setting, { workspaceId: workspace.id, active: true }),
  ]
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Import a list' }).click()
  const dialog = page.getByRole('dialog')
  for (const [index, { name }] of domains.entries()) {
    if (index > 0) await dialog.getByRole('button', { name: 'Import another file' }).click()
    await expect(dialog.getByLabel('People')).toHaveValue('')
    const people = Array.from({ length: 6 }, (_, at) => `Person${'abcdef'[at]};Stone;${name}`)
    await dialog.getByLabel('People').fill(people.slice(index * 3).join('\n'))
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByRole('button', { name: /^Create / }).click()
    await expect(dialog.getByRole('button', { name: 'Download result' })).toBeVisible()
  }
  // On a phone an address has room, and its words are not broken.
  await page.setViewportSize({ width: 390, height: 844 })
  const address = dialog.getByRole('cell').filter({ hasText: 'persond.stone@' })
  await expect(address).toContainText('Created')
  expect((await address.boundingBox())?.width).toBeGreaterThan(240)
  await page.setViewportSize({ width: 1440, height: 900 })
  const [first, second] = domains.map(({ name }) => name)
  const question = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Pay Now ($6)' }).click()
  await expect(question).toContainText(`Those of this import: 3 of ${second}. 6 more stay unpaid.`)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Pay Now ($18)' }).click()
  await expect(question).toContainText(`All that are not paid for: 6 of ${first}, 3 of ${second}.`)
  await question.getByRole('button', { name: 'Show all 9 addresses' }).click()
  await expect(
    question.getByRole('region', { name: 'Addresses' }).getByRole('listitem'),
  ).toHaveCount(9)
})
