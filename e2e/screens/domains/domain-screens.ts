import type { Page } from '@playwright/test'
import type { Domain } from '#contract/domains.ts'
import {
  button,
  click,
  dialog,
  menu,
  question,
  type Screen,
  showMoreRows,
  toast,
} from '../screen.ts'
import type { World } from '../world.ts'

const domains = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...screen,
  who: 'member',
  path: '/dashboard/domains',
})

const wizard = (which: keyof World['domains'], screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...screen,
  who: 'member',
  path: (world) => `/dashboard/add-domain?id=${world.domains[which]}`,
})

const openMenu = (name: string) => (page: Page) =>
  page.getByRole('button', { name: `Actions for ${name}` }).click()

const choose = (item: string) => async (page: Page) => {
  await page.getByLabel('Search domains').fill('faulty')
  await openMenu('faulty.example')(page)
  await page.getByRole('menuitem', { name: item }).click()
}

const goOn = (times: 1 | 2) => async (page: Page) => {
  for (const name of ['Verify DNS', 'Domain Verified'].slice(0, times)) {
    await button(page, 'Continue').and(page.locator(':enabled')).click()
    await page.getByRole('heading', { level: 2, name }).waitFor()
  }
}

const lastingDomain: Domain = {
  _id: '01a214de-6532-7e50-aeb2-97cf0d15dbe8',
  ...{ name: `${'long-'.repeat(9)}name.of-a-client.example`, isVerified: true, status: 'active' },
  unicodeName: `${'long-'.repeat(9)}name.of-a-client.example`,
  ...{ requiredRecords: 4, verifiedRecords: 4, dnsStatus: 'Verified', needsWork: false },
  ...{ uncheckedSince: null, mailboxes: 3, catchAll: null, createdAt: '2026-01-08T09:00:00.000Z' },
}

export const domainScreens: Screen[] = [
  domains({ name: 'domains', state: 'full', ready: 'branch-1.analytical' }),
  domains({
    ...{ name: 'domains, silent', state: 'full' },
    steps: (page) => page.getByRole('button', { name: /^Could not be checked/ }).click(),
    ready: 'ns1.provider.example',
  }),
  domains({
    ...{ name: 'domains, columns', state: 'open' },
    steps: async (page) => {
      await page.getByText(/^Total Domains: \d/).waitFor()
      // Where the table is narrow, its columns have no menu.
      if (await button(page, 'Columns').isVisible()) await button(page, 'Columns').click()
    },
    ready: (page) => menu(page).or(page.getByLabel('Search domains')).first(),
  }),
  domains({
    ...{ name: 'domains, deleted one', state: 'full' },
    answers: {
      'GET /domains': { json: [lastingDomain] },
      'POST /domains/batch/delete': {
        json: [{ id: lastingDomain._id, isDone: true, message: '' }],
      },
    },
    steps: async (page) => {
      await page.getByLabel(`Select ${lastingDomain.name}`).check()
      await page.getByRole('region', { name: 'Selected rows' }).getByText('Delete').click()
      await dialog(page).getByRole('textbox').fill(lastingDomain.name)
      await dialog(page).getByRole('button', { name: 'Delete domain' }).click()
      await dialog(page).getByRole('button', { name: 'Done', exact: true }).click()
    },
    ready: '1 domain was deleted',
  }),
  {
    ...{ name: 'add domains', who: 'member', state: 'full', path: '/dashboard/add-domains' },
    steps: (page) =>
      page
        .getByLabel('Domains', { exact: true })
        .fill(
          'Client, Domain\nWeber & Co, https://www.weber-bakery.example/kontakt\nfoo_bar.com\nmax@gmail.com\nwaiting.example\nactive.example, weber-bakery.example',
        ),
    ready: 'can be added',
  },
  {
    ...{ name: 'add domains, added', who: 'member', state: 'full', path: '/dashboard/add-domains' },
    answers: {
      'POST /domains/batch': {
        json: [{ name: 'weber-bakery.example', outcome: 'added', message: '', id: null }],
      },
    },
    steps: async (page) => {
      await page
        .getByLabel('Domains', { exact: true })
        .fill(`Domain\nwww.weber-bakery.example\n${'x'.repeat(70)}\nfoo_bar.com`)
      await button(page, 'Add 1 domain').click()
    },
    ready: '1 domain added',
  },
  domains({
    ...{ name: 'domains, send link', state: 'open', ready: 'on one page' },
    steps: async (page) => {
      await page.getByRole('checkbox', { name: 'Select branch-1.', exact: false }).first().check()
      await page.getByRole('checkbox', { name: 'Select branch-2.', exact: false }).first().check()
      await button(page, 'Send link').click()
    },
  }),
  domains({
    ...{ name: 'domains, save view', state: 'open', ready: 'Only you see it' },
    steps: async (page) => {
      await page.getByRole('searchbox', { name: 'Search domains' }).fill('branch')
      await button(page, 'Save view').click()
    },
  }),
  {
    ...{ name: 'domains, none', who: 'newcomer', state: 'empty', path: '/dashboard/domains' },
    ready: 'No domain available',
  },
  domains({
    ...{ name: 'domains, loading', state: 'loading', holds: ['/domains', '/stats'] },
    ready: 'Loading...',
  }),
  domains({
    ...{ name: 'domains, failed', state: 'failing', fails: ['/domains', '/stats'] },
    ready: 'Error loading domains',
  }),
  domains({
    ...{ name: 'domains, full height', state: 'full', steps: showMoreRows },
    ready: (page) => page.getByRole('button', { name: 'Show more rows', pressed: true }),
  }),
  domains({
    ...{ name: 'domains, nothing found', state: 'empty' },
    steps: (page) => page.getByLabel('Search domains').fill('z'.repeat(80)),
    ready: 'Nothing found',
  }),
  domains({
    ...{ name: 'domains, add modal', state: 'open' },
    steps: async (page) => {
      await button(page, 'Add Domain').click()
      await page.getByRole('radio').first().click()
    },
    ready: dialog,
  }),
  domains({
    ...{ name: 'domains, action menu', state: 'open' },
    steps: openMenu('waiting.example'),
    ready: menu,
  }),
  domains({
    ...{ name: 'domains, move', state: 'open', steps: choose('Add to workspace') },
    ready: 'Select a workspace',
  }),
  domains({
    ...{ name: 'domains, move, workspaces', state: 'open' },
    steps: async (page) => {
      await choose('Add to workspace')(page)
      await page.getByRole('combobox', { name: 'Workspace' }).click()
    },
    ready: (page) => page.getByRole('option'),
  }),
  {
    ...{ name: 'wizard 1', who: 'member', state: 'full', path: '/dashboard/add-domain' },
    ready: 'Enter domain',
  },
  {
    ...{ name: 'wizard 1, wrong', who: 'member', state: 'failing', path: '/dashboard/add-domain' },
    steps: async (page) => {
      await page.getByLabel('Enter domain').fill('not a domain')
      await page.getByLabel('Enter domain').blur()
    },
    ready: 'Invalid domain format',
  },
  {
    ...{ name: 'wizard, refused step', who: 'member', state: 'open' },
    path: '/dashboard/add-domain',
    steps: click(/Verify DNS/),
    ready: toast,
  },
  wizard('moving', {
    ...{ name: 'wizard 1, found', state: 'full', steps: click(/Add domain/) },
    ready: 'Stays there until you decide',
  }),
  wizard('moving', {
    ...{ name: 'wizard 1, finding', state: 'loading', steps: click(/Add domain/) },
    ...{ holds: ['/domains/*/dns'], ready: 'What we found' },
  }),
  wizard('moving', { name: 'wizard 2, provider', state: 'full', ready: 'is at Cloudflare' }),
  wizard('waiting', { name: 'wizard 2', state: 'full', ready: 'mailstead-verify' }),
  wizard('faulty', {
    ...{ name: 'wizard, delete', state: 'open', steps: click('Delete domain') },
    ready: question,
  }),
  wizard('faulty', { name: 'wizard 2, verified', state: 'full', ready: 'is yours' }),
  wizard('waiting', {
    ...{ name: 'wizard 2, loading', state: 'loading', holds: ['/dns-records/**'] },
    ready: (page) => page.getByRole('table'),
  }),
  wizard('waiting', {
    ...{ name: 'wizard 2, failed', state: 'failing', fails: ['/dns-records/**'] },
    ready: 'Error loading the record',
  }),
  wizard('waiting', {
    ...{ name: 'wizard, domain failed', state: 'failing', fails: ['/domains/*'] },
    ready: 'Error loading the domain',
  }),
  {
    ...{ name: 'wizard, no such domain', who: 'member', state: 'empty' },
    path: '/dashboard/add-domain?id=nothing',
    ready: 'This domain is not in your workspace',
  },
  wizard('faulty', {
    name: 'wizard 3, faults',
    state: 'full',
    steps: goOn(1),
    ready: 'Found in DNS',
  }),
  wizard('moving', {
    ...{ name: 'wizard 3, mail elsewhere', state: 'full', steps: goOn(1) },
    ready: 'stays there until you move it',
  }),
  wizard('moving', {
    ...{ name: 'wizard 3, moving mail', state: 'open' },
    steps: async (page) => {
      await goOn(1)(page)
      await button(page, 'Move receiving here').click()
      await page.getByRole('table').last().scrollIntoViewIfNeeded()
    },
    ready: (page) => page.getByRole('table', { name: 'Records for receiving mail' }),
  }),
  wizard('active', {
    name: 'wizard 3, verified',
    state: 'full',
    steps: goOn(1),
    ready: 'Receiving mail',
  }),
  wizard('active', {
    ...{ name: 'wizard 3, optional', state: 'full' },
    steps: async (page) => {
      await goOn(1)(page)
      await button(page, 'Optional').click()
      await page.getByText('v=TLSRPTv1').waitFor()
      await button(page, 'Check optional records').scrollIntoViewIfNeeded()
    },
    ready: 'v=TLSRPTv1',
  }),
  wizard('active', { name: 'wizard 4', state: 'full', steps: goOn(2), ready: 'Add mail box' }),
]
