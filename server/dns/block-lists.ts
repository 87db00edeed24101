/** Whether an address that sends mail stands on a block list that many servers ask (RFC 5782). The caller passes its look-up. */
import type { DnsAnswer } from '#server/lib/dns/dns.ts'
import { isListing, reversedAddress } from '#server/standards/junk/dnsbl.ts'

/** By their DNS zones; `page` explains a listing, and how it ends. */
export const blockLists = [
  { zone: 'zen.spamhaus.org', page: 'https://check.spamhaus.org/' },
  { zone: 'b.barracudacentral.org', page: 'https://www.barracudacentral.org/lookups' },
  { zone: 'bl.spamcop.net', page: 'https://www.spamcop.net/bl.shtml' },
] as const

/** `not-answered`: the list does not answer, or not the resolver that asks (127.255.255.0/24), or DNS is hijacked. */
export type Listing = {
  ip: string
  zone: (typeof blockLists)[number]['zone']
  state: 'listed' | 'not-listed' | 'not-answered'
}

type LookUp = (name: string, type: 'A') => Promise<DnsAnswer>

/** Each address at each list. */
export const lookUpListings = (lookUp: LookUp, ips: readonly string[]): Promise<Listing[]> =>
  Promise.all(
    ips.flatMap((ip) => {
      const reversed = reversedAddress(ip)
      if (reversed === null) return []
      return blockLists.map(async ({ zone }) => ({
        ...{ ip, zone, state: stateIn(await lookUp(`${reversed}.${zone}`, 'A')) },
      }))
    }),
  )

const stateIn = (answer: DnsAnswer): Listing['state'] => {
  if (answer.outcome === 'none') return 'not-listed'
  if (answer.outcome === 'failed') return 'not-answered'
  return answer.records.some(({ data }) => isListing(data)) ? 'listed' : 'not-answered'
}
