import { button, click, dialog, listbox, question, type Screen } from '../screen.ts'

const settings = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...screen,
  who: 'member',
  path: ({ mailboxId }) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`,
})

const domainPage = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...screen,
  who: 'member',
  path: ({ domains }) => `/dashboard/domains/${domains.active}`,
})

export const addressScreens: Screen[] = [
  settings({ name: 'aliases', state: 'full', ready: 'countess@analytical-engines.example' }),
  settings({
    ...{ name: 'aliases, loading', state: 'loading', holds: ['/mailboxes/*/aliases'] },
    ready: 'Loading the aliases',
  }),
  settings({
    ...{ name: 'aliases, failed', state: 'failing', fails: ['/mailboxes/*/aliases'] },
    ready: 'The aliases could not be loaded',
  }),
  settings({
    ...{ name: 'aliases, no domains', state: 'failing', fails: ['/domains'] },
    ready: 'The domains could not be loaded',
  }),
  settings({
    ...{ name: 'aliases, refused', state: 'failing' },
    steps: async (page) => {
      await page.getByLabel('New alias').fill('postmaster')
      await button(page, 'Add alias').click()
    },
    ready: 'postmaster and abuse reach',
  }),
  settings({
    ...{ name: 'aliases, remove', state: 'open', steps: click(/^Remove the-office/) },
    ready: question,
  }),
  {
    ...{ name: 'mail, from', who: 'member', state: 'open' },
    path: ({ mailboxId }) => `/dashboard/view-mail?mailbox=${mailboxId}`,
    steps: async (page) => {
      await button(page, 'Compose').click()
      await dialog(page).getByLabel('From').click()
    },
    ready: listbox,
  },
  domainPage({
    ...{ name: 'catch-all', state: 'open', steps: click('Catch-all') },
    ready: (page) => dialog(page).getByText('Spam is often sent'),
  }),
  domainPage({
    ...{ name: 'catch-all, mailboxes', state: 'open' },
    steps: async (page) => {
      await button(page, 'Catch-all').click()
      await dialog(page).getByLabel('Mailbox').click()
    },
    ready: listbox,
  }),
  domainPage({
    ...{ name: 'catch-all, loading', state: 'loading', holds: ['/mailboxes?*'] },
    steps: click('Catch-all'),
    ready: 'Loading the mailboxes',
  }),
  domainPage({
    ...{ name: 'catch-all, failed', state: 'failing', fails: ['/mailboxes?*'] },
    steps: click('Catch-all'),
    ready: 'The mailboxes could not be loaded',
  }),
]
