import type { Page } from '@playwright/test'
import type { WorkspaceExport } from '#contract/mail/workspace-exports.ts'
import { button, click, dialog, listbox, menu, question, type Screen } from './screen.ts'

const at =
  (path: string) =>
  (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
    ...screen,
    who: 'member',
    path,
  })
const company = at('/dashboard/settings')
const users = at('/dashboard/settings?tab=users')
const details = at('/dashboard/profile')
const billing = at('/dashboard/profile?tab=billing')

const endingWorkspace = {
  ...{ _id: '0190d5a0-0000-7000-8000-000000000000', name: 'Analytical Engines', role: 'Admin' },
  ...{ isCurrent: true, endsAt: '2027-01-09T12:00:00.000Z', suspendedFor: null },
}

const NO_ROOM = 'The disk of this server has no room for it. Ask the operator of this installation'

const done: Partial<WorkspaceExport> = {
  ...{ state: 'done', written: 48_000, size: 7_400_000_000 },
  expiresAt: '2027-01-09T12:00:00.000Z',
}

const exporting = (
  name: string,
  given: Partial<WorkspaceExport>,
  ready: Screen['ready'],
): Screen => {
  const made: WorkspaceExport = {
    ...{ _id: crypto.randomUUID(), state: 'running', messages: 48_000, written: 0, size: 0 },
    ...{ askedBy: 'Augusta Ada King-Noel (ada.king-noel@analytical-engines.example)', reason: '' },
    ...{ createdAt: '2027-01-02T12:00:00.000Z', expiresAt: null },
    ...given,
  }
  return company({
    ...{ name: `settings, ${name}`, state: 'full', ready },
    answers: { 'GET /workspace-exports': { json: [made] } },
    steps: (page) => page.getByText(/^Delete this workspace/).scrollIntoViewIfNeeded(),
  })
}

const openUser = (page: Page) =>
  page
    .getByRole('button', { name: /^Actions for/ })
    .nth(1)
    .click()

export const accountScreens: Screen[] = [
  company({
    name: 'settings, account',
    state: 'full',
    ready: (page) => page.getByLabel('Zip Code'),
  }),
  {
    ...{ name: 'settings, account, nothing yet', who: 'newcomer', state: 'empty' },
    path: '/dashboard/settings',
    ready: 'Select a country',
  },
  {
    ...{ name: 'settings, account, wrong', who: 'newcomer', state: 'failing' },
    path: '/dashboard/settings',
    steps: async (page) => {
      await page.getByLabel('Website').fill('not an address')
      await button(page, 'Update').click()
    },
    ready: 'Zip code is required',
  },
  company({
    ...{ name: 'settings, export everything', state: 'open', steps: click('Export everything') },
    ready: (page) => question(page).getByLabel('Your password'),
  }),
  exporting('export running', { written: 31_000 }, '31,000 of 48,000 messages'),
  exporting('export waiting', { state: 'waiting' }, 'It begins in a moment'),
  exporting('export done', done, 'Kept until'),
  exporting('export failed', { state: 'failed', reason: NO_ROOM }, 'It could not be made'),
  company({
    ...{ name: 'settings, exports, failed', state: 'failing', fails: ['/workspace-exports'] },
    ready: 'Error loading the exports',
  }),
  company({
    ...{ name: 'settings, delete workspace', state: 'open', steps: click('Delete workspace') },
    ready: (page) => question(page).getByText('What ends'),
  }),
  {
    ...{ name: 'settings of an Editor', state: 'empty', who: 'editor' },
    path: '/dashboard/settings',
    ready: 'Your account stays',
  },
  {
    ...{ name: 'settings, leave workspace', state: 'open', who: 'editor' },
    ...{ path: '/dashboard/settings', steps: click('Leave workspace'), ready: question },
  },
  {
    ...{ name: 'settings, leaving, failed', state: 'failing', who: 'editor' },
    ...{ path: '/dashboard/settings', fails: ['/account/leaving'] },
    ready: 'Error loading whether you can leave',
  },
  {
    ...{ name: 'workspace, deleted', who: 'newcomer', state: 'full', path: '/dashboard/settings' },
    answers: { 'GET /workspaces': { json: [endingWorkspace] } },
    ready: 'with everything in it',
  },
  company({
    ...{ name: 'settings, account, loading', state: 'loading', holds: ['/company'] },
    ready: 'Loading...',
  }),
  company({
    ...{ name: 'settings, account, failed', state: 'failing', fails: ['/company'] },
    ready: 'Error loading the company profile',
  }),
  company({
    ...{ name: 'settings, countries', state: 'open' },
    steps: (page) => page.getByRole('combobox', { name: 'Country' }).click(),
    ready: listbox,
  }),
  company({
    ...{ name: 'settings, time format', state: 'open' },
    steps: (page) => page.getByRole('combobox', { name: 'Time Format' }).click(),
    ready: (page) => page.getByRole('option'),
  }),
  users({ name: 'settings, users', state: 'full', ready: 'Users: 17' }),
  users({
    ...{ name: 'settings, users, loading', state: 'loading', holds: ['/members'] },
    ready: 'Loading...',
  }),
  users({
    ...{ name: 'settings, users, failed', state: 'failing', fails: ['/members'] },
    ready: 'Error loading users',
  }),
  users({ name: 'settings, users, menu', state: 'open', steps: openUser, ready: menu }),
  users({
    ...{ name: 'settings, users, remove', state: 'open' },
    steps: async (page) => {
      await openUser(page)
      await page.getByRole('menuitem', { name: /workspace/ }).click()
    },
    ready: question,
  }),
  details({
    name: 'profile, details',
    state: 'full',
    ready: (page) => page.getByLabel('First name'),
  }),
  details({
    ...{ name: 'profile, details, loading', state: 'loading', holds: ['/profile'] },
    ready: 'Loading...',
  }),
  details({
    ...{ name: 'profile, details, failed', state: 'failing', fails: ['/profile'] },
    ready: 'Error loading your profile',
  }),
  details({
    ...{ name: 'profile, details, wrong', state: 'failing' },
    steps: async (page) => {
      await page.getByLabel('First name').fill('')
      await page.getByLabel('Email').fill('ada')
      await button(page, 'Save changes').click()
    },
    ready: 'Enter a valid email address',
  }),
  details({
    ...{ name: 'profile, preferences, loading', state: 'loading', holds: ['/preferences'] },
    ready: 'Loading your preferences',
  }),
  details({
    ...{ name: 'profile, preferences, failed', state: 'failing', fails: ['/preferences'] },
    ready: 'Your preferences could not be loaded',
  }),
  details({
    ...{ name: 'profile, time zones', state: 'open' },
    steps: (page) => page.getByRole('combobox', { name: 'Time zone' }).click(),
    ready: listbox,
  }),
  details({
    ...{ name: 'profile, password', state: 'open', steps: click('Update password') },
    ready: dialog,
  }),
  details({
    ...{ name: 'profile, password, wrong', state: 'failing' },
    steps: async (page) => {
      await button(page, 'Update password').click()
      await button(page, 'Save').click()
    },
    ready: 'Old password is required',
  }),
  billing({
    name: 'profile, billing',
    state: 'full',
    ready: (page) => page.getByText('MS-').first(),
  }),
  {
    ...{ name: 'profile, billing, none', who: 'newcomer', state: 'empty' },
    path: '/dashboard/profile?tab=billing',
    ready: 'No invoices yet',
  },
  billing({
    ...{ name: 'profile, billing, loading', state: 'loading', holds: ['/invoices*'] },
    ready: (page) => page.getByRole('table'),
  }),
  billing({
    ...{ name: 'invoice', state: 'full' },
    steps: (page) => page.getByRole('link', { name: 'MS-A11CE5-000030' }).click(),
    ready: 'Total USD',
  }),
  at('/dashboard/invoices/nowhere')({
    ...{ name: 'invoice, missing', state: 'failing' },
    ready: 'This invoice is not in your workspace',
  }),
  at('/dashboard/invoices/any')({
    ...{ name: 'invoice, loading', state: 'loading', holds: ['/invoices/*'] },
    ready: 'Loading...',
  }),
  at('/dashboard/invoices/any')({
    ...{ name: 'invoice, failed', state: 'failing', fails: ['/invoices/*'] },
    ready: 'Error loading the invoice',
  }),
  billing({
    ...{ name: 'profile, billing, failed', state: 'failing', fails: ['/invoices*'] },
    ready: 'Error loading invoices',
  }),
]
