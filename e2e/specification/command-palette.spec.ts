/** The command palette, and the theme that it changes. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { intercept } from '../intercept.ts'
import { expect, opened, test } from './setting.ts'

const entries = {
  Dashboard: '/dashboard',
  Domains: '/dashboard/domains',
  Mailboxes: '/dashboard/mailboxes',
  'Add new Mailbox': '/dashboard/new-mail-box',
  'View Mailbox': '/dashboard/view-mail',
  'Mailbox setting': '/dashboard/mail-box-settings',
  Settings: '/dashboard/settings',
  Profile: '/dashboard/profile',
}

/** Of the bar of the browser, as the server writes it. */
const DARK_CANVAS = '#0e1014'

const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })

test('Ctrl+K and Cmd+K open it; it lists where to go and the themes, and says when nothing fits [2.32 2.33 8.16]', async ({
  person: { page },
}) => {
  await opened(page, '/dashboard')
  const palette = paletteOf(page)
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await expect(palette).toHaveCount(0)
  await page.keyboard.press('k')
  await expect(palette).toHaveCount(0)
  await page.keyboard.press('Meta+k')
  await expect(palette).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(palette).toBeVisible()

  await expect(palette.getByRole('group', { name: 'Navigation' }).getByRole('option')).toHaveText(
    Object.keys(entries),
  )
  await expect(palette.getByRole('group', { name: 'Theme' }).getByRole('option')).toHaveText([
    'Light',
    'Dark',
    /^System/,
  ])
  const nothing = palette.getByText('No results found.', { exact: true })
  await expect(nothing).toHaveCount(0)
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('mailbox')
  await expect(palette.getByRole('option')).toHaveText([
    'Mailboxes',
    'Mailbox setting',
    'Add new Mailbox',
    'View Mailbox',
  ])
  await page.keyboard.type('qqq')
  await expect(nothing).toBeVisible()
  await expect(palette.getByRole('option')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(palette).toHaveCount(0)
})

test('what is typed and entered before the palette is loaded counts', async ({
  person: { page },
}) => {
  let load: (() => void) | undefined
  const loaded = new Promise<null>((resolve) => {
    load = () => resolve(null)
  })
  await intercept(page, { glob: '**/assets/command-palette-*', answer: () => loaded })
  await opened(page, '/dashboard')
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Type a command or search...').fill('settings')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toHaveCount(0)
  load?.()
  await expect(page).toHaveURL(/\/dashboard\/settings/)
  await expect(paletteOf(page)).toHaveCount(0)
})

test('what is typed while the palette is loading stands in it', async ({ person: { page } }) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/command-palette*.js', async (route) => {
    await promise
    await route.continue()
  })
  await opened(page, '/dashboard')
  await page.getByRole('button', { name: 'Go to' }).click()
  await page.keyboard.type('dom')
  await expect(paletteOf(page).getByRole('textbox')).toHaveValue('dom')
  resolve()
  await expect(paletteOf(page).getByRole('option', { name: 'Domains', exact: true })).toBeVisible()
  await page.keyboard.type('ains')
  await expect(paletteOf(page).getByRole('combobox')).toHaveValue('domains')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard/domains')
})

test('each entry leads where it says, and the focus follows [2.33]', async ({
  person: { page },
}) => {
  await opened(page, '/dashboard/settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  for (const [name, path] of Object.entries(entries)) {
    await page.getByRole('button', { name: 'Go to' }).click()
    await expect(paletteOf(page).getByRole('combobox')).toBeFocused()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(path)
    await expect(paletteOf(page)).toHaveCount(0)
    // This page opens a dialog, which keeps the focus.
    if (name === 'Add new Mailbox') {
      await expect(page.getByRole('dialog', { name: 'Create mailbox' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    } else await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  }
})

test('it finds domains, mailboxes and users, behind the pages of that name', async ({
  setting,
  person: { page, workspace, email },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const other = await aDomain(setting, {})
  const mailbox = await aMailbox(setting, { domain, localPart: 'grace', firstName: 'Grace' })
  await aMailbox(setting, { domain: other, localPart: 'grace', firstName: 'Grace' })
  await opened(page, '/dashboard')
  await page.keyboard.press('Control+k')
  const palette = paletteOf(page)
  const found = (kind: string) =>
    palette.getByRole('group', { name: `Found in ${kind}` }).getByRole('option')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('GRACE love')
  await expect(found('mailboxes')).toHaveText([new RegExp(`grace@${domain.name}`)])
  await page.keyboard.press('Control+a')
  await page.keyboard.type(email)
  await expect(found('users')).toContainText([email])
  await page.keyboard.press('Control+a')
  await page.keyboard.type(domain.name)
  await expect(found('domains')).toContainText([domain.name])
  await expect(found('mailboxes')).toHaveCount(1)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`grace@${domain.name}`)
  await expect(found('domains')).toHaveCount(0)
  await expect(found('mailboxes')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/dashboard/view-mail?mailbox=${mailbox.id}`)
  // It begins anew.
  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('combobox')).toHaveValue('')
})

test('the theme is light, dark or that of the system, and is there before the first paint after a reload [2.33 4.47]', async ({
  person: { page },
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.addInitScript(() => {
    const seen = new Set<string>()
    Object.assign(globalThis, { seenBackgrounds: seen })
    const look = () => {
      if (document.body) seen.add(getComputedStyle(document.body).backgroundColor)
      requestAnimationFrame(look)
    }
    look()
  })
  await opened(page, '/dashboard')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const choose = async (theme: string) => {
    await page.keyboard.press('Control+k')
    await paletteOf(page).getByRole('option', { name: theme }).click()
    await expect(paletteOf(page)).toHaveCount(0)
  }
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  const light = await background()

  await choose('Dark')
  const dark = await background()
  expect(dark).not.toBe(light)
  const bar = page.locator('meta[name="theme-color"]')
  await expect(bar).toHaveAttribute('content', DARK_CANVAS)
  await opened(page)
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  const seen = await page.evaluate(() => [
    ...(globalThis as unknown as { seenBackgrounds: Set<string> }).seenBackgrounds,
  ])
  expect(seen).toContain(dark)
  expect(seen).not.toContain(light)

  // The choice outlives its cookie, which then tells the server again.
  await page.context().clearCookies({ name: 'mailstead-theme' })
  await opened(page)
  await expect.poll(background).toBe(dark)
  await expect(bar).toHaveAttribute('content', DARK_CANVAS)
  const told = (await page.context().cookies()).find(({ name }) => name === 'mailstead-theme')
  expect(told?.value).toBe('dark')

  await choose('System')
  expect(await background()).toBe(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).toBe(dark)
  await choose('Light')
  expect(await background()).toBe(light)
  await opened(page)
  expect(await background()).toBe(light)
})
