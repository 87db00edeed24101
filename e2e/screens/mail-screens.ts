import type { Page } from '@playwright/test'
import type { LetterKey } from './letters.ts'
import { button, click, dialog, isPhone, menu, type Screen } from './screen.ts'

const VIEW = '/dashboard/view-mail'
const member = 'member' as const

const mail = (screen: Omit<Screen, 'who' | 'path'>, query = ''): Screen => ({
  ...screen,
  who: member,
  path: ({ mailboxId }) => `${VIEW}?mailbox=${mailboxId}${query}`,
})

const message = (key: LetterKey, screen: Partial<Screen> & Pick<Screen, 'ready'>): Screen => ({
  ...{ name: `mail, ${key}`, who: member, state: 'full' },
  path: ({ mailboxId, messages }) => `${VIEW}?mailbox=${mailboxId}&message=${messages[key]}`,
  ...screen,
})

const isInFrame = (text: string) => (page: Page) =>
  page.frameLocator('iframe[title^="Message"]').getByText(text)

const openFolders = (page: Page) => button(page, 'Folders and mailboxes').click()

const openMailboxes = async (page: Page) => {
  if (isPhone(page)) await openFolders(page)
  await page.getByRole('button', { name: /Choose another mailbox/ }).click()
}

const mailboxList = (page: Page) => page.getByRole('list', { name: 'Mailboxes' })

const compose = (page: Page) => button(page, 'Compose').click()

const leftFolder = {
  items: [
    {
      ...{ _id: crypto.randomUUID(), subject: 'Minutes of the meeting of the northern department' },
      ...{ from: { name: 'Grace Hopper', address: 'grace@navy.example' }, to: [], size: 4_000 },
      ...{ date: '2026-11-20T08:00:00.000Z', deletedAt: '2026-11-24T08:00:00.000Z' },
      folder: 'Projects/Difference engine/Correspondence of the years before the second contract',
    },
  ],
  nextCursor: null,
}

export const mailScreens: Screen[] = [
  mail({ name: 'mail', state: 'full', ready: 'The Tide Table No. 44' }),
  {
    ...{ name: 'mail, no mailbox', who: 'newcomer', state: 'empty', path: VIEW },
    ready: 'No mailbox to read yet',
  },
  mail(
    { name: 'mail, empty folder', state: 'empty', ready: 'Nothing in Archive' },
    '&folder=archive',
  ),
  mail(
    {
      ...{ name: 'mail, recover deleted', state: 'open', ready: 'All 3' },
      steps: (page) => button(page, 'Recover deleted').click(),
    },
    '&folder=trash',
  ),
  mail(
    {
      ...{ name: 'mail, recover from a folder', state: 'open' },
      ready: (page) => page.getByText(/^From the folder/),
      answers: { 'GET /mailboxes/*/deleted-messages*': { json: leftFolder } },
      steps: (page) => button(page, 'Recover deleted').click(),
    },
    '&folder=trash',
  ),
  {
    ...{
      name: 'mail, nothing to recover',
      who: 'member',
      state: 'open',
      ready: 'Nothing to recover',
    },
    path: ({ stoppedMailboxId }) => `${VIEW}?mailbox=${stoppedMailboxId}&folder=trash`,
    steps: (page) => button(page, 'Recover deleted').click(),
  },
  mail({ name: 'mail, search', state: 'full', ready: '“Minutes” in all mail' }, '&q=Minutes'),
  mail({ name: 'mail, nothing found', state: 'empty', ready: 'Nothing found' }, '&q=zzzzzz'),
  mail(
    { name: 'mail, unknown operator', state: 'empty', ready: '“foo:” is not known.' },
    '&q=foo:zzzzzz',
  ),
  mail(
    { name: 'mail, found by parts', state: 'full', ready: 'No message contains these words.' },
    '&q=inute',
  ),
  mail({
    ...{ name: 'mail, search hints', state: 'open', ready: 'Not with this word' },
    steps: (page) => page.getByRole('searchbox', { name: 'Search mail' }).click(),
  }),
  mail({
    ...{ name: 'mail, recent searches', state: 'open', ready: 'Recent searches' },
    steps: async (page) => {
      const box = page.getByRole('searchbox', { name: 'Search mail' })
      await box.fill('Minutes')
      await box.press('Enter')
      await page
        .getByRole('link', { name: /Minutes of Tuesday/ })
        .first()
        .waitFor()
      await box.fill('')
      await page
        .getByRole('link', { name: /The Tide Table/ })
        .first()
        .waitFor()
      await box.blur()
      await box.focus()
    },
  }),
  mail({
    ...{ name: 'mail, selected', state: 'open', ready: '1 selected' },
    steps: (page) =>
      page
        .getByRole('checkbox', { name: /^Select The Tide Table/ })
        .first()
        .click(),
  }),
  mail({
    ...{ name: 'mail, move to', state: 'open', ready: dialog },
    steps: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select The Tide Table/ })
        .first()
        .click()
      await page.keyboard.press('v')
    },
  }),
  mail({
    ...{
      name: 'mail, all selected',
      state: 'open',
      ready: (page) => page.getByText(/^\d+ selected$/),
    },
    steps: (page) => page.getByRole('checkbox', { name: 'Select all that are shown' }).click(),
  }),
  mail({
    ...{ name: 'mail, new folder', state: 'open', ready: dialog },
    steps: async (page) => {
      if (isPhone(page)) await openFolders(page)
      await button(page, 'New folder').click()
    },
  }),
  mail({
    ...{ name: 'mail, loading', state: 'loading', holds: ['/mailboxes/*/conversations*'] },
    ready: 'Loading messages',
  }),
  mail({
    ...{ name: 'mail, mailboxes loading', state: 'loading', holds: ['/mailboxes?*'] },
    ready: (page) => page.getByRole('heading', { name: 'View Mail' }),
  }),
  mail({
    ...{ name: 'mail, failed', state: 'failing', fails: ['/mailboxes/*/conversations*'] },
    ready: 'The messages could not be loaded',
  }),
  mail({
    ...{ name: 'mail, mailboxes failed', state: 'failing', fails: ['/mailboxes?*'] },
    ready: 'The mailboxes could not be loaded',
  }),
  mail({
    ...{ name: 'mail, folders', state: 'open' },
    steps: async (page) => {
      if (isPhone(page)) await openFolders(page)
    },
    ready: (page) => page.getByRole('navigation', { name: 'Folders' }),
  }),
  mail({ name: 'mail, mailboxes', state: 'open', steps: openMailboxes, ready: mailboxList }),
  message('plain', { ready: 'a word before noon' }),
  message('nameless', { ready: (page) => page.getByRole('heading', { name: '(no subject)' }) }),
  message('unbroken', { ready: 'unbrokenunbroken' }),
  message('arabic', { ready: 'يسعدنا دعوتكم' }),
  message('files', { ready: 'Receipt for November.pdf' }),
  message('newsletter', { ready: isInFrame('The paper that floats') }),
  message('junk', {
    ...{ name: 'mail, junk', steps: click('Why') },
    ready: (page) => page.getByRole('table', { name: 'Reasons and their points' }),
  }),
  message('plain', {
    ...{ name: 'mail, message failed', state: 'failing', fails: ['/mailboxes/*/messages/*'] },
    ready: 'The message could not be opened',
  }),
  message('plain', {
    ...{ name: 'mail, message loading', state: 'loading', holds: ['/mailboxes/*/messages/*'] },
    ready: (page) => page.getByText('Loading the message').or(page.getByRole('toolbar')),
  }),
  message('plain', {
    ...{ name: 'mail, more actions', state: 'open', steps: click('More actions'), ready: menu },
  }),
  message('plain', {
    ...{ name: 'mail, shortcuts', state: 'open' },
    steps: async (page) => {
      await button(page, 'More actions').click()
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    },
    ready: dialog,
  }),
  message('newsletter', {
    ...{ name: 'mail, reply', state: 'open', steps: click('Reply') },
    ready: (page) => page.getByRole('toolbar', { name: 'Formatting' }),
  }),
  mail({
    ...{ name: 'mail, compose', state: 'open', steps: compose },
    ready: (page) => page.getByRole('toolbar', { name: 'Formatting' }),
  }),
  mail({
    ...{ name: 'mail, compose, wrong', state: 'failing' },
    steps: async (page) => {
      await compose(page)
      await dialog(page).getByRole('button', { name: 'Cc and Bcc' }).click()
      await dialog(page).getByLabel('To', { exact: true }).fill('not an address')
      await button(page, 'Send').click()
    },
    ready: 'Invalid email address: not an address',
  }),
  {
    ...{ name: 'mailbox settings', who: member, state: 'full' },
    path: ({ mailboxId }) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`,
    ready: (page) => page.getByRole('textbox', { name: 'Signature' }),
  },
  {
    ...{ name: 'mailbox settings, none', who: 'newcomer', state: 'empty' },
    path: '/dashboard/mail-box-settings',
    ready: 'No mailbox yet',
  },
  {
    ...{ name: 'mailbox settings, loading', who: member, state: 'loading' },
    ...{ path: '/dashboard/mail-box-settings', holds: ['/mailboxes?*'] },
    ready: 'Loading the mailbox',
  },
  {
    ...{ name: 'mailbox settings, failed', who: member, state: 'failing' },
    ...{ path: '/dashboard/mail-box-settings', fails: ['/mailboxes?*'] },
    ready: 'The mailboxes could not be loaded',
  },
  {
    ...{ name: 'mailbox settings, mailboxes', who: member, state: 'open' },
    path: ({ mailboxId }) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`,
    steps: (page) => page.getByRole('button', { name: /Choose another mailbox/ }).click(),
    ready: mailboxList,
  },
]
