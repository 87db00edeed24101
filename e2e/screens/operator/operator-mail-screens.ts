/** Mail as operators see it: what became of it, what waits, who sends, and who may. */
import { button, click, dialog, menu, question, type Screen } from '../screen.ts'
import { at, choose, noRows, openFirst } from './operator-steps.ts'
import { busySenders } from './sender-answers.ts'

const mails = at('/operator?tab=mails&q=partner.example')
const queue = at('/operator?tab=queue')
const senders = at('/operator?tab=senders')
const lists = at('/operator?tab=lists')

export const operatorMailScreens: Screen[] = [
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
    answers: { 'GET /operator/senders*': { json: noRows } },
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
    answers: { 'GET /operator/lists*': { json: noRows } },
  }),
  lists({
    ...{ name: 'operator, lists, loading', state: 'loading', holds: ['/operator/lists*'] },
    ready: 'Loading...',
  }),
  lists({
    ...{ name: 'operator, lists, failed', state: 'failing', fails: ['/operator/lists*'] },
    ready: 'Error loading the blocked and allowed senders',
  }),
]
