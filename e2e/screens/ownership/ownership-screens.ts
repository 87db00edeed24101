import { click, question, type Screen } from '../screen.ts'
import type { World } from '../world.ts'

const wizard = (which: keyof World['domains'], screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...screen,
  who: 'member',
  path: (world) => `/dashboard/add-domain?id=${world.domains[which]}`,
})

export const ownershipScreens: Screen[] = [
  {
    ...{ name: 'domains, ownership', who: 'member', state: 'full', path: '/dashboard/domains' },
    ready: 'Claimed by another workspace',
  },
  wizard('claimed', { name: 'wizard, claimed', state: 'full', ready: 'Release it now' }),
  wizard('claimed', {
    ...{ name: 'wizard, release', state: 'open', steps: click('Release it now') },
    ready: question,
  }),
  wizard('asked', { name: 'wizard, claim', state: 'full', ready: 'Withdraw claim' }),
  wizard('missing', { name: 'wizard, no proof', state: 'failing', ready: 'has stopped' }),
]
