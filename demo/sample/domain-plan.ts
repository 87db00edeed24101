/**
 * The domains of the sample workspace and their numbers of mailboxes. 28 are active: 13 of them with 64 active mailboxes, 15 with
 * suspended (36 in all) or unpaid ones (6). With five places each, 34 are free.
 */
import type { Fault } from './faults.ts'

export type ActiveDomain = {
  name: string
  /** Numbers of mailboxes by status. */
  active?: number
  suspended?: number
  unpaid?: number
  addedDaysAgo: number
  /** Another provider still receives its mail: recommended records may differ. */
  hasOtherMx?: boolean
}

export type PendingDomain = { name: string; fault: Fault; addedDaysAgo: number }

/** The domain of the agency itself, whose mail the Admin reads. */
export const OWN_DOMAIN = 'fernhill.example'
export const SHOP_DOMAIN = 'tidewater-books.example'

export const activeDomains: readonly ActiveDomain[] = [
  { name: SHOP_DOMAIN, active: 5, addedDaysAgo: 130 },
  { name: OWN_DOMAIN, active: 5, addedDaysAgo: 126 },
  { name: 'copper-kettle.example', active: 5, addedDaysAgo: 121 },
  { name: 'northgate-dental.example', active: 5, addedDaysAgo: 117 },
  { name: 'lindqvist-violins.example', active: 5, addedDaysAgo: 110 },
  { name: 'saltmarsh-brewery.example', active: 5, addedDaysAgo: 104 },
  { name: 'atelier-morel.example', active: 5, addedDaysAgo: 98 },
  { name: 'greenlane-cycles.example', active: 5, addedDaysAgo: 93 },
  { name: 'pinewood-school.example', active: 5, addedDaysAgo: 88 },
  { name: 'bright-and-daughters.example', active: 5, addedDaysAgo: 81 },
  { name: 'xn--mller-bcker-r8a91a.example', active: 5, addedDaysAgo: 76 },
  { name: 'mail.oakfield-county.example', active: 5, addedDaysAgo: 71 },
  { name: 'quarry-climbing.example', active: 4, suspended: 1, addedDaysAgo: 66 },
  { name: 'summer-festival.example', suspended: 5, addedDaysAgo: 112 },
  { name: 'riverside-rowing.example', suspended: 5, addedDaysAgo: 108 },
  { name: 'old-mill-museum.example', suspended: 5, addedDaysAgo: 99 },
  { name: 'winter-market.example', suspended: 4, addedDaysAgo: 95 },
  { name: 'hartmann-legal.example', suspended: 4, addedDaysAgo: 90, hasOtherMx: true },
  { name: 'blue-door-gallery.example', suspended: 3, addedDaysAgo: 84 },
  { name: 'sundial-yoga.example', suspended: 3, addedDaysAgo: 79 },
  { name: 'marble-arch-tours.example', suspended: 3, addedDaysAgo: 72 },
  { name: 'three-rivers-choir.example', suspended: 2, addedDaysAgo: 69 },
  { name: 'kestrel-aviation.example', suspended: 1, addedDaysAgo: 63, hasOtherMx: true },
  { name: 'fjord-and-field.example', unpaid: 3, addedDaysAgo: 12 },
  { name: 'elm-street-bakery.example', unpaid: 2, addedDaysAgo: 9 },
  { name: 'hollow-oak-press.example', unpaid: 1, addedDaysAgo: 7 },
  { name: 'seven-stones.example', addedDaysAgo: 6 },
  { name: 'clearwater-pools.example', addedDaysAgo: 4 },
]

export const pendingDomains: readonly PendingDomain[] = [
  { name: 'sparrow-and-finch.example', fault: 'nothing published', addedDaysAgo: 0.1 },
  { name: 'lantern-street.example', fault: 'nothing published', addedDaysAgo: 1 },
  { name: 'misty-harbor-inn.example', fault: 'no such domain', addedDaysAgo: 2 },
  { name: 'cedar-works.example', fault: 'only the proof', addedDaysAgo: 1.2 },
  { name: 'fern-and-thistle.example', fault: 'only the proof', addedDaysAgo: 3 },
  { name: 'bellweather.example', fault: 'no DMARC', addedDaysAgo: 2.5 },
  { name: 'granite-peak.example', fault: 'no DMARC', addedDaysAgo: 5 },
  { name: 'orchard-lane.example', fault: 'host name doubled', addedDaysAgo: 3.4 },
  { name: 'nightingale-radio.example', fault: 'name servers fail', addedDaysAgo: 4.2 },
  { name: 'two-cats-cafe.example', fault: 'two SPF records', addedDaysAgo: 5.5 },
  { name: 'ironbridge-forge.example', fault: 'DKIM key cut off', addedDaysAgo: 8 },
  { name: 'maple-leaf-rentals.example', fault: 'proof of somebody else', addedDaysAgo: 6.3 },
  { name: 'silver-birch.example', fault: 'mistake in DMARC', addedDaysAgo: 10 },
  { name: 'anchor-and-rope.example', fault: 'SPF without us', addedDaysAgo: 11 },
]
