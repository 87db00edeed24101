/** Whether an address has a name in DNS that leads back to it. Servers that send mail have one; a home's router rarely. */
import type { App } from '#server/app.ts'
import { within } from '#server/lib/dns/within.ts'
import { isPublicAddress } from '#server/lib/network-guard.ts'
import { reversedAddress } from '#server/standards/junk/dnsbl.ts'
import { answerCache } from './answer-cache.ts'

const MAX_NAMES = 3
const TIME_CAP_MS = 4_000
const isNowhere = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOTFOUND' || error.code === 'ENODATA')

/** null when nobody can say: a private address, or DNS that does not answer. */
export const hasReverseName = (app: App, ip: string): Promise<boolean | null> =>
  isPublicAddress(ip)
    ? within(Date.now() + TIME_CAP_MS, lookUp(app, ip), null)
    : Promise.resolve(null)

const lookUp = async (app: App, ip: string): Promise<boolean | null> => {
  const isV6 = ip.includes(':')
  const name = `${reversedAddress(ip)}.${isV6 ? 'ip6.arpa' : 'in-addr.arpa'}`
  const resolve = answerCache(app)
  try {
    const names = await resolve(name, 'PTR')
    for (const host of names.slice(0, MAX_NAMES)) {
      const addresses = await resolve(host, isV6 ? 'AAAA' : 'A').catch(none)
      if (addresses.some((address) => isSame(address, ip))) return true
    }
    return false
  } catch (error) {
    return isNowhere(error) ? false : null
  }
}

const none = (error: unknown): string[] => {
  if (isNowhere(error)) return []
  throw error
}

const isSame = (one: string, other: string): boolean =>
  reversedAddress(one) === reversedAddress(other)
