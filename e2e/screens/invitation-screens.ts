import type { Page } from '@playwright/test'
import type { OpenedInvitation } from '#contract/invitations.ts'
import { button, dialog, menu, question, type Screen } from './screen.ts'
import type { World } from './world.ts'

const users = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...screen,
  who: 'member',
  path: '/dashboard/settings?tab=users',
})

const openMenu = (page: Page) =>
  page
    .getByRole('table', { name: 'Open invitations' })
    .getByRole('button', { name: /^Actions for/ })
    .nth(1)
    .click()

const SOMEBODY = `maximiliane-alexandrina.von-hohenzollern@${'sigmaringen-'.repeat(4)}department.example`

type Open = Partial<Extract<OpenedInvitation, { type: 'OPEN' }>>

/** As the server would answer a link that was mailed. */
const opening = (of: Open | { type: string }) => async (page: Page, world: World) => {
  const email = 'email' in of && of.email === '' ? world.newcomer.email : SOMEBODY
  const json = {
    ...{ type: 'OPEN', role: 'Editor', invitedBy: SOMEBODY, hasAccount: false },
    workspaceName: 'Königlich-Preußische-Gesellschaft-für-Analytische-Maschinen!',
    ...of,
    email,
  }
  const url = '**/api/v1/invitations/open'
  await page.route(url, (route) => route.fulfill({ json }), { times: 1 })
  await page.goto('/invitation?token=x')
}

const invited = (screen: Omit<Screen, 'path'>): Screen => ({ ...screen, path: '/terms' })

export const invitationScreens: Screen[] = [
  users({
    ...{ name: 'settings, users, invite', state: 'open' },
    steps: (page) => button(page, 'Invite').click(),
    ready: dialog,
  }),
  users({
    ...{ name: 'settings, users, invite, wrong', state: 'failing' },
    steps: async (page) => {
      await button(page, 'Invite').click()
      await button(page, 'Send invitation').click()
    },
    ready: 'Please enter your email',
  }),
  users({
    ...{ name: 'settings, invitations, loading', state: 'loading', holds: ['/invitations'] },
    ready: 'Users: 17',
  }),
  users({
    ...{ name: 'settings, invitations, failed', state: 'failing', fails: ['/invitations'] },
    ready: 'Error loading the invitations',
  }),
  users({ name: 'settings, invitations, menu', state: 'open', steps: openMenu, ready: menu }),
  users({
    ...{ name: 'settings, invitations, revoke', state: 'open' },
    steps: async (page) => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Revoke invitation' }).click()
    },
    ready: question,
  }),
  {
    ...{ name: 'settings, invitations, none', who: 'newcomer', state: 'empty' },
    path: '/dashboard/settings?tab=users',
    ready: 'Open invitations: 0',
  },
  invited({
    ...{ name: 'invitation, sign up', who: 'visitor', state: 'full' },
    steps: opening({}),
    ready: 'Create your account to go on.',
  }),
  invited({
    ...{ name: 'invitation, log in', who: 'visitor', state: 'full' },
    steps: opening({ hasAccount: true }),
    ready: (page) => page.getByRole('link', { name: 'Log in' }),
  }),
  invited({
    ...{ name: 'invitation, expired', who: 'visitor', state: 'failing' },
    steps: opening({ type: 'EXPIRED' }),
    ready: 'This invitation has expired',
  }),
  {
    ...{ name: 'invitation, opening', who: 'visitor', state: 'loading' },
    ...{ path: '/invitation?token=x', holds: ['/invitations/open'] },
    ready: 'Opening your invitation...',
  },
  invited({
    ...{ name: 'invitation, join', who: 'newcomer', state: 'full' },
    steps: opening({ email: '', hasAccount: true }),
    ready: (page) => button(page, 'Join'),
  }),
  invited({
    ...{ name: 'invitation, decline', who: 'newcomer', state: 'open' },
    steps: async (page, world) => {
      await opening({ email: '', hasAccount: true })(page, world)
      await button(page, 'Decline').click()
    },
    ready: question,
  }),
  invited({
    ...{ name: 'invitation, somebody else', who: 'newcomer', state: 'full' },
    steps: opening({ hasAccount: true }),
    ready: 'This invitation is for another person',
  }),
]
