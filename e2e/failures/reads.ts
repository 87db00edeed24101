/** What each page of the dashboard reads, and how it shows that it waits, has failed, or has it. */
import type { Locator, Page } from '@playwright/test'
import type { GivenAnswer } from '../intercept.ts'
import { STRIPE } from '../screens/cards/card-answers.ts'
import type { World } from './world.ts'

export type Read = {
  path: string | ((world: World) => string)
  /** Other calls that answer so, by method and glob: what this product is not. */
  answers?: Readonly<Record<string, GivenAnswer>>
  /** A glob below /api/v1. */
  call: string
  waits: (page: Page) => Locator
  /** What stands in its place when it could not be read. */
  failed: string
  shows: (page: Page, world: World) => Locator
  /** The sentence of the server is not repeated in a small place. */
  isSmall?: boolean
}

const says = (text: string) => (page: Page) => page.getByText(text, { exact: true }).first()
const loading = says('Loading...')
const busy = (label: string) => (page: Page) =>
  page.locator(`[aria-label="${label}"][aria-busy=true]`)
const wizard = ({ domainId }: World) => `/dashboard/add-domain?id=${domainId}`
const domain = ({ domainId }: World) => `/dashboard/domains/${domainId}`
const mail = ({ mailboxId }: World) => `/dashboard/view-mail?mailbox=${mailboxId}`

export const reads: Record<string, Read> = {
  home: {
    ...{ path: '/dashboard', call: '/stats', failed: 'The figures could not be loaded' },
    waits: (page) => page.getByText('Messages today', { exact: true }),
    shows: (page) => page.getByText('+0 from yesterday'),
  },
  'home, mail per day': {
    ...{
      path: '/dashboard',
      call: '/stats/mail-per-day',
      failed: 'The mail per day could not be loaded.',
    },
    waits: (page) => page.getByRole('heading', { name: 'Mail per day' }),
    shows: (page) => page.getByRole('list', { name: 'Messages on each day' }),
    isSmall: true,
  },
  'home, needs attention': {
    ...{ path: '/dashboard', call: '/domains', failed: 'The domains could not be loaded.' },
    waits: (page) => page.getByRole('heading', { name: 'Needs attention' }),
    shows: (page) => page.getByText('Ownership not verified'),
    isSmall: true,
  },
  domains: {
    ...{ path: '/dashboard/domains', call: '/domains', failed: 'Error loading domains' },
    waits: loading,
    shows: says('Total Domains: 2'),
  },
  'add-domain': {
    ...{ path: wizard, call: '/domains/*', failed: 'Error loading the domain' },
    waits: loading,
    shows: (page) => page.getByRole('heading', { name: 'Verify domain' }),
  },
  'add-domain, ownership': {
    ...{ path: wizard, call: '/dns-records/ownership/*', failed: 'Error loading the record' },
    waits: (page) => page.getByRole('table', { name: 'Ownership record' }),
    shows: (page) => page.getByText('mailstead-verify=').first(),
  },
  'domain page': {
    ...{ path: domain, call: '/domains/*', failed: 'Error loading the domain' },
    waits: loading,
    shows: (page) => page.getByRole('heading', { name: 'Not verified yet' }),
  },
  'domain page, records': {
    ...{ path: domain, call: '/dns-records/dns/*', failed: 'Error loading the records' },
    waits: (page) => page.getByRole('heading', { name: 'Mail for unknown addresses' }),
    shows: (page) => page.getByRole('region', { name: 'Health' }),
  },
  'domain page, activity': {
    ...{ path: domain, call: '/dns-records/history/*', failed: 'The history could not be loaded.' },
    waits: (page) => page.getByRole('heading', { name: 'Activity' }),
    shows: says('No record has changed since the domain was added.'),
    isSmall: true,
  },
  mailboxes: {
    ...{ path: '/dashboard/mailboxes', call: '/mailboxes?*', failed: 'Error loading mailboxes' },
    waits: busy('Mailboxes'),
    shows: (page, { email }) => page.getByRole('link', { name: email }),
  },
  'view-mail': {
    ...{ path: mail, call: '/mailboxes?*', failed: 'The mailboxes could not be loaded' },
    waits: (page) => page.getByRole('status').filter({ hasText: /loading/i }),
    shows: (page) => page.getByText('Nothing in Inbox'),
  },
  'view-mail, messages': {
    ...{
      path: mail,
      call: '/mailboxes/*/conversations*',
      failed: 'The messages could not be loaded',
    },
    waits: (page) => page.getByRole('status').filter({ hasText: 'Loading messages' }),
    shows: (page) => page.getByText('Nothing in Inbox'),
  },
  'mail-box-settings': {
    path: ({ mailboxId }) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`,
    ...{ call: '/mailboxes?*', failed: 'The mailboxes could not be loaded' },
    waits: (page) => page.getByRole('status').filter({ hasText: 'Loading the mailbox' }),
    shows: (page) => page.getByRole('textbox', { name: 'First name' }),
  },
  aliases: {
    path: ({ mailboxId }) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`,
    ...{ call: '/mailboxes/*/aliases', failed: 'The aliases could not be loaded' },
    waits: (page) => page.getByRole('status').filter({ hasText: 'Loading the aliases' }),
    shows: says('No aliases yet. Add the first one below.'),
  },
  'app passwords': {
    path: ({ mailboxId }) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`,
    ...{ call: '/mailboxes/*/app-passwords', failed: 'The app passwords could not be loaded' },
    waits: (page) => page.getByRole('status').filter({ hasText: 'Loading the app passwords' }),
    shows: says('No app password yet'),
  },
  'API keys': {
    path: '/dashboard/developers',
    ...{ call: '/api-keys', failed: 'The API keys could not be loaded' },
    waits: (page) => page.getByRole('status').filter({ hasText: 'Loading the API keys' }),
    shows: says('You have no key of your own yet'),
  },
  webhooks: {
    path: '/dashboard/developers?tab=webhooks',
    ...{ call: '/webhooks', failed: 'The webhooks could not be loaded' },
    waits: (page) => page.getByRole('status').filter({ hasText: 'Loading the webhooks' }),
    shows: says('No webhook yet'),
  },
  'audit log': {
    ...{ path: '/dashboard/audit-log', call: '/audit-log*', failed: 'Error loading the audit log' },
    waits: busy('audit log'),
    shows: says('Changes: 1'),
  },
  'second factor': {
    path: '/dashboard/security',
    ...{ call: '/second-factor', failed: 'Error loading your second factor' },
    waits: (page) => page.getByRole('heading', { name: 'Second factor', exact: true }),
    shows: says('No passkey yet'),
  },
  'signed-in programs': {
    path: '/dashboard/security',
    ...{ call: '/sessions/programs', failed: 'Error loading your mail programs' },
    waits: (page) => page.getByRole('region', { name: 'Mail programs' }).getByRole('status'),
    shows: (page) => page.getByText('No mail program has signed in'),
  },
  'required factor': {
    path: '/dashboard/settings',
    call: '/workspace-settings/second-factor',
    failed: 'Error loading whether a second factor is required',
    waits: (page) => page.getByRole('region', { name: 'Second factor' }).getByRole('status'),
    shows: (page) => page.getByText('is not required'),
  },
  'saved card': {
    ...{ path: '/dashboard/profile?tab=billing', answers: STRIPE },
    ...{ call: '/billing/card', failed: 'Error loading the card' },
    waits: (page) => page.getByRole('table'),
    shows: says('No card is saved'),
  },
  sessions: {
    ...{ path: '/dashboard/security', call: '/sessions', failed: 'Error loading your sessions' },
    waits: (page) => page.getByRole('region', { name: 'Sessions' }).getByRole('status'),
    shows: says('This browser'),
  },
  'what the account holds': {
    path: '/dashboard/security',
    ...{ call: '/account/leaving', failed: 'Error loading what your account holds' },
    waits: (page) => page.getByRole('heading', { name: 'Delete your account' }),
    shows: (page) => page.getByText('You are the last Admin of this workspace'),
  },
  'whether one can leave': {
    path: '/dashboard/settings',
    ...{ call: '/account/leaving', failed: 'Error loading whether you can leave' },
    waits: (page) => page.getByRole('heading', { name: 'Leave this workspace' }),
    shows: (page) => page.getByText('You are the last Admin of it'),
  },
  'mail programs': {
    path: '/dashboard/settings',
    call: '/workspace-settings/mail-programs',
    failed: 'Error loading what mail programs need',
    waits: (page) => page.getByRole('heading', { name: 'Mail programs' }),
    shows: (page) => page.getByText(/^Mail programs may use an app password/),
  },
  settings: {
    path: '/dashboard/settings',
    ...{ call: '/company', failed: 'Error loading the company profile' },
    waits: loading,
    shows: (page) => page.getByLabel('Zip Code'),
  },
  'settings, users': {
    ...{ path: '/dashboard/settings?tab=users', call: '/members', failed: 'Error loading users' },
    waits: loading,
    shows: says('Users: 1'),
  },
  profile: {
    path: '/dashboard/profile',
    ...{ call: '/profile', failed: 'Error loading your profile' },
    waits: loading,
    shows: (page) => page.getByLabel('First name'),
  },
  'profile, billing': {
    path: '/dashboard/profile?tab=billing',
    ...{ call: '/invoices*', failed: 'Error loading invoices' },
    waits: (page) => page.getByRole('table'),
    shows: says('No invoices yet'),
  },
}
