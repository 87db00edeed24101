/** The mailboxes page: its cards, its table, paying and deleting. */
import type { Page } from '@playwright/test'
import { newId } from '#server/lib/ids.ts'
import { aDomain, aMailbox, type Domain } from '#test-world/builders.ts'
import { expect, expectToast, failing, holding, opened, type Setting, test } from './setting.ts'

// Without motion nothing is waited for.
const EMPTY = 'No mailboxes available - Your mailbox list is empty. Add a new mailbox to get going.'

const card = (page: Page, title: string) => page.getByRole('region', { name: title })
const box = (page: Page, email: string) => page.getByRole('checkbox', { name: `Select ${email}` })
const payNow = (page: Page) => page.getByRole('button', { name: 'Pay Now' })
const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })
const addresses = (page: Page) =>
  page.getByRole('row').getByRole('link').filter({ hasText: '@' }).allInnerTexts()

const openMenu = (page: Page, email: string) =>
  page.getByRole('button', { name: `Actions for ${email}` }).click()

test('both addresses show the page, empty at first, and the way on [1.6 2.61 2.62 2.64]', async ({
  person: { page },
}) => {
  await page.goto('/dashboard/mailboxes')
  await expect(page.getByText(EMPTY, { exact: true })).toBeVisible()
  await expect(card(page, 'Active Domains')).toHaveText('Active Domains0with mailboxes')
  await expect(card(page, 'Mail slots')).toHaveText('Mail slots0mailboxes that can be added')
  await expect(card(page, 'Active Mailboxes')).toHaveText('Active Mailboxes0')
  await expect(payNow(page)).toHaveCount(0)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveCount(0)
  await page
    .getByRole('table')
    .locator('..')
    .getByRole('button', { name: 'Create mailboxes' })
    .click()
  await expect(dialog).toHaveAccessibleName('Create mailbox')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Auto generate' }).click()
  await expect(dialog).toHaveAccessibleName('Auto generate mailboxes')
  await page.keyboard.press('Escape')

  await page.goto('/dashboard/new-mail-box')
  await expect(dialog).toHaveAccessibleName('Create mailbox')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/dashboard/mailboxes')
  await expect(page.getByText(EMPTY, { exact: true })).toBeVisible()
})

test('columns, menu, live cards, search, and sorting by keyboard [2.61 2.62 2.63]', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const bare = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const at = (localPart: string) => `${localPart}@${domain.name}`
  const named = { ada: 'Zola', bob: 'Mina', cyd: 'Anna' }
  for (const [localPart, firstName] of Object.entries(named))
    await aMailbox(setting, { domain, localPart, firstName, status: 'active' })
  await aMailbox(setting, { domain, localPart: 'dan', status: 'suspended' })
  await page.goto('/dashboard/mailboxes')

  await expect(card(page, 'Active Domains')).toHaveText('Active Domains1with mailboxes')
  await expect(card(page, 'Mail slots')).toHaveText('Mail slots996mailboxes that can be added')
  await expect(card(page, 'Active Mailboxes')).toHaveText('Active Mailboxes3')
  expect(bare.isActive).toBe(true)

  await expect(page.getByRole('columnheader')).toHaveText([
    '',
    'Email Address',
    'Full Name',
    'Domain',
    'Actions',
  ])
  await expect(page.getByRole('checkbox', { name: 'Select all' })).toBeVisible()
  await expect(rowOf(page, at('ada')).getByRole('cell')).toContainText([
    '',
    at('ada'),
    'Zola Lovelace',
    domain.name,
    '',
  ])
  const newestFirst = ['dan', 'cyd', 'bob', 'ada'].map(at)
  expect(await addresses(page)).toEqual(newestFirst)
  const header = page.getByRole('columnheader', { name: 'Full Name' })
  await header.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
  expect(await addresses(page)).toEqual(['dan', 'cyd', 'bob', 'ada'].map(at))
  await page.keyboard.press('Space')
  await expect(header).toHaveAttribute('aria-sort', 'descending')
  expect(await addresses(page)).toEqual(['ada', 'bob', 'cyd', 'dan'].map(at))
  await page.getByRole('button', { name: 'Email Address' }).click()
  expect(await addresses(page)).toEqual(['ada', 'bob', 'cyd', 'dan'].map(at))
  await page.getByRole('button', { name: 'Domain', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Domain' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )

  await expect(page).toHaveURL(/\?sort=domain$/)
  const search = page.getByRole('searchbox', { name: 'Search mailboxes' })
  await expect(search).toHaveAttribute('placeholder', 'Search')
  await search.fill('mina')
  await expect(rowOf(page, at('ada'))).toHaveCount(0)
  await expect(rowOf(page, at('bob'))).toBeVisible()
  await expect(page).toHaveURL(/\?sort=domain&q=mina$/)
  await page.getByRole('link', { name: at('bob') }).click()
  await expect(page).toHaveURL(/view-mail/)
  await page.goBack()
  await expect(search).toHaveValue('mina')
  await expect(rowOf(page, at('ada'))).toHaveCount(0)
  await page.reload()
  await expect(rowOf(page, at('bob'))).toBeVisible()
  await expect(rowOf(page, at('ada'))).toHaveCount(0)
  await search.fill('شركة'.repeat(2500))
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(rowOf(page, at('ada'))).toBeVisible()
})

test('a mailbox is suspended and resumed, and Undo takes it back', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const { email } = await aMailbox(setting, { domain, status: 'active' })
  await page.goto('/dashboard/mailboxes')
  await openMenu(page, email)
  await expect(page.getByRole('menuitem')).toHaveText([
    'Edit Record',
    'Access',
    'App passwords',
    'Suspend',
    'Delete Record',
  ])
  const cut = await failing(page, 'PATCH', '/mailboxes/*', { statusCode: 500 })
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  await page.getByRole('button', { name: 'Suspend mailbox' }).click()
  await expectToast(page, '❌ Error', 'Something went wrong')
  await expect(rowOf(page, email)).toContainText('Active')
  await cut()
  await openMenu(page, email)
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  await page.getByRole('button', { name: 'Suspend mailbox' }).click()
  await expectToast(page, 'Mailbox suspended', `${email} still receives mail`)
  await expect(rowOf(page, email)).toContainText('Suspended')
  await expect(card(page, 'Active Mailboxes')).toHaveText('Active Mailboxes0')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Mailbox resumed', email)
  await expect(card(page, 'Active Mailboxes')).toHaveText('Active Mailboxes1')
  await expect(rowOf(page, email)).not.toContainText('Suspended')
})

test('all that can be paid are selected at first, the total follows, and paying twice pays once [2.65 4.43 4.44 9.12]', async ({
  setting,
  person: { page, workspace, call },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const at = (localPart: string) => `${localPart}@${domain.name}`
  for (const localPart of ['ada', 'bob', 'cyd'])
    await aMailbox(setting, { domain, localPart, status: 'inactive' })
  await aMailbox(setting, { domain, localPart: 'paid', status: 'active' })
  await page.goto('/dashboard/mailboxes')

  await expect(payNow(page)).toHaveText('Pay Now ($6)')
  for (const localPart of ['ada', 'bob', 'cyd'])
    await expect(box(page, at(localPart))).toBeChecked()
  await expect(box(page, at('paid'))).not.toBeChecked()
  await box(page, at('paid')).click()
  await expect(payNow(page)).toHaveText('Pay Now ($6)')
  await box(page, at('cyd')).click()
  await expect(payNow(page)).toHaveText('Pay Now ($4)')
  const all = page.getByRole('checkbox', { name: 'Select all' })
  await expect(all).toBeChecked({ indeterminate: true })
  await all.click()
  await expect(payNow(page)).toHaveText('Pay Now ($6)')
  await all.click()
  await expect(payNow(page)).toHaveCount(0)
  await box(page, at('ada')).click()
  await expect(payNow(page)).toHaveText('Pay Now ($2)')
  await box(page, at('bob')).click()

  await expect(payNow(page)).toBeEnabled()
  const search = page.getByRole('searchbox')
  await search.fill('bob')
  await expect(payNow(page)).toHaveText('Pay Now ($2)')
  await search.fill('')
  await expect(payNow(page)).toHaveText('Pay Now ($4)')

  await payNow(page).click()
  const question = page.getByRole('alertdialog', { name: 'Pay $4 for 2 mailboxes?' })
  await expect(question).toContainText(at('ada'))
  await expect(question).toContainText(at('bob'))
  await expect(question).not.toContainText(at('cyd'))
  await question.getByRole('button', { name: 'Pay $4' }).dblclick()
  await expectToast(page, '2 mailboxes activated', 'Invoice ')
  await expect(question).toHaveCount(0)
  await expect(rowOf(page, at('ada'))).toContainText('Active')
  await expect(rowOf(page, at('cyd'))).toContainText('Inactive')
  await expect(card(page, 'Active Mailboxes')).toHaveText('Active Mailboxes3')
  const { items } = (await call('GET', '/invoices')).body as { items: unknown[] }
  expect(items).toMatchObject([{ productName: 'Mailbox x 2', amountCents: 400, status: 'Due' }])

  // What was paid is selected no more, and what was left out stays so.
  for (const checkbox of await page.getByRole('checkbox').all())
    await expect(checkbox).not.toBeChecked()
  await expect(payNow(page)).toHaveCount(0)

  // Nothing to pay among the selected ones.
  await box(page, at('ada')).click()
  await expect(box(page, at('ada'))).toBeChecked()
  await expect(payNow(page)).toHaveCount(0)
})

test('where every mailbox is paid no row is selected, and nothing is to pay [2.65 4.43]', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  for (const localPart of ['ada', 'bob'])
    await aMailbox(setting, { domain, localPart, status: 'active' })
  await aMailbox(setting, { domain, localPart: 'cyd', status: 'suspended' })
  const unpaid = page.waitForResponse(/status=inactive/)
  await page.goto('/dashboard/mailboxes')
  await unpaid
  await expect(page.getByRole('checkbox')).toHaveCount(4)
  for (const checkbox of await page.getByRole('checkbox').all())
    await expect(checkbox).not.toBeChecked()
  await expect(payNow(page)).toHaveCount(0)
  // Pay Now and the search stand in one line as soon as there is one, on a phone too.
  await aMailbox(setting, { domain, localPart: 'dan', status: 'inactive' })
  await page.reload()
  await expect(payNow(page)).toHaveText('Pay Now ($2)')
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const [search, pay] = [page.getByRole('searchbox'), payNow(page)]
    const middleOf = async (of: typeof pay) => {
      const { y = 0, height = 0 } = (await of.boundingBox()) ?? {}
      return y + height / 2
    }
    expect(Math.abs((await middleOf(search)) - (await middleOf(pay))), `${width}`).toBeLessThan(2)
  }
})

test('all means all, read or not, and the table stays 24rem high [2.67 4.43 9.21 9.25]', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const first = await aMailbox(setting, { domain, localPart: 'aaa', status: 'inactive' })
  await page.goto('/dashboard/mailboxes')
  const table = page.getByRole('region', { name: 'Mailboxes', exact: true })
  await expect(rowOf(page, first.email)).toBeVisible()
  expect((await table.boundingBox())?.height).toBeLessThan(200)

  await manyMailboxes(setting, domain, 210)
  await page.reload()
  await expect(payNow(page)).toHaveText('Pay Now ($422)')
  expect((await table.boundingBox())?.height).toBe(384)
  const open = page.getByRole('button', { name: 'Show more rows' })
  await page.setViewportSize({ width: 1440, height: 1000 })
  await open.press('Enter')
  await expect.poll(() => table.evaluate((at) => at.clientHeight)).toBeGreaterThan(750)
  await expect(table).toBeInViewport({ ratio: 1 })
  await open.press('Enter')
  expect((await table.boundingBox())?.height).toBe(384)
  const all = page.getByRole('checkbox', { name: 'Select all' })
  await all.click()
  await expect(payNow(page)).toHaveCount(0)
  await all.click()
  await expect(payNow(page)).toHaveText('Pay Now ($422)')

  // The oldest stands on the second page: sorting brings it to the front.
  await expect(rowOf(page, first.email)).toHaveCount(0)
  await page.getByRole('button', { name: 'Email Address' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText(first.email)
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '212')

  // A search leaves what it does not find as it was.
  await page.getByRole('searchbox').fill('aaa')
  await expect(payNow(page)).toHaveText('Pay Now ($2)')
  await box(page, first.email).click()
  await expect(payNow(page)).toHaveCount(0)
  await page.getByRole('searchbox').fill('')
  await expect(payNow(page)).toHaveText('Pay Now ($420)')
})

test('a long list is read on as it is scrolled [9.25]', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const oldest = await aMailbox(setting, { domain, localPart: 'oldest', usedBytes: 5_000_000 })
  await manyMailboxes(setting, domain, 205)
  // Sorted by size or sign-in, the first page alone is read.
  await page.goto('/dashboard/mailboxes?sort=-size')
  await expect(page.getByRole('row').nth(1)).toContainText(oldest.email)
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '201')
  await expect(page.getByLabel('Order', { exact: true })).toHaveText('Largest first')
  await page.goto('/dashboard/mailboxes')
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '201')
  const table = page.getByRole('region', { name: 'Mailboxes', exact: true })
  await table.focus()
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '207', { timeout: 500 })
  }).toPass()
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(rowOf(page, oldest.email)).toBeVisible({ timeout: 500 })
  }).toPass()
})

test('the menu of a mailbox; deleting names what is lost and can be called off [1.6 2.63 4.42]', async ({
  setting,
  person: { page, workspace, call },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const gone = await aMailbox(setting, {
    domain,
    firstName: 'Grace',
    lastName: 'Hopper',
    status: 'inactive',
  })
  const kept = await aMailbox(setting, { domain })
  await page.goto('/dashboard/mailboxes')
  await openMenu(page, gone.email)
  await expect(page.getByRole('menuitem')).toHaveText([
    ...['Edit Record', 'Access', 'App passwords', 'Delete Record'],
  ])
  await page.getByRole('menuitem', { name: 'Delete Record' }).click()
  const question = page.getByRole('alertdialog', { name: `Delete ${gone.email}?` })
  await expect(question).toContainText('All mail of Grace Hopper in this mailbox is deleted')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(rowOf(page, gone.email)).toBeVisible()

  await openMenu(page, gone.email)
  await page.getByRole('menuitem', { name: 'Delete Record' }).click()
  const succeed = await failing(page, 'DELETE', '/mailboxes/*', { statusCode: 503 })
  await question.getByRole('button', { name: 'Delete mailbox' }).click()
  await expectToast(page, '❌ Error', 'Something went wrong')
  await succeed()
  await question.getByRole('button', { name: 'Delete mailbox' }).click()
  await expectToast(page, 'Mailbox deleted', gone.email)
  await expect(rowOf(page, gone.email)).toHaveCount(0)
  await expect(rowOf(page, kept.email)).toBeVisible()
  expect((await call('GET', `/mailboxes/${gone.id}`)).status).toBe(404)
})

test('the table while it loads, and when it cannot [2.62]', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  const release = await holding(page, '/mailboxes?*')
  await page.goto('/dashboard/mailboxes')
  const table = page.getByRole('region', { name: 'Mailboxes', exact: true })
  await expect(table).toHaveAttribute('aria-busy', 'true')
  await expect(page.getByText('No mailboxes available')).toHaveCount(0)
  release()
  await expect(rowOf(page, mailbox.email)).toBeVisible()
  await expect(table).toHaveAttribute('aria-busy', 'false')

  const succeed = await failing(page, 'GET', '/mailboxes?*', {
    statusCode: 403,
    message: 'Not you',
  })
  await page.reload()
  const alert = page.getByRole('alert').filter({ hasText: 'Error loading mailboxes' })
  await expect(alert).toContainText('Not you')
  await succeed()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(rowOf(page, mailbox.email)).toBeVisible()
})

test('on a phone the whole address can be read [2.63]', async ({
  setting,
  person: { page, workspace },
}) => {
  const name = `a-rather-long-name-${crypto.randomUUID().slice(0, 8)}.example`
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true, name })
  const { email } = await aMailbox(setting, { domain, localPart: 'maximilian.featherstonehaugh' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard/mailboxes')
  const address = page.getByRole('link', { name: email })
  await expect(address).toBeVisible()
  const cut = await address.evaluate((link) => link.scrollWidth > link.clientWidth)
  expect(cut).toBe(false)
  const { width = 0, x = 0 } = (await address.boundingBox()) ?? {}
  expect(x + width).toBeLessThan(390)
  await expect(address).toHaveCSS('white-space-collapse', 'collapse')
  await expect(address).toHaveCSS('text-overflow', 'clip')
})

test('what a new mailbox changes is read again, and nothing else', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await opened(page, '/dashboard/domains')
  await page.getByRole('link', { name: domain.name }).waitFor()
  await page.getByRole('link', { name: 'Mailboxes', exact: true }).click()
  await page.getByRole('button', { name: 'Create mailboxes' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Grace')
  await dialog.getByLabel('Last name').fill('Hopper')
  await dialog.getByLabel('Domain').click()
  await page.getByRole('option', { name: domain.name }).click()
  const read: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/api/v1/'))
      read.push(pathname.replace('/api/v1', ''))
  })
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(rowOf(page, `grace.hopper@${domain.name}`)).toBeVisible()
  await expect(card(page, 'Mail slots')).toHaveText('Mail slots499mailboxes that can be added')
  // The stops of sending come with all news of mailboxes.
  const wanted = ['/deleted', '/domains', '/mailboxes', '/mailboxes/sending-stops', '/stats']
  await expect.poll(() => [...new Set(read)].toSorted()).toEqual(wanted)
})

/** Older than nothing: they come before what is there. As one insert, for a list that is longer than a page. */
const manyMailboxes = async ({ db, clock }: Setting, domain: Domain, count: number) => {
  const createdAt = clock.now()
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newId(createdAt.getTime()),
    workspaceId: domain.workspaceId,
    domainId: domain.id,
    email: `person${index}@${domain.name}`,
    firstName: 'Grace',
    lastName: `Hopper ${index}`,
    status: 'inactive' as const,
    createdAt,
  }))
  await db.insertInto('mailboxes').values(rows).execute()
}
