import type { Page } from '@playwright/test'
import type { DeletionReceipt } from '#contract/operator/deletions.ts'
import { button, click, dialog, menu, question, type Screen } from '../screen.ts'
import { oneInvoice, someInvoices } from './invoice-answers.ts'
import { at, choose, noRows, openFirst } from './operator-steps.ts'

const workspaces = at('/operator?tab=workspaces')
const people = at('/operator?tab=people')
const receipt: DeletionReceipt = {
  ...{ _id: crypto.randomUUID(), name: 'Königlich-Preußische Elektrizitätswerke', mailedTo: 2 },
  ...{ at: '2026-11-27T12:00:00.000Z', endsAt: '2026-11-27T12:00:00.000Z' },
  lines: [
    'The operator of this installation deleted the workspace “Königlich-Preußische Elektrizitätswerke”, with 17 domains, 212 mailboxes, 48211 messages (7.4 GB).',
    'It is erased at once, with all of its mail, and cannot be taken back.',
    '2 open invoices stay due.',
  ],
}

const workspace = at(({ member }) => `/operator/workspaces/${member.workspace.id}`)

const mailboxes = at('/operator?tab=mailboxes')
const invoices = at('/operator?tab=invoices')
const invoice = at(`/operator/invoices/${someInvoices.items[0]._id}`)
const person = at(({ member }) => `/operator/people/${member.user.id}`)
const mailbox = at(({ holder }) => `/operator/mailboxes/${holder.email}`)
const anInvoice = { answers: { 'GET /operator/invoices/*': { json: oneInvoice } } }

/** Of a person with an account: holders have no link. */
const openMember = (page: Page) =>
  page
    .getByRole('row')
    .filter({ hasText: 'Hohenzollern' })
    .first()
    .getByRole('button', { name: /^Actions for/ })
    .click()

export const operatorScreens: Screen[] = [
  workspaces({ name: 'operator, workspaces', state: 'full', ready: 'Königlich-Preußische' }),
  workspaces({
    ...{
      name: 'operator, workspaces, loading',
      state: 'loading',
      holds: ['/operator/workspaces*'],
    },
    ready: 'Loading...',
  }),
  workspaces({
    ...{ name: 'operator, workspaces, failed', state: 'failing', fails: ['/operator/workspaces*'] },
    ready: 'Error loading the workspaces',
  }),
  {
    ...{ name: 'operator, workspaces, no match', who: 'operator', state: 'empty' },
    ...{ path: '/operator?tab=workspaces&q=nowhere', ready: 'Nothing matches' },
  },
  {
    ...{ name: 'operator, not one', who: 'newcomer', state: 'empty', path: '/operator' },
    ready: 'Only an operator can see this',
  },
  people({ name: 'operator, people', state: 'full', ready: 'Hohenzollern' }),
  people({ name: 'operator, people, menu', state: 'open', steps: openFirst, ready: menu }),
  people({
    ...{
      name: 'operator, people, question',
      state: 'open',
      steps: choose(/new password/, openMember),
    },
    ready: question,
  }),
  people({
    ...{ name: 'operator, people, link', state: 'open' },
    steps: async (page) => {
      await choose(/new password/, openMember)(page)
      await button(page, 'Make the link').click()
    },
    ready: (page) => button(page, 'Copy link'),
  }),
  people({
    ...{ name: 'operator, people, sign out', state: 'open', steps: choose(/Sign out/) },
    ready: question,
  }),
  mailboxes({
    name: 'operator, mailboxes',
    state: 'full',
    ready: (page) => page.getByRole('row').nth(1),
  }),
  mailboxes({
    ...{ name: 'operator, mailboxes, empty', state: 'empty', ready: 'No mailbox yet' },
    answers: { 'GET /operator/mailboxes*': { json: noRows } },
  }),
  mailboxes({
    ...{ name: 'operator, mailboxes, failed', state: 'failing', fails: ['/operator/mailboxes*'] },
    ready: 'Error loading the mailboxes',
  }),
  invoices({
    ...{ name: 'operator, invoices', state: 'full', ready: 'MS-9F3A02-000042' },
    answers: { 'GET /operator/invoices*': { json: someInvoices } },
  }),
  invoices({
    ...{ name: 'operator, invoices, empty', state: 'empty', ready: 'No invoice yet' },
    answers: { 'GET /operator/invoices*': { json: noRows } },
  }),
  invoices({
    ...{ name: 'operator, invoices, accountant', state: 'open' },
    ...{ steps: click('For the accountant'), ready: dialog },
    answers: { 'GET /operator/invoices*': { json: someInvoices } },
  }),
  invoices({
    ...{ name: 'operator, invoices, failed', state: 'failing', fails: ['/operator/invoices*'] },
    ready: 'Error loading the invoices',
  }),
  invoice({ name: 'operator, invoice', state: 'full', ready: 'Still to be paid', ...anInvoice }),
  invoice({
    ...{ name: 'operator, invoice, paid', state: 'open', steps: click('Mark paid'), ...anInvoice },
    ready: question,
  }),
  invoice({
    ...{ name: 'operator, invoice, missing', state: 'empty' },
    ready: 'There is no such invoice',
  }),
  mailbox({ name: 'operator, mailbox', state: 'full', ready: 'Who uses it' }),
  mailbox({
    ...{ name: 'operator, mailbox, failed', state: 'failing', fails: ['/operator/mailboxes/*'] },
    ready: 'Error loading the mailbox',
  }),
  person({ name: 'operator, person', state: 'full', ready: 'Browsers that are signed in' }),
  person({
    ...{ name: 'operator, person, failed', state: 'failing', fails: ['/operator/accounts/*'] },
    ready: 'Error loading the person',
  }),
  workspaces({
    ...{ name: 'operator, find', state: 'open' },
    steps: async (page) => {
      await button(page, 'Find').click()
      await page.getByLabel('Search pages').fill('Königlich')
    },
    ready: (page) => page.getByRole('option').first(),
  }),
  workspaces({
    ...{ name: 'operator, find, nothing', state: 'empty' },
    steps: async (page) => {
      await button(page, 'Find').click()
      await page.getByLabel('Search pages').fill('nowhere at all')
    },
    ready: 'Nothing found.',
  }),
  workspace({ name: 'operator, workspace', state: 'full', ready: 'What operators did' }),
  workspace({
    ...{ name: 'operator, workspace, delete', state: 'open', steps: click('Delete') },
    ready: (page) => question(page).getByText('What ends'),
  }),
  workspace({
    ...{ name: 'operator, workspace, deletion failed', state: 'failing', steps: click('Delete') },
    fails: ['/operator/workspaces/*/deletion'],
    ready: 'Error counting what would end',
  }),
  workspace({
    ...{ name: 'operator, workspace, receipt', state: 'open' },
    answers: { 'POST /operator/workspaces/*/deletion': { json: receipt } },
    steps: async (page) => {
      await click('Delete')(page)
      await question(page).getByRole('checkbox').check()
      const field = question(page).getByRole('textbox')
      await field.fill((await question(page).getByRole('heading').first().innerText()).slice(7, -1))
      await question(page).getByRole('button', { name: 'Erase now' }).click()
    },
    ready: (page) => page.getByText(/^Receipt /),
  }),
  workspace({
    ...{ name: 'operator, workspace, suspend', state: 'open', steps: click('Suspend') },
    ready: (page) => dialog(page).getByLabel('Reason'),
  }),
  workspace({
    ...{ name: 'operator, workspace, storage', state: 'open', steps: click('Storage') },
    ready: (page) => dialog(page).getByLabel('Gigabytes'),
  }),
  workspace({
    ...{ name: 'operator, workspace, failed', state: 'failing', fails: ['/operator/workspaces/*'] },
    ready: 'Error loading the workspace',
  }),
  {
    ...{ name: 'operator, workspace, missing', who: 'operator', state: 'empty' },
    path: '/operator/workspaces/0190d5a0-0000-7000-8000-000000000000',
    ready: 'There is no such workspace',
  },
  {
    ...{ name: 'operator, first account', who: 'visitor', state: 'full' },
    ...{ path: '/operator/first?token=nothing', ready: 'This link was used' },
  },
  {
    ...{ name: 'workspace, suspended', who: 'newcomer', state: 'full', path: '/dashboard/domains' },
    answers: {
      'GET /workspaces': {
        json: [
          {
            ...{ _id: '0190d5a0-0000-7000-8000-000000000000', name: 'Engines', role: 'Admin' },
            ...{ isCurrent: true, endsAt: null, suspendedFor: 'It sends too much' },
          },
        ],
      },
    },
    ready: 'has suspended sending',
  },
]
