import type { Page } from '@playwright/test'
import { button, click, dialog, listbox, menu, question, type Screen } from './screen.ts'

const mailboxes = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...screen,
  who: 'member',
  path: '/dashboard/mailboxes',
})

const openMenu = (page: Page) => page.getByRole('button', { name: /^Actions for ada@/ }).click()

/** Those to be paid are selected at first, so once may be to none. */
const selectAll = (page: Page) => page.getByRole('checkbox', { name: 'Select all' }).check()

const chooseDomains = async (page: Page) => {
  await button(page, 'Auto generate').click()
  await dialog(page).getByLabel('Domains').click()
  await page.getByRole('option').first().waitFor()
}

const chooseNames = async (page: Page) => {
  await chooseDomains(page)
  for (const option of (await page.getByRole('option').all()).slice(0, 4)) await option.click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Mailboxes per domain').click()
  await page.getByRole('option', { name: '5' }).click()
  await button(page, 'Next').click()
  await page.getByLabel('Name type').click()
  await page.getByRole('option', { name: 'Random (female)' }).click()
  await page.getByLabel('Last name 5').waitFor()
}

export const mailboxScreens: Screen[] = [
  mailboxes({ name: 'mailboxes', state: 'full', ready: 'ada@analytical-engines.example' }),
  {
    ...{ name: 'mailboxes, none', who: 'newcomer', state: 'empty', path: '/dashboard/mailboxes' },
    ready: 'No mailboxes available',
  },
  mailboxes({
    ...{ name: 'mailboxes, loading', state: 'loading', holds: ['/mailboxes*', '/stats'] },
    ready: (page) => page.getByRole('table'),
  }),
  mailboxes({
    ...{ name: 'mailboxes, failed', state: 'failing', fails: ['/mailboxes*', '/stats'] },
    ready: 'Error loading mailboxes',
  }),
  mailboxes({
    ...{ name: 'mailboxes, nothing found', state: 'empty' },
    steps: (page) => page.getByLabel('Search mailboxes').fill('z'.repeat(80)),
    ready: 'Nothing found',
  }),
  mailboxes({
    ...{ name: 'mailboxes, full height', state: 'full', steps: click('Show more rows') },
    ready: (page) => page.getByRole('button', { name: 'Show more rows', pressed: true }),
  }),
  mailboxes({
    ...{ name: 'mailboxes, selected', state: 'full', steps: selectAll },
    ready: (page) => page.getByRole('region', { name: 'Selected rows' }),
  }),
  mailboxes({
    ...{ name: 'mailboxes, set up access', state: 'open' },
    steps: async (page) => {
      await selectAll(page)
      await button(page, 'Set up access').click()
    },
    ready: dialog,
  }),
  mailboxes({ name: 'mailboxes, action menu', state: 'open', steps: openMenu, ready: menu }),
  mailboxes({
    ...{ name: 'mailboxes, edit', state: 'open' },
    steps: async (page) => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Edit Record' }).click()
    },
    ready: dialog,
  }),
  mailboxes({
    ...{ name: 'mailboxes, delete', state: 'open' },
    steps: async (page) => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Delete Record' }).click()
    },
    ready: question,
  }),
  mailboxes({
    ...{ name: 'mailboxes, suspend', state: 'open' },
    steps: async (page) => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Suspend' }).click()
    },
    ready: question,
  }),
  mailboxes({ name: 'mailboxes, pay', state: 'open', steps: click(/^Pay Now/), ready: question }),
  {
    ...{ name: 'new-mail-box', who: 'member', state: 'open', path: '/dashboard/new-mail-box' },
    ready: (page) => dialog(page).getByText('Select a domain'),
  },
  {
    ...{ name: 'new-mail-box, no domain', who: 'newcomer', state: 'empty' },
    path: '/dashboard/new-mail-box',
    ready: 'No domain is active yet.',
  },
  {
    ...{ name: 'new-mail-box, domains', who: 'member', state: 'open' },
    path: '/dashboard/new-mail-box',
    steps: (page) => dialog(page).getByRole('combobox', { name: 'Domain' }).click(),
    ready: (page) => page.getByRole('option'),
  },
  {
    ...{ name: 'new-mail-box, wrong', who: 'member', state: 'failing' },
    path: '/dashboard/new-mail-box',
    steps: click('Create'),
    ready: 'Empty first name',
  },
  mailboxes({
    ...{ name: 'mailboxes, generate 1, domains', state: 'open', steps: chooseDomains },
    ready: listbox,
  }),
  mailboxes({
    ...{ name: 'mailboxes, generate 2', state: 'open', steps: chooseNames },
    ready: (page) => page.getByLabel('Last name 5'),
  }),
  mailboxes({
    ...{ name: 'mailboxes, generate 3', state: 'open' },
    steps: async (page) => {
      await chooseNames(page)
      await button(page, 'Next').click()
    },
    ready: (page) => page.getByRole('textbox', { name: 'Signature' }),
  }),
]
