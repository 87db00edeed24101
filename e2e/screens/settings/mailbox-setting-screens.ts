import type { Page } from '@playwright/test'
import { button, type Screen } from '../screen.ts'
import type { World } from '../world.ts'

const settings = ({ mailboxId }: World) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`

const at =
  (part: string) =>
  (world: World): string =>
    `${settings(world)}#${part}`

const parts = [
  {
    ...{ part: 'vacation', call: '/mailboxes/*/vacation', loading: 'Loading the vacation reply' },
    failed: 'The vacation reply could not be loaded',
  },
  {
    ...{ part: 'writing', call: '/preferences', loading: 'Loading your preferences' },
    failed: 'Your preferences could not be loaded',
  },
  {
    ...{ part: 'storage', call: '/mailboxes/*/storage', loading: 'Loading the storage' },
    failed: 'The storage could not be loaded',
  },
  {
    ...{ part: 'transfer', call: '/mailboxes/*/imports', loading: 'Loading the imports' },
    failed: 'The imports could not be loaded',
  },
  {
    ...{ part: 'identity', call: '/mailboxes/*/settings' },
    loading: 'Loading the name and the signature',
    failed: 'The name and the signature could not be loaded',
  },
]

const isOn = (page: Page) => page.getByRole('checkbox', { name: 'Send a vacation reply' })
export const mailboxSettingScreens: Screen[] = [
  ...parts.flatMap(({ part, call, loading, failed }): Screen[] => [
    {
      ...{ name: `mailbox settings, ${part} loading`, who: 'member', state: 'loading' },
      ...{ path: at(part), holds: [call], ready: loading },
    },
    {
      ...{ name: `mailbox settings, ${part} failed`, who: 'member', state: 'failing' },
      ...{ path: at(part), fails: [call], ready: failed },
    },
  ]),
  {
    ...{ name: 'mailbox settings, vacation wrong', who: 'member', state: 'failing' },
    path: settings,
    steps: async (page) => {
      await isOn(page).check()
      await page.getByLabel('Last day').fill('2020-01-01')
      await button(page, 'Save vacation reply').click()
    },
    ready: 'Please write what senders should read',
  },
]
