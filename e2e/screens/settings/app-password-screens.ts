/** The app passwords of a mailbox: none, many of every kind, and the way to a new one. */
import type { Page } from '@playwright/test'
import type { AppPassword, ProgramUse } from '#contract/mail/app-passwords.ts'
import { button, dialog, question, type Screen } from '../screen.ts'

const LONG = 'The old computer in the office of the northern department, 2nd'

const password = (given: Partial<AppPassword>): AppPassword => ({
  ...{ _id: crypto.randomUUID(), name: 'Phone', scopes: ['imap', 'smtp'], expiresAt: null },
  ...{ createdAt: '2026-11-01T08:00:00.000Z', lastUsedAt: '2026-11-22T17:05:00.000Z' },
  ...{ lastUsedIp: '2001:db8:4:17:8c1f:33ff:fe21:9', lastUsedFor: 'imap' },
  lastProgram: 'iPhone Mail 24B5042 on iOS 27.1',
  ...given,
})

const unused = { lastUsedAt: null, lastUsedIp: null, lastUsedFor: null, lastProgram: '' }
const many: AppPassword[] = [
  password({}),
  password({ name: LONG, lastUsedIp: '192.0.2.17', lastProgram: 'x'.repeat(100) }),
  password({ name: 'Printer', scopes: ['smtp'], lastUsedFor: 'smtp', lastProgram: '' }),
  password({ ...unused, name: 'Archive', scopes: ['imap'], expiresAt: '2199-01-01T00:00:00.000Z' }),
  password({ ...unused, name: 'Tablet', expiresAt: '2026-11-10T00:00:00.000Z' }),
]
const made = {
  ...password({ ...unused, name: 'Phone' }),
  password: 'k7wq-93ez-hm4c-tq2v-xj6p-ab8d-fy5n',
}

const LIST = 'GET /mailboxes/*/app-passwords'
const open = async (page: Page) => {
  await button(page, 'New app password').click()
  await dialog(page).getByLabel('Name').waitFor()
}
const submit = (page: Page) => button(page, 'Make app password').click()

const screen = (
  name: string,
  given: Partial<Screen> & Pick<Screen, 'state' | 'ready'>,
): Screen => ({
  ...{ name: `mailbox settings, app passwords, ${name}`, who: 'member' },
  path: ({ mailboxId }) => `/dashboard/mail-box-settings?mailbox=${mailboxId}#app-passwords`,
  ...given,
})

const use = (given: Partial<ProgramUse>): ProgramUse => ({
  ...{ name: 'Phone', program: 'iPhone Mail 24B5042 on iOS 27.1', ip: '192.0.2.17' },
  ...{ firstAt: '2026-11-01T09:00:00.000Z', lastAt: '2026-11-22T17:05:00.000Z', scope: 'imap' },
  ...given,
})
const uses = [
  use({ name: null, program: '', scope: 'smtp' }),
  use({ name: LONG, program: 'x'.repeat(100), ip: '2001:db8:4:17:8c1f:33ff:fe21:9' }),
  ...Array.from({ length: 12 }, (_, n) => use({ ip: `192.0.2.${n}` })),
]

export const appPasswordScreens: Screen[] = [
  screen('none', { state: 'empty', ready: 'No app password yet' }),
  screen('many', { state: 'full', answers: { [LIST]: { json: many } }, ready: LONG }),
  screen('uses', {
    state: 'full',
    answers: {
      [LIST]: { json: many.slice(0, 1) },
      'GET /mailboxes/*/program-uses': { json: uses },
    },
    steps: (page) => button(page, 'Where mail programs signed in').click(),
    ready: 'A mail program',
  }),
  screen('loading', {
    ...{ state: 'loading', holds: ['/mailboxes/*/app-passwords'] },
    ready: 'Loading the app passwords',
  }),
  screen('failed', {
    ...{ state: 'failing', fails: ['/mailboxes/*/app-passwords'] },
    ready: 'The app passwords could not be loaded',
  }),
  screen('new', { state: 'open', steps: open, ready: (page) => button(page, 'Work computer') }),
  screen('new, wrong', {
    state: 'failing',
    steps: async (page) => {
      await open(page)
      await submit(page)
    },
    ready: 'Please enter a name',
  }),
  screen('made', {
    state: 'open',
    answers: { 'POST /mailboxes/*/app-passwords': { status: 201, json: made } },
    steps: async (page) => {
      await open(page)
      await button(page, 'Phone').click()
      await submit(page)
    },
    ready: (page) => page.getByRole('img', { name: 'QR code of the app password' }),
  }),
  screen('end', {
    ...{ state: 'open', answers: { [LIST]: { json: many } } },
    steps: (page) => button(page, `End ${LONG}`).click(),
    ready: question,
  }),
]
