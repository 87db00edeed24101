import type { Page } from '@playwright/test'
import { button, dialog, isPhone, menu, question, type Screen } from './screen.ts'

const home = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...screen,
  who: 'member',
  path: '/dashboard',
})

const workspaces = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...screen,
  who: 'member',
  path: '/dashboard/workspaces',
})

const openSidebar = async (page: Page) => {
  await button(page, 'Toggle sidebar').click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

const openSwitcher = async (page: Page) => {
  if (isPhone(page)) await openSidebar(page)
  await button(page, /^Workspace: /).click()
}

const createWorkspace = async (page: Page) => {
  await openSwitcher(page)
  await page.getByRole('menuitem', { name: 'Create workspace' }).click()
}

const openPalette = async (page: Page) => {
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page.keyboard.press('Control+k')
}

const welcome = (page: Page) => {
  const state = { usr: { showWelcomeModal: true }, key: 'welcome', idx: 0 }
  return page.evaluate((given) => {
    history.replaceState(given, '', '/dashboard')
    location.reload()
  }, state)
}

export const shellScreens: Screen[] = [
  home({ name: 'home', state: 'full', ready: 'Needs attention' }),
  {
    ...{ name: 'home, nothing yet', who: 'newcomer', state: 'empty', path: '/dashboard' },
    ready: 'First steps',
  },
  {
    ...{ name: 'home, no workspace', who: 'newcomer', state: 'empty', path: '/dashboard' },
    ...{ answers: { 'GET /workspaces': { json: [] } }, ready: 'You are in no workspace' },
  },
  home({
    ...{ name: 'home, loading', state: 'loading', holds: ['/stats'] },
    ready: 'Messages today',
  }),
  home({
    ...{ name: 'home, failed', state: 'failing', fails: ['/stats'] },
    ready: 'The figures could not be loaded',
  }),
  home({ name: 'home, welcome', state: 'open', steps: welcome, ready: dialog }),
  home({
    ...{ name: 'shell, sidebar toggled', state: 'open', steps: openSidebarOnPhone },
    ready: (page) => page.getByRole('navigation', { name: 'Main' }),
  }),
  home({
    ...{ name: 'shell, account menu', state: 'open' },
    steps: (page) => button(page, 'Account menu').click(),
    ready: menu,
  }),
  home({
    ...{ name: 'shell, tooltip', state: 'open' },
    steps: (page) => button(page, 'Toggle sidebar').focus(),
    ready: (page) => page.getByRole('tooltip').or(button(page, 'Toggle sidebar')),
  }),
  home({ name: 'shell, workspaces', state: 'open', steps: openSwitcher, ready: menu }),
  home({
    ...{ name: 'shell, create workspace', state: 'open', steps: createWorkspace },
    // On a phone the sidebar is a dialog too.
    ready: (page) => page.getByRole('dialog', { name: 'Create workspace' }),
  }),
  home({
    ...{ name: 'shell, discard question', state: 'open' },
    steps: async (page) => {
      await createWorkspace(page)
      await dialog(page).getByLabel('Name').fill('شركة البريد الحديثة')
      await button(page, 'Cancel').click()
    },
    ready: question,
  }),
  home({ name: 'shell, command palette', state: 'open', steps: openPalette, ready: dialog }),
  home({
    ...{ name: 'shell, command palette finds nothing', state: 'open' },
    steps: async (page) => {
      await openPalette(page)
      await page.getByPlaceholder('Type a command or search...').fill('qqq')
    },
    ready: 'No results found.',
  }),
  workspaces({ name: 'workspaces', state: 'full', ready: '3 workspaces' }),
  workspaces({
    ...{ name: 'workspaces, loading', state: 'loading', holds: ['/workspaces/figures'] },
    ready: 'Loading...',
  }),
  workspaces({
    ...{ name: 'workspaces, failed', state: 'failing', fails: ['/workspaces/figures'] },
    ready: 'Error loading the workspaces',
  }),
  workspaces({
    ...{ name: 'workspaces, none found', state: 'empty', ready: 'Nothing found' },
    steps: (page) => page.getByLabel('Search workspaces').fill('qqq'),
  }),
  {
    ...{ name: 'shell, unknown page', who: 'member', state: 'full', path: '/dashboard/nowhere' },
    ready: 'Whoops!',
  },
]

/** On a wide screen it folds to a rail, and stays so by its cookie: it is unfolded again. */
async function openSidebarOnPhone(page: Page): Promise<void> {
  await openSidebar(page)
  if (!isPhone(page)) await page.context().clearCookies({ name: 'sidebar:state' })
}
