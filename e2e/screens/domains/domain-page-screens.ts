import { refusal } from '../../specification/setting.ts'
import { click, dialog, question, type Screen } from '../screen.ts'
import type { World } from '../world.ts'

const domainPage = (
  which: keyof World['domains'],
  screen: Omit<Screen, 'who' | 'path'>,
): Screen => ({
  ...screen,
  who: 'member',
  path: (world) => `/dashboard/domains/${world.domains[which]}`,
})

const at = '2026-01-08T09:00:00.000Z'
const testMail = {
  ...{ from: 'ada@example.com', to: `${'grace-'.repeat(8)}@elsewhere.example`, sentAt: at },
  delivery: {
    status: 'delivered',
    steps: [
      { at, kind: 'deferred', text: 'mx asked for another try later.', reply: '451 4.7.1 Later' },
      { at, kind: 'delivered', text: 'mx took the message.', reply: '' },
    ],
    reason: null,
  },
  answer: { at, kind: 'answer', spf: 'pass', dkim: 'none', dmarc: 'fail' },
}

const bounced = {
  ...testMail,
  delivery: {
    status: 'failed',
    steps: [
      {
        ...{ at, kind: 'failed', text: 'mx.elsewhere.example refused the message for good.' },
        reply: '550 5.1.1 There is nobody of this name here',
      },
    ],
    reason: 'There is no such mailbox there. Please look at the address again.',
  },
  answer: null,
}

const working = {
  ...{ _id: '00000000-0000-4000-8000-000000000000', unicodeName: 'example.com' },
  ...{ isMailOurs: true, mailTo: 'mail.example.net', mailboxes: 5, inUse: 1, unpaid: 0 },
  ...{ addresses: ['ada@example.com'], hasCatchAll: false, worksSeen: false },
  ...{ cameAt: at, wentAt: at },
}

export const domainPageScreens: Screen[] = [
  domainPage('active', { name: 'domain page', state: 'full', ready: 'All records are right' }),
  domainPage('waiting', { name: 'domain page, new', state: 'full', ready: 'Not verified yet' }),
  domainPage('faulty', { name: 'domain page, faults', state: 'full', ready: 'are wrong in DNS' }),
  domainPage('moving', { name: 'domain page, missing', state: 'full', ready: 'DNS records' }),
  domainPage('silent', { name: 'domain page, silent', state: 'full', ready: 'We look again' }),
  domainPage('claimed', { name: 'domain page, claimed', state: 'full', ready: 'Release it now' }),
  domainPage('asked', { name: 'domain page, claim', state: 'full', ready: 'Withdraw claim' }),
  domainPage('missing', { name: 'domain page, no proof', state: 'full', ready: 'has stopped' }),
  domainPage('active', {
    ...{ name: 'domain page, loading', state: 'loading', holds: ['/domains/*'] },
    ready: (page) => page.getByRole('status').filter({ hasText: 'Loading...' }),
  }),
  domainPage('active', {
    ...{ name: 'domain page, parts loading', state: 'loading' },
    ...{ holds: ['/mailboxes?*', '/dns-records/**'], ready: 'Mail for unknown addresses' },
  }),
  domainPage('active', {
    ...{ name: 'domain page, failed', state: 'failing', fails: ['/domains/*'] },
    ready: 'Error loading the domain',
  }),
  domainPage('active', {
    ...{ name: 'domain page, parts failed', state: 'failing' },
    ...{ fails: ['/mailboxes?*', '/dns-records/**'], ready: 'Error loading the records' },
  }),
  domainPage('active', {
    ...{ name: 'domain page, test mail', state: 'full', ready: 'There and back' },
    answers: { 'GET /domains/*/test-mail': { json: { testMail } } },
  }),
  domainPage('active', {
    ...{ name: 'domain page, test mail bounced', state: 'full', ready: 'Not delivered' },
    answers: { 'GET /domains/*/test-mail': { json: { testMail: bounced } } },
  }),
  domainPage('active', {
    ...{ name: 'domain page, mail works', state: 'full', ready: 'Mail works now' },
    answers: { 'GET /domains/*/first-steps': { json: working } },
  }),
  domainPage('active', {
    ...{ name: 'domain page, test mail failed', state: 'failing', fails: ['/domains/*/test-mail'] },
    ready: 'The test mail could not be loaded',
  }),
  domainPage('active', {
    ...{ name: 'domain page, trial', state: 'full', ready: 'No records in a trial' },
    answers: { 'GET /dns-records/dns/*': refusal('TRIAL') },
  }),
  {
    ...{ name: 'domain page, not here', who: 'member', state: 'empty' },
    path: '/dashboard/domains/nothing',
    ready: 'This domain is not in your workspace',
  },
  domainPage('active', {
    ...{ name: 'domain page, move', state: 'open', steps: click('Add to workspace') },
    ready: 'Select a workspace',
  }),
  domainPage('active', {
    ...{ name: 'domain page, delete', state: 'open', steps: click('Delete domain') },
    ready: (page) => question(page).getByText('What ends'),
  }),
  domainPage('deleted', { name: 'domain page, deleted', state: 'full', ready: 'was deleted' }),
  domainPage('deleted', {
    ...{ name: 'domain page, end now', state: 'open' },
    steps: async (page) => {
      await page.getByRole('button', { name: /^More about/ }).click()
      await page.getByRole('menuitem', { name: 'End it now' }).click()
    },
    ready: question,
  }),
  domainPage('faulty', {
    ...{ name: 'domain page, send link', state: 'open' },
    steps: click('Send to your DNS administrator'),
    ready: dialog,
  }),
]
