/** What stands around every page of the dashboard. */
import type { Page } from '@playwright/test'
import { aDomain, aWorkspace } from '#test-world/builders.ts'
import { expect, expectToast, opened, test } from './setting.ts'

/** Entry of the menu, its path, and the title of the header there. */
const menu = [
  ['Domains', '/dashboard/domains', 'Domains'],
  ['Mailboxes', '/dashboard/mailboxes', 'Mailboxes'],
  ['View Mailbox', '/dashboard/view-mail', 'View Mail'],
  ['Mailbox setting', '/dashboard/mail-box-settings', 'Mailbox settings'],
  ['Settings', '/dashboard/settings', 'Settings'],
  ['Dashboard', '/dashboard', 'Dashboard'],
  // Last, since a dialog opens with it.
  ['Add new Mailbox', '/dashboard/new-mail-box', 'Mailboxes'],
] as const

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main', includeHidden: true })
const headerOf = (page: Page) =>
  page.getByRole('banner', { includeHidden: true }).first().locator('p')
const sidebarOf = (page: Page) => page.getByRole('complementary')
const widthOf = async (page: Page) => (await sidebarOf(page).boundingBox())?.width
const ready = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()

test('the menu leads to each page; the header names it, one entry is active, and the focus follows [2.28 2.29 2.30]', async ({
  person: { page },
}) => {
  await opened(page, '/dashboard')
  const links = menuOf(page).getByRole('link', { includeHidden: true })
  await expect(links).toHaveText([
    'Dashboard',
    'Domains',
    'Mailboxes',
    'Add new Mailbox',
    'View Mailbox',
    'Mailbox setting',
    'Settings',
  ])
  const mailboxes = menuOf(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Mailboxes', exact: true }) })
  await expect(mailboxes.getByRole('listitem')).toHaveText([
    'Add new Mailbox',
    'View Mailbox',
    'Mailbox setting',
  ])
  const active = menuOf(page).locator('[aria-current=page]')
  await expect(active).toHaveText('Dashboard')
  for (const [name, path, title] of menu) {
    await menuOf(page).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(path)
    await expect(headerOf(page)).toHaveText(title)
    await expect(active).toHaveText(name)
    if (name !== 'Add new Mailbox')
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  }
})

test('the wizard is headed Add Domain, and Domain when it is about one that exists [2.28]', async ({
  setting,
  person: { page, workspace },
}) => {
  const { id } = await aDomain(setting, { workspaceId: workspace.id })
  await opened(page, '/dashboard/add-domain')
  await expect(headerOf(page)).toHaveText('Add Domain')
  await page.goto(`/dashboard/add-domain?id=${id}`)
  await expect(headerOf(page)).toHaveText('Domain')
  await expect(menuOf(page).locator('[aria-current=page]')).toHaveCount(0)
})

test('the avatar menu leads to the profile and out [2.28]', async ({ person: { page, email } }) => {
  await opened(page, '/dashboard')
  const avatar = page.getByRole('button', { name: 'Account menu' })
  await avatar.click()
  await expect(page.getByRole('menu')).toContainText(email)
  await expect(page.getByRole('menuitem')).toHaveText(['Profile', 'Log out'])
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expect(page).toHaveURL('/dashboard/profile')
  await expect(headerOf(page)).toHaveText('Profile')
  await avatar.click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/login')
})

test('a menu opened while a page is on its way stays open when it arrives', async ({
  person: { page },
}) => {
  await opened(page, '/dashboard')
  const isLeft = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await isLeft.promise
    await route.continue()
  })
  const onItsWay = page.waitForRequest('**/*.js')
  await menuOf(page).getByRole('link', { name: 'Domains', exact: true }).click()
  await onItsWay
  await page.getByRole('button', { name: 'Account menu' }).click()
  const logOut = page.getByRole('menuitem', { name: 'Log out' })
  await expect(logOut).toBeVisible()
  isLeft.resolve()
  await expect(page.getByRole('heading', { name: 'Domains', level: 1 })).toBeVisible()
  await expect(logOut).toBeVisible()
})

test('the first Tab shows a link that skips to the main part [2.28]', async ({
  person: { page },
}) => {
  await opened(page, '/dashboard')
  await ready(page)
  // What the Tab leads to comes with the figures.
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
  const skip = page.getByRole('link', { name: 'Skip to main' })
  const height = async () => (await skip.boundingBox())?.height
  expect(await height()).toBe(1)
  await page.keyboard.press('Tab')
  await expect(skip).toBeFocused()
  expect(await height()).toBeGreaterThan(24)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
  expect(await height()).toBe(1)
})

test('the sidebar is 16rem wide; Ctrl+B and Cmd+B make it 3rem and back; a cookie keeps that for 7 days, and no reload flickers [2.34 2.35 4.48 9.16 9.17]', async ({
  person: { page, context },
}) => {
  await page.addInitScript(() => {
    const seen = new Set<number>()
    Object.assign(globalThis, { seenWidths: seen })
    const look = () => {
      const sidebar = document.querySelector('aside')
      if (sidebar) seen.add(sidebar.getBoundingClientRect().width)
      requestAnimationFrame(look)
    }
    look()
  })
  const seenWidths = () =>
    page.evaluate(() => [...(globalThis as unknown as { seenWidths: Set<number> }).seenWidths])
  const stateCookie = async () =>
    (await context.cookies()).find(({ name }) => name === 'sidebar:state')

  await opened(page, '/dashboard')
  await ready(page)
  expect(await widthOf(page)).toBe(16 * 16)
  expect(await stateCookie()).toBeUndefined()

  await page.keyboard.press('Control+b')
  await expect.poll(() => widthOf(page)).toBe(3 * 16)
  await expect(menuOf(page).getByRole('link', { name: 'View Mailbox' })).toHaveCount(0)
  const cookie = await stateCookie()
  expect(cookie).toMatchObject({ value: 'false', path: '/' })
  const lastsSeconds = (cookie?.expires ?? 0) - Date.now() / 1000
  expect(Math.abs(lastsSeconds - 604_800)).toBeLessThan(60)

  await opened(page)
  await ready(page)
  expect(await seenWidths()).toEqual([3 * 16])
  await page.keyboard.press('Meta+b')
  await expect.poll(() => widthOf(page)).toBe(16 * 16)
  expect(await stateCookie()).toMatchObject({ value: 'true' })
  await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await expect.poll(() => widthOf(page)).toBe(3 * 16)
})

test('from 768 px on there is a sidebar, below a sheet of 18rem [9.17 9.18]', async ({
  person: { page, context },
}) => {
  await page.setViewportSize({ width: 768, height: 900 })
  await opened(page, '/dashboard')
  await ready(page)
  await expect(sidebarOf(page)).toBeVisible()
  await page.setViewportSize({ width: 767, height: 900 })
  await expect(sidebarOf(page)).toHaveCount(0)
  await expect(menuOf(page)).toHaveCount(0)

  const sheet = page.getByRole('dialog', { name: 'Navigation' })
  await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await expect(sheet).toBeVisible()
  // As it is styled: a box that is still sliding in is measured a hair off.
  await expect(sheet).toHaveCSS('width', `${18 * 16}px`)
  await sheet.getByRole('link', { name: 'Domains' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard/domains')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  // Back to a page that is there at once.
  await page.keyboard.press('Control+b')
  await sheet.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await page.keyboard.press('Control+b')
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Control+b')
  await expect(sheet).toHaveCount(0)
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('sidebar:state')
})

test('a tooltip waits 700 ms, in the sidebar none [9.19]', async ({ person: { page } }) => {
  await page.clock.install()
  await opened(page, '/dashboard')
  await ready(page)
  await page.clock.pauseAt(Date.now() + 60_000)
  const tooltip = page.getByRole('tooltip')
  await page.getByRole('button', { name: 'Toggle sidebar' }).hover()
  await page.clock.runFor(699)
  await expect(tooltip).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(tooltip).toHaveText(/Toggle sidebar/)

  // The rail says by tooltips what the wide sidebar writes out.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+b')
  const domains = menuOf(page).getByRole('link', { name: 'Domains' })
  await page.mouse.move(700, 700)
  await page.clock.runFor(1000)
  await expect(tooltip).toHaveCount(0)
  await domains.hover()
  await page.clock.runFor(1)
  await expect(tooltip).toHaveText('Domains')
})

test("the team switcher lists the user's workspaces, switches, creates and renames [2.31]", async ({
  setting,
  person: { page, user },
}) => {
  await aWorkspace(setting, { name: 'Second Shop', members: [{ user, role: 'Admin' }] })
  await aWorkspace(setting, { name: 'Of a stranger' })
  await opened(page, '/dashboard/settings')
  const switcher = page.getByRole('button', { name: /^Workspace:/ })
  await expect(switcher).toContainText('Analytical Engines')
  await switcher.click()
  const choices = page.getByRole('menuitemcheckbox')
  await expect(choices).toHaveText(['Analytical Engines', 'Second Shop'])
  await expect(choices.first()).toBeChecked()
  await page.getByRole('menuitemcheckbox', { name: 'Second Shop' }).click()
  await expect(switcher).toContainText('Second Shop')
  await expect(page).toHaveURL('/dashboard')

  await switcher.click()
  await page.getByRole('menuitem', { name: 'Create workspace' }).click()
  const creating = page.getByRole('dialog', { name: 'Create workspace' })
  await creating.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(creating.getByLabel('Name')).toHaveAccessibleDescription('Please enter a name')
  await creating.getByLabel('Name').fill('Third Shop')
  await creating.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Workspace created', 'Third Shop')
  await expect(creating).toHaveCount(0)
  await expect(switcher).toContainText('Third Shop')

  await switcher.click()
  await page.getByRole('menuitem', { name: 'Rename workspace' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename workspace' })
  await expect(renaming.getByLabel('Name')).toHaveValue('Third Shop')
  await renaming.getByLabel('Name').fill('Corner Shop')
  await renaming.getByRole('button', { name: 'Save' }).click()
  await expect(switcher).toContainText('Corner Shop')
  await opened(page)
  await expect(switcher).toContainText('Corner Shop')
  await switcher.click()
  await expect(choices).toHaveText(['Analytical Engines', 'Second Shop', 'Corner Shop'])
})
