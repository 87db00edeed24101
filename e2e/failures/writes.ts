/** Every form and button of the dashboard that sends something, with what is typed before it is pressed. */
import type { Page } from '@playwright/test'
import type { GivenAnswer } from '../intercept.ts'
import type { World } from './world.ts'

export type Write = {
  path: string | ((world: World) => string)
  /** Calls that answer so, by method and glob: what this product is not. */
  answers?: Readonly<Record<string, GivenAnswer>>
  open?: (page: Page, world: World) => Promise<unknown>
  /** By label; what follows from what was typed may stand here too. */
  typed: (world: World) => Record<string, string>
  /** The button that sends. */
  button: string
  /** What it reads meanwhile, where that is something else. */
  going?: string
  call: [method: string, path: string]
  /** The region above the form in which a refusal shows, when it is not a toast. */
  isInForm?: boolean
  /** Secrets are not kept when the session ends. */
  isSecret?: boolean
}

export const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()
const settings = ({ mailboxId }: World) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`

export const fill = (values: Record<string, string>) => () => values

/** Radix selects and lists are no text fields. */
const choose = async (page: Page, label: string, option: string) => {
  await page.getByLabel(label, { exact: true }).click()
  await page.getByRole('option', { name: option }).first().click()
}

export const forms: Record<string, Write> = {
  domain: {
    ...{ path: '/dashboard/add-domain', button: 'Continue', call: ['POST', '/domains'] },
    typed: fill({ 'Enter domain': 'typed.example' }),
  },
  mailbox: {
    path: '/dashboard/new-mail-box',
    open: (page, { domainName }) => choose(page, 'Domain', domainName),
    typed: ({ domainName }) => ({
      'First name': 'Grace',
      'Last name': 'Hopper',
      Email: `grace.hopper@${domainName}`,
    }),
    ...{ button: 'Create', going: 'Creating...', call: ['POST', '/mailboxes'], isInForm: true },
  },
  'mailbox settings': {
    path: settings,
    typed: fill({ 'First name': 'Augusta', 'Last name': 'King' }),
    ...{ button: 'Save', going: 'Saving...', call: ['PATCH', '/mailboxes/*'], isInForm: true },
  },
  alias: {
    path: settings,
    typed: fill({ 'New alias': 'countess' }),
    ...{ button: 'Add alias', going: 'Adding...', call: ['POST', '/mailboxes/*/aliases'] },
  },
  'app password': {
    ...{ path: settings, open: press('New app password'), isInForm: true },
    typed: fill({ Name: 'Phone in the hall' }),
    ...{ button: 'Make app password', going: 'Making it...' },
    call: ['POST', '/mailboxes/*/app-passwords'],
  },
  'API key': {
    path: '/dashboard/developers',
    open: async (page) => {
      await press('New workspace key')(page)
      await page.getByLabel('See domains and their DNS records').click()
    },
    typed: fill({ Name: 'Onboarding', 'Networks (optional)': '192.0.2.0/24' }),
    ...{ button: 'Make API key', going: 'Making it...', call: ['POST', '/api-keys'] },
    isInForm: true,
  },
  webhook: {
    path: '/dashboard/developers?tab=webhooks',
    open: async (page) => {
      await press('Add webhook')(page)
      await press('Choose all')(page)
    },
    typed: fill({ Address: 'https://hooks.example/mailstead' }),
    ...{ button: 'Add webhook', going: 'Adding...', call: ['POST', '/webhooks'], isInForm: true },
  },
  'own data': {
    ...{ path: '/dashboard/security', open: press('Export your data'), isSecret: true },
    typed: fill({ 'Your password': 'Engine-No-1!' }),
    ...{ button: 'Export', going: 'Exporting...', call: ['POST', '/account/export'] },
    isInForm: true,
  },
  company: {
    path: '/dashboard/settings',
    open: async (page) => {
      await choose(page, 'Country', 'Canada')
      await choose(page, 'Time Zone', 'GMT')
      await choose(page, 'Time Format', '24')
    },
    typed: fill({
      ...{ Name: 'Engines', Website: 'https://engines.example', Phone: '020 7946 0018' },
      ...{ Address: '12 St James’s Square', 'Zip Code': 'SW1Y 4JH', City: 'London' },
    }),
    ...{ button: 'Update', going: 'Updating...', call: ['PUT', '/company'] },
  },
  profile: {
    path: '/dashboard/profile',
    typed: fill({ 'First name': 'Augusta', 'Last name': 'King' }),
    ...{ button: 'Save changes', going: 'Saving...', call: ['PATCH', '/profile'] },
  },
  password: {
    ...{ path: '/dashboard/profile', open: press('Update password'), isSecret: true },
    typed: fill({
      ...{ 'Old Password': 'Engine-No-1!', 'New Password': 'Engine-No-2!' },
      'Confirm New Password': 'Engine-No-2!',
    }),
    ...{ button: 'Save', going: 'Saving...', call: ['POST', '/profile/password'] },
  },
  invitation: {
    path: '/dashboard/settings?tab=users',
    open: press('Invite'),
    typed: fill({ Email: 'grace@elsewhere.example' }),
    ...{ button: 'Send invitation', going: 'Inviting...', call: ['POST', '/invitations'] },
  },
  workspace: {
    path: '/dashboard',
    open: async (page) => {
      await page.getByRole('button', { name: /^Workspace:/ }).click()
      await page.getByRole('menuitem', { name: 'Create workspace' }).click()
    },
    typed: fill({ Name: 'Second engines' }),
    ...{ button: 'Create', going: 'Creating...', call: ['POST', '/workspaces'] },
  },
}

/** Buttons with nothing to type: what they ask stays asked. */
export const actions: Record<string, Write> = {
  'verify ownership': {
    path: ({ domainId }) => `/dashboard/add-domain?id=${domainId}`,
    ...{
      typed: fill({}),
      button: 'Verify',
      going: 'Verifying...',
      call: ['POST', '/dns-records/verify-ownership/*'],
    },
  },
  'set a catch-all': {
    path: '/dashboard/domains',
    open: async (page, { domainName, email }) => {
      await page.getByRole('link', { name: domainName }).click()
      await press('Catch-all')(page)
      await choose(page, 'Mailbox', email)
    },
    ...{
      typed: fill({}),
      button: 'Save',
      going: 'Saving...',
      call: ['PUT', '/domains/*/catch-all'],
      isInForm: true,
    },
  },
  'require app passwords': {
    ...{ path: '/dashboard/settings', open: press('Require app passwords'), typed: fill({}) },
    ...{ button: 'Require app passwords', going: 'Saving...' },
    call: ['PUT', '/workspace-settings/mail-programs'],
  },
  'delete a domain': {
    path: ({ domainId }) => `/dashboard/add-domain?id=${domainId}`,
    open: press('Delete domain'),
    ...{
      typed: fill({}),
      button: 'Delete domain',
      going: 'Deleting...',
      call: ['DELETE', '/domains/*'],
    },
  },
  'delete a mailbox': {
    path: '/dashboard/mailboxes',
    open: async (page, { email }) => {
      await page.getByRole('button', { name: `Actions for ${email}` }).click()
      await page.getByRole('menuitem', { name: 'Delete Record' }).click()
    },
    ...{
      typed: fill({}),
      button: 'Delete mailbox',
      going: 'Deleting...',
      call: ['DELETE', '/mailboxes/*'],
    },
  },
}
