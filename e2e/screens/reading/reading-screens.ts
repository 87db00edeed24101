/** A message that is open, and what is opened from it. */
import type { Page } from '@playwright/test'
import type { LetterKey } from '../letters.ts'
import { button, click, dialog, type Screen } from '../screen.ts'

const member = 'member' as const

const message = (key: LetterKey, screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  who: member,
  path: ({ mailboxId, messages }) =>
    `/dashboard/view-mail?mailbox=${mailboxId}&message=${messages[key]}`,
  ...screen,
})

const showOriginal = async (page: Page) => {
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Show original' }).click()
}

const pictureSenders = '/mailboxes/*/picture-senders'
const settings: Screen['path'] = ({ mailboxId }) =>
  `/dashboard/mail-box-settings?mailbox=${mailboxId}#pictures`

export const readingScreens: Screen[] = [
  message('newsletter', {
    ...{ name: 'mail, pictures not to be had', state: 'failing', steps: click('Show pictures') },
    ready: '1 picture could not be loaded.',
  }),
  message('newsletter', {
    ...{ name: 'mail, unsubscribe', state: 'open', steps: click('Unsubscribe') },
    ready: (page) => page.getByRole('alertdialog', { name: 'Unsubscribe from The Tide Table?' }),
  }),
  message('invitation', {
    ...{ name: 'mail, invitation', state: 'full', ready: 'Will you come?' },
  }),
  message('answer', {
    ...{ name: 'mail, conversation', state: 'full' },
    ready: (page) => page.getByRole('button', { name: /the minutes are at/ }),
  }),
  message('answer', {
    ...{ name: 'mail, conversation, open', state: 'open' },
    steps: (page) => page.getByRole('button', { name: /the minutes are at/ }).click(),
    ready: (page) => page.getByRole('button', { name: /^Fold the message from/ }),
  }),
  message('files', {
    ...{
      name: 'mail, picture preview',
      state: 'open',
      steps: click(/^Show View of the harbour/),
    },
    ready: (page) => dialog(page).getByRole('img'),
  }),
  message('junk', {
    ...{ name: 'mail, original', state: 'open', steps: showOriginal },
    ready: (page) => dialog(page).getByText('MIME-Version: 1.0'),
  }),
  message('plain', {
    ...{ name: 'mail, original failed', state: 'failing', steps: showOriginal },
    fails: ['/mailboxes/*/messages/*/raw'],
    ready: 'The source could not be read',
  }),
  {
    ...{ name: 'mailbox settings, pictures', who: member, state: 'empty', path: settings },
    ready: 'No senders yet.',
  },
  {
    ...{ name: 'mailbox settings, pictures loading', who: member, state: 'loading' },
    ...{ path: settings, holds: [pictureSenders], ready: 'Loading the senders' },
  },
  {
    ...{ name: 'mailbox settings, pictures failed', who: member, state: 'failing' },
    ...{ path: settings, fails: [pictureSenders], ready: 'The senders could not be loaded' },
  },
]
