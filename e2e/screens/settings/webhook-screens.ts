/** Webhooks: none, many in every state, one with its attempts, and the ways to a new one and a new secret. */
import type { Page } from '@playwright/test'
import { WEBHOOK_TOPICS } from '#contract/developers/webhook-topics.ts'
import type { Attempt, Webhook } from '#contract/developers/webhooks.ts'
import { button, dialog, question, type Screen } from '../screen.ts'

const LONG = `https://hooks.${'a-very-long-name-of-a-host.'.repeat(4)}example/${'x'.repeat(60)}`
const ID = '019a4b00-0000-7000-8000-000000000001'
export const WEBHOOK_PATH = `/dashboard/developers/webhooks/${ID}`
const at = '2026-11-22T17:05:00.000Z'

const webhook = (given: Partial<Webhook>): Webhook => ({
  ...{ _id: ID, url: 'https://hooks.example.com/mailstead', topics: ['mail.received'] },
  ...{ isOn: true, offReason: null, offAt: null, failingSince: null, formerSecretUntil: null },
  createdAt: '2026-11-01T08:00:00.000Z',
  ...given,
})
const off = (offReason: Webhook['offReason'], url: string) =>
  webhook({ _id: crypto.randomUUID(), isOn: false, offReason, offAt: at, url })
const many = [
  webhook({ topics: [...WEBHOOK_TOPICS] }),
  webhook({ _id: crypto.randomUUID(), url: LONG, failingSince: at }),
  off('failing', 'https://down.example.com/events'),
  off('maker-left', 'https://left.example.com/events'),
  off('admin', 'https://quiet.example.com/events'),
]

const attempt = (given: Partial<Attempt>): Attempt => ({
  ...{ _id: crypto.randomUUID(), eventId: ID, topic: 'mail.received', at, durationMs: 87 },
  ...{ status: 200, reason: '', answer: 'ok', state: 'delivered' },
  ...given,
})
const attempts = [
  attempt({ topic: 'test' }),
  attempt({ status: 503, reason: 'it answers 503', answer: 'x'.repeat(1_024), state: 'waiting' }),
  attempt({
    status: null,
    reason: 'it took too long',
    answer: '',
    state: 'failed',
    topic: 'mail.bounced',
  }),
  ...Array.from({ length: 10 }, () => attempt({ topic: 'domain.broken' })),
]
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq='

const LIST = 'GET /webhooks'
const ONE = 'GET /webhooks/*'
const LOG = 'GET /webhooks/*/attempts?*'
export const oneWebhook = (given: Partial<Webhook> = {}) => ({
  [ONE]: { json: webhook({ topics: [...WEBHOOK_TOPICS], ...given }) },
  [LOG]: { json: { items: attempts, nextCursor: 'more' } },
})

const ofList = (
  name: string,
  given: Partial<Screen> & Pick<Screen, 'state' | 'ready'>,
): Screen => ({
  ...{ name: `webhooks, ${name}`, who: 'member', path: '/dashboard/developers?tab=webhooks' },
  ...given,
})
const ofOne = (name: string, given: Partial<Screen> & Pick<Screen, 'state' | 'ready'>): Screen => ({
  ...{ name: `webhook, ${name}`, who: 'member', path: WEBHOOK_PATH },
  ...given,
})

const open = async (page: Page) => {
  await button(page, 'Add webhook').click()
  await dialog(page).getByLabel('Address').waitFor()
}
const submit = (page: Page) => dialog(page).getByRole('button', { name: 'Add webhook' }).click()

export const webhookScreens: Screen[] = [
  ofList('none', { state: 'empty', ready: 'No webhook yet' }),
  ofList('many', { state: 'full', answers: { [LIST]: { json: many } }, ready: LONG }),
  ofList('loading', { state: 'loading', holds: ['/webhooks'], ready: 'Loading the webhooks' }),
  ofList('failed', {
    ...{ state: 'failing', fails: ['/webhooks'] },
    ready: 'The webhooks could not be loaded',
  }),
  ofList('of an Editor', { state: 'empty', who: 'editor', ready: 'Only an Admin can see this' }),
  ofList('new', { state: 'open', steps: open, ready: 'What it is told' }),
  ofList('new, wrong', {
    state: 'failing',
    steps: async (page) => {
      await open(page)
      await submit(page)
    },
    ready: 'Please choose at least one',
  }),
  ofList('made', {
    state: 'open',
    answers: { 'POST /webhooks': { status: 201, json: { ...webhook({}), secret } } },
    steps: async (page) => {
      await open(page)
      await dialog(page).getByLabel('Address').fill('https://hooks.example.com/mailstead')
      await button(page, 'Choose all').click()
      await submit(page)
    },
    ready: (page) => page.getByRole('textbox', { name: 'Secret' }),
  }),
  ofOne('with attempts', {
    state: 'full',
    answers: oneWebhook({ failingSince: at, formerSecretUntil: at }),
    ready: 'Show older',
  }),
  ofOne('details', {
    state: 'full',
    answers: oneWebhook({ url: LONG }),
    steps: async (page) => {
      await button(page, 'Details').nth(1).click()
    },
    ready: 'webhook-id',
  }),
  ofOne('off', {
    state: 'full',
    answers: oneWebhook({ isOn: false, offReason: 'maker-left', offAt: at }),
    ready: 'Switch on',
  }),
  ofOne('gone', { state: 'empty', ready: 'This webhook is gone' }),
  ofOne('loading', { state: 'loading', holds: ['/webhooks/*'], ready: 'Loading the webhook' }),
  ofOne('failed', {
    ...{ state: 'failing', fails: ['/webhooks/*'] },
    ready: 'The webhook could not be loaded',
  }),
  ofOne('change', {
    ...{ state: 'open', answers: oneWebhook() },
    steps: (page) => button(page, 'Change').click(),
    ready: (page) => dialog(page).getByLabel('Address'),
  }),
  ofOne('new secret', {
    state: 'open',
    answers: {
      ...oneWebhook(),
      'POST /webhooks/*/secret': { status: 201, json: { ...webhook({}), secret } },
    },
    steps: async (page) => {
      await button(page, 'New secret').click()
      await button(page, 'Make new secret').click()
    },
    ready: (page) => page.getByRole('textbox', { name: 'Secret' }),
  }),
  ofOne('delete', {
    ...{ state: 'open', answers: oneWebhook() },
    steps: (page) => button(page, 'Delete webhook').click(),
    ready: question,
  }),
]
