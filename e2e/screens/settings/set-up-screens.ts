/** How to set up a mail program: each kind of program, the password that was made, and a reader without a mailbox. */
import type { AppPassword } from '#contract/mail/app-passwords.ts'
import { refusal } from '../../specification/setting.ts'
import { button, isPhone, type Screen } from '../screen.ts'

const made: AppPassword & { password: string } = {
  ...{ _id: crypto.randomUUID(), name: 'iPhone or iPad', scopes: ['imap', 'smtp'] },
  ...{ createdAt: '2026-11-01T08:00:00.000Z', expiresAt: null, lastUsedAt: null },
  ...{ lastUsedIp: null, lastUsedFor: null, lastProgram: '' },
  password: 'k7wq-93ez-hm4c-tq2v-xj6p-ab8d-fy5n',
}
const MAKE = 'POST /mailboxes/*/app-passwords'
const make = (page: Parameters<typeof button>[0]) => button(page, 'Make an app password').click()

const screen = (
  name: string,
  program: string,
  given: Partial<Screen> & Pick<Screen, 'state' | 'ready'>,
): Screen => ({
  ...{ name: `set up a mail program, ${name}`, who: 'member' },
  path: ({ mailboxId }) => `/dashboard/set-up-mail?mailbox=${mailboxId}&program=${program}`,
  ...given,
})

export const setUpScreens: Screen[] = [
  screen('iPhone', 'iphone', { state: 'full', ready: 'Get the profile' }),
  screen('Outlook', 'outlook', { state: 'full', ready: 'Incoming mail (IMAP)' }),
  screen('Gmail', 'gmail', { state: 'full', ready: 'Incoming mail (IMAP)' }),
  screen('made', 'iphone', {
    ...{ state: 'open', answers: { [MAKE]: { status: 201, json: made } }, steps: make },
    ready: 'Copy the app password',
  }),
  screen('not made', 'thunderbird', {
    ...{ state: 'failing', answers: { [MAKE]: refusal('APP_PASSWORD_LIMIT') }, steps: make },
    ready: 'See your app passwords',
  }),
  screen('choice', 'other', {
    state: 'open',
    // Open, the list of a phone hides all else from axe.
    steps: (page) =>
      isPhone(page)
        ? page.getByRole('combobox', { name: 'Your program' }).focus()
        : page.getByRole('radio', { name: 'Another program' }).focus(),
    ready: (page) =>
      isPhone(page)
        ? page.getByRole('combobox', { name: 'Your program' })
        : page.getByRole('radio', { name: 'Another program' }),
  }),
  screen('loading', 'iphone', {
    ...{ state: 'loading', path: '/dashboard/set-up-mail', holds: ['/mailboxes?*'] },
    ready: 'Loading the settings',
  }),
  screen('failed', 'iphone', {
    ...{ state: 'failing', path: '/dashboard/set-up-mail', fails: ['/mailboxes?*'] },
    ready: 'The settings could not be loaded',
  }),
  screen('no mailbox', 'iphone', {
    ...{ who: 'newcomer', state: 'empty', path: '/dashboard/set-up-mail' },
    ready: 'No mailbox to set up',
  }),
  screen('of a holder', 'iphone', {
    ...{ who: 'holder', state: 'full', path: '/dashboard/set-up-mail?program=samsung' },
    ready: 'Incoming mail (IMAP)',
  }),
]
