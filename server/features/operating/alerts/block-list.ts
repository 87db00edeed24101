import type { App } from '#server/app.ts'
import { blockLists, type Listing, lookUpListings } from '#server/dns/block-lists.ts'
import { sendersOf } from '#server/features/domains/senders.ts'
import { DAY_MS, HOUR_MS } from '#server/lib/clock.ts'
import { isInternalAddress } from '#server/lib/network-guard.ts'
import { type Condition, type Seen, UNSEEN } from './condition.ts'

/** The lists ask for few queries, and change within hours. */
const BETWEEN_MS = HOUR_MS
/** For how long an answer counts while the list gives no other. */
const KEPT_MS = DAY_MS
const MOST_ADDRESSES = 16

export const blockList: Condition = {
  name: 'block-list',
  afterMinutes: 5,
  mend: 'Find out who sent junk (npm run operator -- workspace list), stop it, and ask the list to take the address off. Until then many servers refuse our mail.',
  look: async (app) => {
    // Then it is the relay's address that others see.
    if (app.config.relayUrl !== null) return null
    const seen = seenBy(app)
    const now = app.clock.now()
    if (seen.at === null || Math.abs(now.getTime() - seen.at.getTime()) >= BETWEEN_MS) {
      const ips = await ownAddresses(app)
      if (ips === null) return UNSEEN
      seen.at = now
      remember(seen, await lookUpListings(app.dns.lookUp, ips), ips, now)
    }
    return listingTrouble(seen)
  },
}

/** null: DNS does not answer. */
const ownAddresses = async (app: App): Promise<string[] | null> => {
  const { ips } = await sendersOf(app)
  return ips?.filter((ip) => !isInternalAddress(ip)).slice(0, MOST_ADDRESSES) ?? null
}

type Known = { ip: string; zone: string; isListed: boolean; at: Date }
type Lists = { at: Date | null; ips: readonly string[]; known: Map<string, Known> }

/** By installation. */
const lastSeen = new WeakMap<App, Lists>()

const seenBy = (app: App): Lists => {
  const seen = lastSeen.get(app) ?? { at: null, ips: [], known: new Map() }
  lastSeen.set(app, seen)
  return seen
}

const remember = (
  seen: Lists,
  listings: readonly Listing[],
  ips: readonly string[],
  now: Date,
): void => {
  seen.ips = ips
  for (const { ip, zone, state } of listings)
    if (state !== 'not-answered')
      seen.known.set(`${ip} ${zone}`, { ip, zone, isListed: state === 'listed', at: now })
  for (const [key, { ip, at }] of seen.known)
    if (!ips.includes(ip) || now.getTime() - at.getTime() >= KEPT_MS) seen.known.delete(key)
}

const listingTrouble = ({ ips, known }: Lists): Seen => {
  if (ips.length === 0) return null
  if (known.size === 0) return UNSEEN
  const listed = [...known.values()].filter(({ isListed }) => isListed)
  if (listed.length === 0) return null
  const sentences = listed.map(({ ip, zone }) => {
    const page = blockLists.find((list) => list.zone === zone)?.page ?? ''
    return `${ip}, which sends our mail, is on the block list ${zone} (${page}).`
  })
  return sentences.join(' ')
}
