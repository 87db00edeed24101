/** The Domains page: its figures, its list, the modal, and moving a domain to another workspace. */
import { expect, type Page } from '@playwright/test'
import { aDomain, aMailbox, aUser, aWorkspace } from '#test-world/builders.ts'
import { aDomainWithRecords } from './domain-rows.ts'
import {
  aPerson,
  expectToast,
  failing,
  holding,
  type Person,
  type Setting,
  test,
} from './setting.ts'

const DOMAINS = '/dashboard/domains'

const table = (page: Page) => page.getByRole('table', { name: 'Domains' })
/** The first labels, from top to bottom. */
const names = async (page: Page) =>
  (await table(page).getByRole('link').allInnerTexts()).map((name) => name.split('.')[0])
const rowOf = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name })
const figure = (page: Page, title: string) =>
  page.getByRole('region', { name: title, exact: true }).getByRole('paragraph')

/**
 * One of each kind: verified, pending with 3 of 4, failed, untouched, and one in another script; the newest last.
 * A verified name is held once in the installation, so each list has an ending of its own.
 */
const aList = async (setting: Setting, { workspace: { id: workspaceId } }: Person) => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute))
  const three = { ownership: 'verified', spf: 'verified', dkim: 'verified' } as const
  const given = [
    { name: 'alpha10', active: true, states: 'verified' as const },
    { name: 'alpha9', verified: true, states: three },
    { name: 'zebra', verified: true, states: { ...three, spf: 'different' as const } },
    { name: 'xn--rger-koa' },
  ]
  for (const [index, { name, ...one }] of given.entries())
    await aDomainWithRecords(setting, {
      ...one,
      name: `${name}.${workspaceId.slice(-8)}.example`,
      workspaceId,
      createdAt: at(index),
    })
}

test('heading, live cards and the list of 42 domains [1.5 2.40 2.41 2.46 2.47 2.48 9.20]', async ({
  setting,
  person,
}) => {
  const { page } = person
  const workspaceId = person.workspace.id
  await Promise.all(
    Array.from({ length: 42 }, (_, index) => aDomain(setting, { workspaceId, active: index < 28 })),
  )
  await page.goto(DOMAINS)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'Domains', exact: true, level: 1 })).toBeVisible()
  await expect(main.getByText('View your domain to your account', { exact: true })).toBeVisible()
  await expect(main.getByRole('button', { name: 'Add Domain', exact: true })).toBeEnabled()
  await expect(figure(page, 'Total Domains')).toHaveText('42')
  await expect(figure(page, 'Active Domains')).toHaveText('28')
  await expect(figure(page, 'Pending Domains')).toHaveText('14')
  await expect(main.getByRole('heading', { name: 'Total Domains: 42', exact: true })).toBeVisible()
  // The specification's columns in its order; ours stand among them: the checkbox, and two before the last (a third in a wider window).
  await expect(table(page).getByRole('columnheader')).toHaveText([
    '',
    'Name',
    'DNS Records',
    'DNS Status',
    'Status',
    'Mail and DNS',
    'Mailboxes',
    'Action',
  ])
  const body = main.getByRole('region', { name: 'Domains', exact: true })
  await expect(body).toHaveCSS('height', '551px')
  await expect(body).toHaveCSS('overflow-y', 'auto')
  expect(await body.evaluate((at) => at.scrollHeight > at.clientHeight)).toBe(true)

  const open = main.getByRole('button', { name: 'Show more rows' })
  await page.setViewportSize({ width: 1440, height: 1000 })
  await open.press('Enter')
  await expect(open).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => body.evaluate((at) => at.clientHeight)).toBeGreaterThan(700)
  // All of it is on the screen at once.
  await expect(body).toBeInViewport({ ratio: 1 })
  await open.press('Enter')
  await expect(body).toHaveCSS('height', '551px')

  await person.call('POST', '/domains', { name: 'one-more.example' })
  await expect(figure(page, 'Total Domains')).toHaveText('43')
  await expect(figure(page, 'Active Domains')).toHaveText('28')
  await expect(figure(page, 'Pending Domains')).toHaveText('15')
  await expect(main.getByRole('heading', { name: 'Total Domains: 43', exact: true })).toBeVisible()
})

test('search looks at every column, and back and reload keep it [2.46]', async ({
  setting,
  person,
}) => {
  const { page } = person
  await aList(setting, person)
  await page.goto(DOMAINS)
  const search = page.getByPlaceholder('Search', { exact: true })
  const shown = page.getByRole('main').getByRole('status').filter({ hasText: 'shown' })
  await expect(page.getByText('Total Domains: 4', { exact: true })).toBeVisible()
  await expect(shown).toBeHidden()
  const all = ['ärger', 'zebra', 'alpha9', 'alpha10']
  expect(await names(page)).toEqual(all)
  const finds: Record<string, string[]> = {
    ALPHA: ['alpha9', 'alpha10'],
    lpha1: ['alpha10'],
    'a\u0308rger': ['ärger'],
    'xn--rger': ['ärger'],
    '3 of 4': ['alpha9'],
    Verified: ['alpha10'],
    Pending: ['ärger', 'alpha9'],
    Failed: ['zebra'],
    Inactive: ['ärger', 'zebra', 'alpha9'],
    ' active ': ['alpha10'],
  }
  for (const [text, found] of Object.entries(finds)) {
    await search.fill(text)
    await expect(shown, text).toHaveText(`${found.length} shown`)
    expect(await names(page), text).toEqual(found)
    await expect(page.getByText('Total Domains: 4', { exact: true })).toBeVisible()
  }
  await search.fill('3 of 4')
  await expect(page).toHaveURL(/\?q=3\+of\+4$/)
  await rowOf(page, 'alpha9').getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Verify domain' })).toBeVisible()
  await page.goBack()
  await expect(search).toHaveValue('3 of 4')
  await page.reload()
  await expect(search).toHaveValue('3 of 4')
  await expect(shown).toHaveText('1 shown')

  await search.fill('nowhere\u202e <b>')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await expect(page.getByText('No domain matches')).toContainText('<b>')
  await expect(page.getByText('No domain available')).toBeHidden()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(table(page).getByRole('link')).toHaveCount(4)
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await expect(search).toHaveValue('')
})

test('each column sorts, by keyboard too', async ({ setting, person }) => {
  const { page } = person
  await aList(setting, person)
  await page.goto(DOMAINS)
  const [old9, old10, fail, script] = ['alpha9', 'alpha10', 'zebra', 'ärger']
  const orders: Record<string, string[]> = {
    // Numbers in names count as numbers, and ä stands beside a.
    Name: [old9, old10, script, fail],
    'DNS Records': [script, fail, old9, old10],
    'DNS Status': [fail, script, old9, old10],
    Status: [old10, script, fail, old9],
  }
  await expect(rowOf(page, fail)).toBeVisible()
  for (const [column, order] of Object.entries(orders)) {
    const header = page.getByRole('columnheader', { name: column, exact: true })
    await header.getByRole('button').press('Enter')
    await expect(header).toHaveAttribute('aria-sort', 'ascending')
    expect(await names(page), column).toEqual(order)
    await expect(
      page.getByRole('columnheader', { name: 'Action' }).getByRole('button'),
    ).toHaveCount(0)
  }
  const name = page.getByRole('columnheader', { name: 'Name', exact: true })
  await name.getByRole('button').press('Space')
  await name.getByRole('button').press('Space')
  await expect(name).toHaveAttribute('aria-sort', 'descending')
  await expect(page).toHaveURL(/\?sort=-name$/)
  await page.reload()
  await expect(name).toHaveAttribute('aria-sort', 'descending')
  expect(await names(page)).toEqual([fail, script, old10, old9])
  await name.getByRole('button').press('Enter')
  await expect(name).not.toHaveAttribute('aria-sort')
  expect(await names(page)).toEqual([script, fail, old9, old10])
})

test('what a row says, its Verify, and its menu of one item [2.48 2.49 2.50]', async ({
  setting,
  person,
}) => {
  const { page } = person
  await aList(setting, person)
  await page.goto(DOMAINS)
  const cells = (name: string) => rowOf(page, name).getByRole('cell')
  await expect(cells('alpha9')).toContainText(['alpha9', '3 of 4', 'Pending', 'Inactive'])
  await expect(cells('alpha10')).toContainText(['alpha10', '4 of 4', 'Verified', 'Active'])
  await expect(cells('zebra')).toContainText(['zebra', '2 of 4', 'Failed', 'Inactive'])
  await expect(cells('ärger')).toContainText(['xn--rger-koa', '0 of 4', 'Pending'])

  await rowOf(page, 'zebra').getByRole('button', { name: 'Actions for zebra' }).press('Enter')
  await expect(page.getByRole('menuitem')).toHaveText(['Add to workspace'])
  await expect(page.getByRole('menuitem')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)

  const { body } = await person.call('GET', '/domains')
  const zebra = body.find(({ name }: { name: string }) => name.startsWith('zebra'))
  await rowOf(page, 'zebra').getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/dashboard/add-domain\\?id=${zebra._id}$`))
  await page.goBack()
  await page.getByRole('link', { name: 'zebra' }).click()
  await expect(page).toHaveURL(new RegExp(`/dashboard/domains/${zebra._id}$`))
  await expect(page.getByRole('heading', { level: 1, name: 'zebra' })).toBeFocused()
})

test('an empty list leads to the modal, where only one choice continues [2.43 2.44 2.45 2.53 4.35 5.32]', async ({
  person,
}) => {
  const { page } = person
  await page.goto(DOMAINS)
  await expect(page.getByText('No domain available', { exact: true })).toBeVisible()
  await expect(
    page.getByText('No domains here yet. Add one now to kick things off..', { exact: true }),
  ).toBeVisible()
  await expect(page.getByText('Total Domains: 0', { exact: true })).toBeVisible()
  const modal = page.getByRole('dialog', { name: 'Add domain', exact: true })
  const next = modal.getByRole('button', { name: 'Continue', exact: true })
  const fresh = modal.getByRole('radio', { name: 'New Register Domain', exact: true })
  const ours = modal.getByRole('radio', { name: 'Pre-Register Domain', exact: true })
  await expect(modal).toHaveCount(0)

  await page.getByRole('button', { name: 'Add domain', exact: true }).click()
  await expect(
    modal.getByText('Select one of the domain to continue', { exact: true }),
  ).toBeVisible()
  await expect(modal.getByRole('radio')).toHaveCount(2)
  await expect(modal.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(next).toBeDisabled()
  await ours.click()
  await expect(next).toBeEnabled()
  await fresh.click()
  await expect(fresh).toBeChecked()
  await expect(ours).not.toBeChecked()
  await expect(modal.getByText('Registering is not offered here')).toBeVisible()
  await expect(next).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(modal).toHaveCount(0)

  // The other button opens it again, with nothing chosen, and the keyboard alone leads on.
  await page.getByRole('button', { name: 'Add Domain', exact: true }).press('Enter')
  await expect(modal.getByRole('radio', { checked: true })).toHaveCount(0)
  await modal.getByRole('button', { name: 'Cancel' }).click()
  await expect(modal).toHaveCount(0)
  await page.getByRole('button', { name: 'Add Domain', exact: true }).press('Enter')
  await fresh.focus()
  // Held as fingers hold it: the choice moves while the key is down.
  await page.keyboard.down('ArrowDown')
  await expect(ours).toBeChecked()
  await page.keyboard.up('ArrowDown')
  await next.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/add-domain$/)
  await expect(page.getByLabel('Enter domain', { exact: true })).toBeVisible()
})

test('loading, failing, and trying again [2.51 2.52 8.15]', async ({ setting, person }) => {
  const { page } = person
  await aDomain(setting, { name: 'slow.example', workspaceId: person.workspace.id })
  const answer = await holding(page, '/domains')
  await page.goto(DOMAINS)
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  await expect(page.getByText('No domain available')).toHaveCount(0)
  answer()
  await expect(page.getByText('slow.example')).toBeVisible()
  await expect(page.getByText('Loading...', { exact: true })).toHaveCount(0)

  const mend = await failing(page, 'GET', '/domains', { statusCode: 403, type: 'FORBIDDEN' })
  await page.reload()
  await expect(page.getByText('Error loading domains', { exact: true })).toBeVisible()
  await expect(page.getByText('No domain available')).toHaveCount(0)
  await mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('slow.example')).toBeVisible()
  await expect(page.getByText('Error loading domains')).toHaveCount(0)
})

test('a domain moves to a workspace where one is Admin too, which is said before [2.50]', async ({
  setting,
  person,
}) => {
  const { page, user } = person
  const workspaceId = person.workspace.id
  const domain = await aDomain(setting, { name: 'moves.example', workspaceId, active: true })
  await aMailbox(setting, { domain })
  await aMailbox(setting, { domain })
  await aWorkspace(setting, { name: 'Only Editor', members: [{ user, role: 'Editor' }] })
  const dialog = page.getByRole('dialog', { name: 'Add to workspace' })
  const move = dialog.getByRole('button', { name: 'Move domain' })
  const open = async () => {
    await page.goto(DOMAINS)
    await page.getByRole('button', { name: 'Actions for moves.example' }).click()
    await page.getByRole('menuitem', { name: 'Add to workspace' }).click()
  }
  await open()
  await expect(dialog).toContainText('You are Admin of no other workspace yet. Make one')
  await expect(move).toBeDisabled()

  for (const name of ['Second', 'Third'])
    await aWorkspace(setting, { name, members: [{ user, role: 'Admin' }] })
  await open()
  await expect(dialog).toContainText('Moves moves.example out of this workspace')
  await expect(dialog.getByRole('listitem').nth(1)).toHaveText('2 mailboxes')
  await expect(move).toBeDisabled()
  await dialog.getByLabel('Workspace', { exact: true }).click()
  await expect(page.getByRole('option')).toHaveText(['Second', 'Third'])
  await page.getByRole('option', { name: 'Third' }).click()
  await move.click()
  await expectToast(page, 'Domain moved', 'moves.example is now in Third.')
  await expect(page.getByText('No domain available')).toBeVisible()
})

test('an Editor does not move domains, and a User does not see them', async ({
  setting,
  browser,
  baseURL,
}) => {
  const admin = await aUser(setting)
  const workspace = await aWorkspace(setting, { members: [{ user: admin, role: 'Admin' }] })
  await aDomain(setting, { name: 'shared.example', workspaceId: workspace.id })
  for (const role of ['Editor', 'User'] as const) {
    const context = await browser.newContext({ baseURL: baseURL ?? '' })
    const { page } = await aPerson(setting, context, await context.newPage(), { role, workspace })
    await page.goto(DOMAINS)
    if (role === 'Editor') {
      await page.getByRole('button', { name: 'Actions for shared.example' }).click()
      await expect(page.getByRole('menuitem', { name: 'Add to workspace' })).toBeDisabled()
    } else {
      await expect(page.getByRole('button', { name: 'Add Domain' })).toHaveCount(0)
      await expect(page.getByText('Only Admins and Editors can see this')).toBeVisible()
      await expect(table(page)).toHaveCount(0)
    }
    await context.close()
  }
})

test('on a phone a row says everything, and nothing is cut', async ({ setting, person }) => {
  const { page } = person
  await page.setViewportSize({ width: 390, height: 844 })
  await aList(setting, person)
  await page.goto(DOMAINS)
  const row = rowOf(page, 'alpha9')
  await row.scrollIntoViewIfNeeded()
  for (const text of ['Inactive', 'Pending', '3 of 4'])
    await expect(row.getByText(text).filter({ visible: true })).toBeInViewport({ ratio: 1 })
  await expect(row.getByRole('button', { name: 'Verify' })).toBeInViewport({ ratio: 1 })
  const cut = await table(page).evaluate(
    (at) =>
      [...at.querySelectorAll('span, a, td')].filter(
        (part) => part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1,
      ).length,
  )
  expect(cut).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('deleting a domain names what is lost first', async ({ setting, person }) => {
  const { page } = person
  const workspaceId = person.workspace.id
  const domain = await aDomainWithRecords(setting, {
    name: 'gone.example',
    workspaceId,
    verified: true,
  })
  await aMailbox(setting, { domain })
  await aMailbox(setting, { domain })
  await page.goto(`/dashboard/domains/${domain.id}`)
  const confirm = page.getByRole('alertdialog', { name: 'Delete gone.example?' })
  await page.getByRole('button', { name: 'Delete domain' }).click()
  await expect(confirm).toContainText('Its 2 mailboxes and all mail in them are deleted.')
  await expect(confirm).toContainText('until then it can be taken back.')
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await expect(confirm).toHaveCount(0)
  const mend = await failing(page, 'DELETE', `/domains/${domain.id}`, { statusCode: 503 })
  await page.getByRole('button', { name: 'Delete domain' }).click()
  await confirm.getByLabel('Type gone.example to confirm').fill('gone.example')
  await confirm.getByRole('button', { name: 'Delete domain' }).click()
  await expectToast(page, 'Error', 'Something went wrong')
  await expect(confirm).toBeVisible()
  await mend()
  await confirm.getByRole('button', { name: 'Delete domain' }).click()
  await expectToast(page, 'Domain deleted', 'gone.example')
  await expect(page).toHaveURL(/\/dashboard\/domains$/)
  await expect(page.getByText('No domain available')).toBeVisible()
  expect((await person.call('GET', '/domains')).body).toEqual([])
})
