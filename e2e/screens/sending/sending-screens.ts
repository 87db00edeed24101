import type { Page } from '@playwright/test'
import { button, dialog, menu, question, type Screen } from '../screen.ts'
import type { World } from '../world.ts'

const member = 'member' as const
const mailboxesPath = '/dashboard/mailboxes'
const settings = ({ stoppedMailboxId }: World) =>
  `/dashboard/mail-box-settings?mailbox=${stoppedMailboxId}#sending`

const openMenu = (page: Page) =>
  page.getByRole('button', { name: /^Actions for newsletter\.of/ }).click()

const tooMany = Array.from({ length: 21 }, (_, n) => `person-${n}@elsewhere.example`).join(', ')

export const sendingScreens: Screen[] = [
  {
    ...{ name: 'mail, sending stopped', who: member, state: 'full' },
    path: ({ stoppedMailboxId }) => `/dashboard/view-mail?mailbox=${stoppedMailboxId}`,
    ready: 'See why, and what to do',
  },
  {
    ...{ name: 'mail, compose, too many', who: member, state: 'failing' },
    path: ({ mailboxId }) => `/dashboard/view-mail?mailbox=${mailboxId}`,
    steps: async (page) => {
      await button(page, 'Compose').click()
      await dialog(page).getByLabel('To', { exact: true }).fill(tooMany)
      await dialog(page).getByLabel('Subject').fill('Minutes of Tuesday')
      await button(page, 'Send').click()
    },
    ready: (page) => dialog(page).getByText(/There will be room for the whole message at/),
  },
  {
    ...{ name: 'mailbox settings, sending stopped', who: member, state: 'full', path: settings },
    ready: (page) => button(page, 'Resume sending'),
  },
  {
    ...{ name: 'mailbox settings, sending stopped, Editor', who: 'editor', state: 'full' },
    ...{ path: settings, ready: 'An Admin of this workspace can resume it.' },
  },
  {
    ...{ name: 'mailbox settings, sending loading', who: member, state: 'loading' },
    ...{ path: settings, holds: ['/mailboxes/*/sending'] },
    ready: 'Loading the sending limits',
  },
  {
    ...{ name: 'mailbox settings, sending failed', who: member, state: 'failing' },
    ...{ path: settings, fails: ['/mailboxes/*/sending'] },
    ready: 'The sending limits could not be loaded',
  },
  {
    ...{ name: 'mailboxes, sending stopped', who: member, state: 'open', path: mailboxesPath },
    ...{ steps: openMenu, ready: menu },
  },
  {
    ...{ name: 'mailboxes, resume sending', who: member, state: 'open', path: mailboxesPath },
    steps: async (page) => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Resume sending' }).click()
    },
    ready: question,
  },
]
