import type { Page } from '@playwright/test'
import type { DeletionReceipt } from '#contract/operator/deletions.ts'
import { button, click, dialog, menu, question, type Screen } from '../screen.ts'
import { announced, madeAnnouncements } from './announcement-answers.ts'
import { goodHealth, sickHealth } from './health-answers.ts'
import { busySenders } from './sender-answers.ts'

const at =
  (path: Screen['path']) =>
  (screen: Omit<Screen, 'who' | 'path'>): Screen => ({ ...screen, who: 'operator', path })
const health = at('/operator')
const workspaces = at('/operator?tab=workspaces')
const people = at('/operator?tab=people')
const queue = at('/operator?tab=queue')
const mails = at('/operator?tab=mails&q=partner.example')
const senders = at('/operator?tab=senders')
const lists = at('/operator?tab=lists')
const announcements = at('/operator?tab=announcements')
const log = at('/operator?tab=log')
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

/** They come to an open page here, and move what is below; those that are there before are drawn by the server. */
const comes = (page: Page) => page.getByRole('status').getByText('We move').waitFor()

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
  mails({ name: 'operator, mails', state: 'full', ready: '552 5.2.2' }),
  mails({
    ...{ name: 'operator, mails, loading', state: 'loading', holds: ['/operator/mails*'] },
    ready: 'What became of a mail',
  }),
  mails({
    ...{ name: 'operator, mails, failed', state: 'failing', fails: ['/operator/mails*'] },
    ready: 'Error searching the log',
  }),
  {
    ...{ name: 'operator, mails, none', who: 'operator', state: 'empty' },
    ...{ path: '/operator?tab=mails&q=nowhere.example', ready: 'Nothing in the last 14 days' },
  },
  {
    ...{ name: 'operator, mails, before', who: 'operator', state: 'empty' },
    ...{ path: '/operator?tab=mails', ready: 'Search for an address or a domain' },
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
  senders({
    ...{ name: 'operator, senders', state: 'full', ready: 'Complaints from' },
    answers: { 'GET /operator/senders*': { json: busySenders } },
  }),
  senders({
    ...{ name: 'operator, senders, menu', state: 'open', steps: openFirst, ready: menu },
    answers: { 'GET /operator/senders*': { json: busySenders } },
  }),
  senders({
    ...{ name: 'operator, senders, stop', state: 'open', steps: choose(/Stop sending/) },
    answers: { 'GET /operator/senders*': { json: busySenders } },
    ready: (page) => dialog(page).getByLabel('Reason'),
  }),
  senders({
    ...{ name: 'operator, senders, empty', state: 'empty', ready: 'Nothing was sent' },
    answers: { 'GET /operator/senders*': { json: { items: [], nextCursor: null } } },
  }),
  senders({
    ...{ name: 'operator, senders, loading', state: 'loading', holds: ['/operator/senders*'] },
    ready: 'Loading...',
  }),
  senders({
    ...{ name: 'operator, senders, failed', state: 'failing', fails: ['/operator/senders*'] },
    ready: 'Error loading the senders',
  }),
  lists({ name: 'operator, lists', state: 'full', ready: '198.51.100.0/24' }),
  lists({
    ...{ name: 'operator, lists, add', state: 'open', steps: click('Add') },
    ready: (page) => dialog(page).getByLabel('Sender or network'),
  }),
  lists({
    ...{ name: 'operator, lists, refused', state: 'open' },
    steps: async (page) => {
      await button(page, 'Add').click()
      await dialog(page).getByLabel('Sender or network').fill('0.0.0.0/0')
      await dialog(page).getByRole('button', { name: 'Add' }).click()
    },
    ready: (page) => dialog(page).getByText('too wide'),
  }),
  lists({
    ...{ name: 'operator, lists, remove', state: 'open', steps: click('Remove 198.51.100.0/24') },
    ready: question,
  }),
  lists({
    ...{ name: 'operator, lists, empty', state: 'empty', ready: 'Nobody is blocked' },
    answers: { 'GET /operator/lists*': { json: { items: [], nextCursor: null } } },
  }),
  lists({
    ...{ name: 'operator, lists, loading', state: 'loading', holds: ['/operator/lists*'] },
    ready: 'Loading...',
  }),
  lists({
    ...{ name: 'operator, lists, failed', state: 'failing', fails: ['/operator/lists*'] },
    ready: 'Error loading the lists',
  }),
  announcements({
    ...{ name: 'operator, announcements', state: 'full', steps: comes, ready: 'Admins only' },
    answers: {
      'GET /operator/announcements': { json: madeAnnouncements },
      'GET /announcements': { json: announced },
    },
  }),
  announcements({
    ...{ name: 'operator, announcements, write', state: 'open', steps: click('Announce') },
    ready: (page) => dialog(page).getByLabel('Announcement'),
  }),
  announcements({
    ...{ name: 'operator, announcements, empty', state: 'empty', ready: 'Nothing is announced' },
    answers: { 'GET /operator/announcements': { json: [] } },
  }),
  announcements({
    ...{ name: 'operator, announcements, failed', state: 'failing' },
    ...{ fails: ['/operator/announcements'], ready: 'Error loading the announcements' },
  }),
  {
    ...{ name: 'announced', who: 'newcomer', state: 'full', path: '/dashboard/domains' },
    answers: { 'GET /announcements': { json: announced } },
    steps: comes,
    ready: 'We move to a new machine',
  },
  {
    ...{ name: 'announced to a holder', who: 'holder', state: 'full' },
    path: '/dashboard/view-mail',
    answers: { 'GET /announcements': { json: announced } },
    steps: comes,
    ready: 'We move to a new machine',
  },
  log({ name: 'operator, log', state: 'full', ready: 'workspace quota' }),
  log({
    ...{ name: 'operator, log, empty', state: 'empty', ready: 'No operator did anything yet' },
    answers: { 'GET /operator/actions*': { json: { items: [], nextCursor: null } } },
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
