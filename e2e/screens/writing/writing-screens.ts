/** The window that one writes in: its parts, its files, and what it says when something is wrong. */
import type { Page } from '@playwright/test'
import { refusal } from '../../specification/setting.ts'
import type { LetterKey } from '../letters.ts'
import { button, dialog, isPhone, listbox, question, type Screen } from '../screen.ts'

export const writing = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...{ who: 'member', path: ({ mailboxId }) => `/dashboard/view-mail?mailbox=${mailboxId}` },
  ...screen,
})

export const answering = (key: LetterKey, screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  who: 'member',
  path: ({ mailboxId, messages }) =>
    `/dashboard/view-mail?mailbox=${mailboxId}&message=${messages[key]}`,
  ...screen,
})

const DRAFTS = 'POST /mailboxes/*/drafts'
export const inForm = (page: Page) => dialog(page)

export const write = async (page: Page) => {
  await button(page, 'Compose').click()
  await inForm(page).getByLabel('Subject').fill('The minutes of Tuesday, and of the Tuesday before')
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Home')
  await page.keyboard.type('Dear Grace, ')
}

export const forward = async (page: Page) => {
  if (!isPhone(page)) return button(page, 'Forward').click()
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Forward' }).click()
}

const named = (name: string) => ({
  ...{ name, mimeType: 'text/plain', buffer: Buffer.alloc(40_000, 'x') },
})

const attach = async (page: Page) => {
  await write(page)
  await inForm(page)
    .getByLabel('Files to attach')
    .setInputFiles([named('plan.txt'), named(`${'a-name-that-goes-on-'.repeat(6)}.txt`)])
}

export const writingScreens: Screen[] = [
  writing({
    ...{ name: 'mail, compose, small', state: 'open' },
    steps: async (page) => {
      await write(page)
      await button(page, 'Minimise').click()
    },
    ready: (page) => button(page, 'Show the message'),
  }),
  writing({
    ...{ name: 'mail, compose, files', state: 'open', steps: attach },
    ready: (page) => inForm(page).getByText('Saved', { exact: true }),
  }),
  writing({
    ...{ name: 'mail, compose, file refused', state: 'failing', steps: attach },
    answers: { 'POST /mailboxes/*/uploads': refusal('STORAGE_FULL') },
    ready: 'plan.txt: The storage of this workspace is full',
  }),
  writing({
    ...{ name: 'mail, compose, people', state: 'open' },
    steps: async (page) => {
      await button(page, 'Compose').click()
      await inForm(page).getByLabel('To', { exact: true }).pressSequentially('per')
    },
    ready: listbox,
  }),
  writing({
    ...{ name: 'mail, compose, not saved', state: 'failing', steps: write },
    ...{ answers: { [DRAFTS]: refusal('FORBIDDEN') } },
    ready: (page) => inForm(page).getByText(/You can no longer write from this mailbox/),
  }),
  writing({
    ...{ name: 'mail, compose, waits', state: 'failing', steps: write },
    ...{
      answers: { [DRAFTS]: refusal('UNAVAILABLE') },
      ready: (page) => inForm(page).getByText(/The server has a problem\./),
    },
  }),
  writing({
    ...{ name: 'mail, compose, close', state: 'open', ready: question },
    answers: { [DRAFTS]: refusal('FORBIDDEN') },
    steps: async (page) => {
      await write(page)
      await button(page, 'Close').click()
    },
  }),
  writing({
    ...{ name: 'mail, compose, delete', state: 'open', ready: question },
    steps: async (page) => {
      await write(page)
      await button(page, 'Delete draft').click()
    },
  }),
  answering('files', {
    ...{ name: 'mail, forward', state: 'open', steps: forward },
    ready: (page) => inForm(page).getByText('View of the harbour.png'),
  }),
  answering('plain', {
    ...{ name: 'mail, reply, original', state: 'open' },
    steps: async (page) => {
      await button(page, 'Reply').first().click()
      await inForm(page).getByRole('button', { name: 'Show', exact: true }).click()
    },
    ready: (page) => page.frameLocator('iframe[title="Original message"]').getByText('before noon'),
  }),
]
