import type { Page } from '@playwright/test'
import { button, click, dialog, menu, question, type Screen } from '../screen.ts'
import { keptBackups, noBackups, someAlerts, someBackups } from './alert-answers.ts'
import { goodHealth, sickHealth } from './health-answers.ts'
import { oneInvoice, someInvoices } from './invoice-answers.ts'

const at =
  (path: Screen['path']) =>
  (screen: Omit<Screen, 'who' | 'path'>): Screen => ({ ...screen, who: 'operator', path })
const health = at('/operator')
const workspaces = at('/operator?tab=workspaces')
const people = at('/operator?tab=people')
const queue = at('/operator?tab=queue')
const log = at('/operator?tab=log')
const workspace = at(({ member }) => `/operator/workspaces/${member.workspace.id}`)

const alerts = at('/operator?tab=alerts')
const settings = at('/operator?tab=settings')
const mailboxes = at('/operator?tab=mailboxes')
const invoices = at('/operator?tab=invoices')
const invoice = at(`/operator/invoices/${someInvoices.items[0]._id}`)
const person = at(({ member }) => `/operator/people/${member.user.id}`)
const mailbox = at(({ holder }) => `/operator/mailboxes/${holder.email}`)
const anInvoice = { answers: { 'GET /operator/invoices/*': { json: oneInvoice } } }

const openFirst = (page: Page) =>
  page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()

/** Of a person with an account: holders have no link. */
const openMember = (page: Page) =>
  page
    .getByRole('row')
    .filter({ hasText: 'Hohenzollern' })
    .first()
    .getByRole('button', { name: /^Actions for/ })
    .click()

const choose =
  (item: RegExp, open = openFirst) =>
  async (page: Page) => {
    await open(page)
    await page.getByRole('menuitem', { name: item }).click()
  }

const noRows = { items: [], total: 0, nextCursor: null, previousCursor: null }

export const operatorScreens: Screen[] = [
  health({
    ...{ name: 'operator, health', state: 'full', ready: 'things are wrong' },
    answers: { 'GET /operator/health': { json: sickHealth } },
  }),
  health({
    ...{ name: 'operator, health, well', state: 'empty', ready: 'All is well' },
    answers: { 'GET /operator/health': { json: goodHealth } },
  }),
  health({
    ...{ name: 'operator, health, loading', state: 'loading', holds: ['/operator/health'] },
    ready: 'It takes up to ten seconds.',
  }),
  health({
    ...{ name: 'operator, health, failed', state: 'failing', fails: ['/operator/health'] },
    ready: 'The installation could not be checked',
  }),
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
    ready: (page) => dialog(page).getByLabel('Link for a new password'),
  }),
  people({
    ...{ name: 'operator, people, sign out', state: 'open', steps: choose(/Sign out/) },
    ready: question,
  }),
  queue({ name: 'operator, queue', state: 'full', ready: 'waiting0.example' }),
  queue({ name: 'operator, queue, menu', state: 'open', steps: openFirst, ready: menu }),
  queue({
    ...{ name: 'operator, queue, drop', state: 'open', steps: choose(/Drop all/) },
    ready: question,
  }),
  queue({
    ...{ name: 'operator, queue, empty', state: 'empty', ready: 'Nothing waits' },
    answers: { 'GET /operator/queue': { json: { items: [], total: 0 } } },
  }),
  queue({
    ...{ name: 'operator, queue, failed', state: 'failing', fails: ['/operator/queue'] },
    ready: 'Error loading the queue',
  }),
  alerts({
    ...{ name: 'operator, alerts and backups', state: 'full', ready: 'Wrong now' },
    answers: {
      'GET /operator/alerts': { json: someAlerts },
      'GET /operator/backups': { json: someBackups },
      'GET /operator/backups/kept': { json: keptBackups },
    },
  }),
  alerts({
    ...{ name: 'operator, alerts and backups, none', state: 'empty', ready: 'No alert yet' },
    answers: { 'GET /operator/backups': { json: noBackups } },
  }),
  alerts({
    ...{ name: 'operator, alerts, failed', state: 'failing', fails: ['/operator/alerts'] },
    ready: 'Error loading the alerts',
  }),
  alerts({
    ...{ name: 'operator, backups, failed', state: 'failing', fails: ['/operator/backups*'] },
    ready: 'Error loading the backups',
  }),
  settings({ name: 'operator, settings', state: 'full', ready: 'Who may sign up' }),
  settings({
    ...{ name: 'operator, settings, failed', state: 'failing', fails: ['/operator/settings'] },
    ready: 'Error loading the settings',
  }),
  log({ name: 'operator, log', state: 'full', ready: 'workspace quota' }),
  log({
    ...{ name: 'operator, log, empty', state: 'empty', ready: 'No operator did anything yet' },
    answers: { 'GET /operator/actions*': { json: noRows } },
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
