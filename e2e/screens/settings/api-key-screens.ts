/** API keys: none, many of every kind, the way to a new one, and the page of one. */
import type { Page } from '@playwright/test'
import type { ApiKey } from '#contract/developers/api-keys.ts'
import { KEY_SCOPES } from '#contract/developers/scopes.ts'
import { button, click, dialog, question, type Screen } from '../screen.ts'

const LONG = 'Onboarding of customers on the old server in the northern department'

const key = (given: Partial<ApiKey>): ApiKey => ({
  ...{ _id: crypto.randomUUID(), kind: 'workspace', name: 'Onboarding', ending: 'x7Kq' },
  ...{ scopes: ['domains:read', 'domains:write', 'mailboxes:write', 'mail:send'] },
  ...{ domains: null, mailboxes: null, ips: [], expiresAt: null },
  ...{ createdAt: '2026-11-01T08:00:00.000Z', lastUsedAt: '2026-11-22T17:05:00.000Z' },
  ...{ lastUsedIp: '2001:db8:4:17:8c1f:33ff:fe21:9' },
  madeBy: { _id: crypto.randomUUID(), name: 'Grace Hopper', isYou: false },
  ...given,
})

const unused = { lastUsedAt: null, lastUsedIp: null }
const you = { madeBy: { _id: crypto.randomUUID(), name: 'Ada King-Noel', isYou: true } }
const ids = Array.from({ length: 12 }, () => crypto.randomUUID())
const full = key({
  ...{ name: LONG, scopes: [...KEY_SCOPES], domains: ids, mailboxes: ids.slice(0, 1) },
  ips: Array.from({ length: 20 }, (_, n) => `2001:db8:${n}::/48`),
})
const many: ApiKey[] = [
  key({}),
  full,
  key({ name: 'Web site', scopes: ['mail:send'], expiresAt: '2199-01-01T00:00:00.000Z' }),
  key({ ...unused, name: 'Trial', expiresAt: '2026-11-10T00:00:00.000Z' }),
  key({ ...unused, ...you, kind: 'person', name: 'My script', scopes: ['billing:read'] }),
]
const ofHolder = [
  key({ ...you, kind: 'person', name: LONG, scopes: ['messages:read'] }),
  key({
    ...{ ...unused, ...you, kind: 'person', name: 'Trial' },
    ...{ scopes: ['mailboxes:read', 'mail:send'], expiresAt: '2026-11-10T00:00:00.000Z' },
  }),
]
const made = {
  ...key({ ...unused, ...you }),
  key: 'mailstead_4fT0aQ8zXw2Lk9PvB6nYc1RdE7sHuG3mJ5iK',
}

const LIST = 'GET /api-keys'
const open = async (page: Page) => {
  await button(page, 'New workspace key').click()
  await dialog(page).getByLabel('Name').waitFor()
}
const fill = async (page: Page) => {
  await open(page)
  await dialog(page).getByLabel('Name').fill('Onboarding')
  await dialog(page).getByLabel('Add, check and change domains').click()
}

const screen = (
  name: string,
  given: Partial<Screen> & Pick<Screen, 'state' | 'ready'>,
): Screen => ({
  ...{ name: `API keys, ${name}`, who: 'member', path: '/dashboard/developers' },
  ...given,
})
const page = (name: string, given: Partial<Screen> & Pick<Screen, 'state' | 'ready'>): Screen =>
  screen(`page, ${name}`, { path: '/dashboard/developers/keys/any', ...given })
const ONE = { 'GET /api-keys/any': { json: full } }
/** Its maker alone changes it. */
export const ownKey = {
  'GET /api-keys/any': { json: { ...full, ...you } },
  'GET /api-keys/any/calls': { json: [] },
}
const holder = (name: string, given: Partial<Screen> & Pick<Screen, 'state' | 'ready'>): Screen =>
  screen(`of a holder, ${name}`, { who: 'holder', ...given })
const OF_CARD = 'Programs that you write or choose read and send mail'
const calls = Array.from({ length: 60 }, (_, n) => ({
  ...{ name: `call${n}`, method: n % 3 === 0 ? 'POST' : 'GET' },
  path: '/mailboxes/{id}/messages/{messageId}/attachments/{n}',
  summary: 'One file of a message, as it was sent, of any size and any kind that there is',
}))

export const apiKeyScreens: Screen[] = [
  screen('none', { state: 'empty', ready: 'No key of the workspace yet', who: 'newcomer' }),
  screen('many', {
    state: 'full',
    answers: { [LIST]: { json: many } },
    // The server has drawn the page without them.
    steps: (shown) => shown.getByText(LONG).waitFor(),
    ready: LONG,
  }),
  screen('of a member', { state: 'empty', who: 'user', ready: 'You have no key of your own yet' }),
  screen('loading', {
    ...{ state: 'loading', holds: ['/api-keys'] },
    ready: 'Loading the API keys',
  }),
  screen('failed', {
    ...{ state: 'failing', fails: ['/api-keys'] },
    ready: 'The API keys could not be loaded',
  }),
  screen('new', { state: 'open', steps: open, ready: 'Give people mailboxes, and take them back' }),
  screen('new, narrowed', {
    state: 'open',
    steps: async (shown) => {
      await fill(shown)
      await dialog(shown).getByRole('radio', { name: 'Some of it' }).click()
      await dialog(shown).getByText('Choose mailboxes').scrollIntoViewIfNeeded()
    },
    ready: 'Choose domains',
  }),
  screen('new, wrong', {
    state: 'failing',
    steps: async (shown) => {
      await open(shown)
      await button(shown, 'Make API key').click()
    },
    ready: 'Please enter a name',
  }),
  screen('made', {
    state: 'open',
    answers: { 'POST /api-keys': { status: 201, json: made } },
    steps: async (shown) => {
      await fill(shown)
      await button(shown, 'Make API key').click()
    },
    ready: 'Your first call',
  }),
  page('full', {
    state: 'full',
    answers: { ...ONE, 'GET /api-keys/any/calls': { json: calls } },
    ready: (shown) => shown.getByText('POST').first(),
  }),
  page('calls not loaded', {
    ...{ state: 'failing', answers: ONE, fails: ['/api-keys/any/calls'] },
    ready: 'The calls could not be loaded',
  }),
  page('loading', {
    ...{ state: 'loading', holds: ['/api-keys/any'] },
    ready: (shown) => shown.getByText('Loading the API key'),
  }),
  page('failed', {
    ...{ state: 'failing', fails: ['/api-keys/any'] },
    ready: 'The API key could not be loaded',
  }),
  page('change', {
    state: 'open',
    answers: ownKey,
    steps: click('Change'),
    ready: (shown) => dialog(shown).getByLabel('Name'),
  }),
  page('change, wrong', {
    state: 'failing',
    answers: ownKey,
    steps: async (shown) => {
      await button(shown, 'Change').click()
      await dialog(shown).getByLabel('Name').fill('')
      await dialog(shown).getByRole('button', { name: 'Save' }).click()
    },
    ready: 'Please enter a name',
  }),
  page('change, refused', {
    state: 'failing',
    answers: ownKey,
    fails: ['PATCH /api-keys/*'],
    steps: async (shown) => {
      await button(shown, 'Change').click()
      await dialog(shown).getByLabel('Name').fill('Another name')
      await dialog(shown).getByRole('button', { name: 'Save' }).click()
    },
    ready: (shown) => dialog(shown).getByRole('alert'),
  }),
  holder('none', { state: 'empty', ready: 'You have no key of your own yet' }),
  holder('many', {
    state: 'full',
    answers: { [LIST]: { json: ofHolder } },
    steps: (shown) => shown.getByText(LONG).waitFor(),
    ready: LONG,
  }),
  holder('loading', { state: 'loading', holds: ['/api-keys'], ready: 'Loading the API keys' }),
  holder('failed', {
    ...{ state: 'failing', fails: ['/api-keys'] },
    ready: 'The API keys could not be loaded',
  }),
  holder('new', {
    ...{ state: 'open', steps: click('New API key') },
    ready: (shown) => dialog(shown).getByLabel('Name'),
  }),
  holder('one of them', {
    state: 'full',
    path: '/dashboard/developers/keys/any',
    answers: {
      'GET /api-keys/any': { json: ofHolder[0] },
      'GET /api-keys/any/calls': { json: calls.slice(0, 5) },
    },
    ready: 'Your mailbox',
  }),
  holder('card in the settings', {
    ...{ state: 'full', path: '/dashboard/mail-box-settings' },
    steps: (shown) => shown.getByText(OF_CARD).scrollIntoViewIfNeeded(),
    ready: OF_CARD,
  }),
  page('gone', { state: 'empty', ready: 'This key does not exist' }),
  page('end', {
    state: 'open',
    answers: { ...ONE, 'GET /api-keys/any/calls': { json: [] } },
    steps: click('End key'),
    ready: question,
  }),
]
