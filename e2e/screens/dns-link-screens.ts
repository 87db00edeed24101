import type { Page } from '@playwright/test'
import { button, dialog, question, type Screen } from './screen.ts'
import type { World } from './world.ts'

const linked = (
  which: keyof World['dnsLinks'],
  screen: Omit<Screen, 'who' | 'path' | 'state'>,
): Screen => ({
  ...screen,
  ...{ who: 'visitor', state: 'full', path: (world) => world.dnsLinks[which] },
})

const sending = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...screen,
  who: 'member',
  path: (world) => `/dashboard/add-domain?id=${world.domains.moving}`,
})

const send = async (page: Page) => {
  await button(page, 'Send to your DNS administrator').click()
  await dialog(page).getByRole('listitem').first().waitFor()
}

const press = (name: string) => async (page: Page) => {
  await send(page)
  await dialog(page).getByRole('button', { name, exact: true }).first().click()
}

export const dnsLinkScreens: Screen[] = [
  linked('moving', { name: 'dns link', ready: 'Records to publish' }),
  linked('faulty', { name: 'dns link, mistakes', ready: 'Records to publish' }),
  linked('active', { name: 'dns link, done', ready: 'Everything that is required is published.' }),
  linked('several', { name: 'dns link to several', ready: 'DNS records for 3 domains' }),
  linked('several', {
    name: 'dns link to several, closed',
    steps: async (page) => {
      await page.getByRole('table', { name: 'Records to publish' }).waitFor()
      await page.getByRole('button', { expanded: true }).click()
    },
    ready: '1 of 3 domains has every required record',
  }),
  {
    ...{ name: 'dns link to several, ended', who: 'visitor', state: 'failing' },
    ...{ path: '/dns/domains#x', ready: 'This link does not work' },
  },
  linked('moving', {
    name: 'dns link, moving mail',
    steps: (page) => button(page, 'Show the record that moves mail').click(),
    ready: (page) => page.getByRole('table', { name: 'Records for receiving mail' }),
  }),
  {
    ...{ name: 'dns link, ended', who: 'visitor', state: 'failing', path: '/dns#x' },
    ready: 'This link does not work',
  },
  {
    ...{ name: 'dns link, opening', who: 'visitor', state: 'loading' },
    ...{ path: '/dns#x', holds: ['/dns-links/open'] },
    ready: 'Opening the records...',
  },
  sending({ name: 'wizard, send link', state: 'open', steps: send, ready: dialog }),
  sending({
    ...{ name: 'wizard, send link, mail', state: 'open', steps: press('Send by mail') },
    ready: (page) => page.getByLabel('Send to', { exact: true }),
  }),
  sending({
    ...{ name: 'wizard, send link, wrong', state: 'failing' },
    steps: async (page) => {
      await send(page)
      await dialog(page).getByLabel('Email').fill('grace@')
      await button(page, 'Make and send link').click()
    },
    ready: 'Invalid email address',
  }),
  sending({
    ...{ name: 'wizard, send link, revoke', state: 'open', steps: press('Revoke') },
    ready: question,
  }),
]
