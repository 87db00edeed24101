import type { Page } from '@playwright/test'
import type { OpenedAccess } from '#contract/mail/access.ts'
import { button, click, dialog, listbox, menu, question, type Screen } from '../screen.ts'
import type { World } from '../world.ts'

const held = ({ heldMailboxId }: World) => `/dashboard/mailbox-access?mailbox=${heldMailboxId}`
const access = (screen: Omit<Screen, 'who' | 'path'>, path: Screen['path'] = held): Screen => ({
  ...{ who: 'member', path },
  ...screen,
})

const own = ({ mailboxId }: World) => `/dashboard/mailbox-access?mailbox=${mailboxId}`
const setUp = (page: Page) => button(page, 'Set up access').click()

const settings = '/dashboard/mail-box-settings'
const ofHolder = (screen: Omit<Screen, 'who'>): Screen => ({ ...screen, who: 'holder' })

const LONG = `secretary.of-the-northern-department@${'sigmaringen-'.repeat(4)}department.example`

/** As the server would answer a link. */
const opening =
  (of: { isReset: boolean } | { type: OpenedAccess['type'] }) => async (page: Page) => {
    const json = {
      ...{ type: 'OPEN', email: LONG, isReset: false },
      workspaceName: 'Königlich-Preußische-Gesellschaft-für-Analytische-Maschinen!',
      ...of,
    }
    await page.route('**/api/v1/access/open', (route) => route.fulfill({ json }), { times: 1 })
    await page.goto('/mailbox-access?token=x')
  }

const visited = (screen: Omit<Screen, 'path' | 'who'>): Screen => ({
  ...{ who: 'visitor', path: '/terms' },
  ...screen,
})

const linkScreens: Screen[] = [
  visited({
    ...{ name: 'mailbox link', state: 'full', steps: opening({ isReset: false }) },
    ready: 'Your mailbox is ready',
  }),
  visited({
    ...{ name: 'mailbox link, wrong', state: 'failing' },
    steps: async (page) => {
      await opening({ isReset: true })(page)
      await button(page, 'Save password').click()
    },
    ready: 'Password must be at least 8 characters long',
  }),
  visited({
    ...{ name: 'mailbox link, password set', state: 'full' },
    steps: async (page) => {
      await opening({ isReset: false })(page)
      const json = { email: LONG, session: null }
      await page.route('**/api/v1/access/accept', (route) => route.fulfill({ json }), { times: 1 })
      await page.getByLabel('Password', { exact: true }).fill('Night-Train-7!')
      await page.getByLabel('Confirm Password').fill('Night-Train-7!')
      await button(page, 'Save password').click()
    },
    ready: 'Your password is set',
  }),
  visited({
    ...{ name: 'mailbox link, used', state: 'failing', steps: opening({ type: 'USED' }) },
    ready: 'This link has been used',
  }),
  {
    ...{ name: 'mailbox link, opening', who: 'visitor', state: 'loading' },
    ...{ path: '/mailbox-access?token=x', holds: ['/access/open'] },
    ready: 'Opening your mailbox...',
  },
]

const holderScreens: Screen[] = [
  ofHolder({
    ...{ name: 'holder, mail', state: 'empty', path: '/dashboard/view-mail' },
    ready: 'Nothing in Inbox',
  }),
  ofHolder({
    ...{ name: 'holder, mailbox settings', state: 'full', path: settings },
    ready: (page) => page.getByText('took the right to read it.'),
  }),
  ofHolder({
    ...{ name: 'holder, password', state: 'open', path: `${settings}#password` },
    ready: dialog,
  }),
  ofHolder({
    ...{ name: 'holder, preferences', state: 'open', path: `${settings}#preferences` },
    ready: dialog,
  }),
  ofHolder({
    ...{ name: 'holder, account menu', state: 'open', path: settings },
    ...{ steps: (page) => button(page, 'Account menu').click(), ready: menu },
  }),
  ofHolder({
    ...{ name: 'holder, palette', state: 'open', path: settings },
    ...{ steps: (page) => button(page, /^Go to/).click(), ready: dialog },
  }),
]

export const accessScreens: Screen[] = [
  access({ name: 'access', state: 'full', ready: 'Has a holder' }),
  access({ name: 'access, no holder', state: 'empty', ready: 'Nobody signs in with' }, own),
  access({
    ...{ name: 'access, loading', state: 'loading', holds: ['/mailboxes/*/access'] },
    ready: 'Loading who has access',
  }),
  access({
    ...{ name: 'access, mailbox loading', state: 'loading', holds: ['/mailboxes/*'] },
    ready: 'Who signs in to a mailbox, and who reads it',
  }),
  access({
    ...{ name: 'access, failed', state: 'failing', fails: ['/mailboxes/*/access'] },
    ready: 'Who has access could not be loaded',
  }),
  access({
    ...{ name: 'access, log failed', state: 'failing', fails: ['/mailboxes/*/access/log*'] },
    ready: 'The log could not be loaded',
  }),
  access({ name: 'access, set up', state: 'open', steps: setUp, ready: dialog }, own),
  access(
    {
      ...{ name: 'access, mail the link, wrong', state: 'failing' },
      steps: async (page) => {
        await setUp(page)
        await page.getByRole('radio', { name: /^Mail it/ }).click()
        await button(page, 'Make link').click()
      },
      ready: 'Please enter your email',
    },
    own,
  ),
  access({
    ...{ name: 'access, link made', state: 'open' },
    steps: async (page) => {
      await button(page, 'Reset the password').click()
      await button(page, 'Make link').click()
    },
    ready: (page) => button(page, 'Copy link'),
  }),
  access({
    ...{ name: 'access, revoke', state: 'open' },
    steps: (page) => button(page, 'Revoke access').click(),
    ready: question,
  }),
  access({
    ...{ name: 'access, reset the second factor', state: 'open' },
    ...{ steps: click('Reset second factor'), ready: question },
  }),
  access({
    ...{ name: 'access, hand over', state: 'open' },
    steps: (page) => button(page, 'Hand over').click(),
    ready: dialog,
  }),
  access({
    ...{ name: 'access, give', state: 'open' },
    steps: (page) => page.getByRole('combobox', { name: 'Give it to' }).click(),
    ready: listbox,
  }),
  access(
    { name: 'access log', state: 'full', ready: 'Reason given:' },
    '/dashboard/mailbox-access',
  ),
  {
    ...{ name: 'Editor, access', who: 'editor', state: 'full', path: own },
    ready: 'The maker of a link could open it',
  },
  {
    ...{ name: 'User, access', who: 'user', state: 'full', path: held },
    ready: 'You are not allowed to see this',
  },
  {
    ...{ name: 'mail, right to take', who: 'member', state: 'full' },
    path: ({ heldMailboxId }) => `/dashboard/view-mail?mailbox=${heldMailboxId}`,
    ready: (page) => page.getByRole('heading', { name: /is not yours to read/ }),
  },
  ...holderScreens,
  ...linkScreens,
]
