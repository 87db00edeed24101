/** Networks that guess addresses: refused recipients are counted over all connections and processes. */
import type { App } from '#server/app.ts'
import { networkOf, tryThrottle } from '#server/features/limits/throttle.ts'
import { isPublicAddress } from '#server/lib/network-guard.ts'
import { SmtpRefusal } from './smtp-refusal.ts'

export type Guessing = {
  /** Called before any look-up. @throws SmtpRefusal 421 */
  refuseGuesser(ip: string): void
  /** Counts one permanently refused recipient. @throws SmtpRefusal 421 */
  count(ip: string): Promise<void>
}

/** Per hour. A network that delivers mail here has old addresses in its lists, so it may have ten times as many. */
const MAX_GUESSES = 200
const WINDOW_SECONDS = 3_600
const TIMES_WHEN_KNOWN = 10
const MAX_REMEMBERED = 10_000

export const openGuessing = (
  app: App,
  isKnown: (network: string) => boolean,
  maxGuesses = MAX_GUESSES,
): Guessing => {
  /** A cache, so that a blocked network costs no query; the count is in the database. */
  const endedUntil = new Map<string, number>()
  const refuse = () => {
    throw new SmtpRefusal('421', 'Too many unknown recipients from your network')
  }
  return {
    refuseGuesser: (ip) => {
      if (endedUntil.size === 0) return
      const network = networkOf(ip)
      const until = endedUntil.get(network)
      if (until === undefined) return
      if (until > app.clock.now().getTime()) refuse()
      endedUntil.delete(network)
    },
    count: async (ip) => {
      const network = networkOf(ip)
      const limit = maxGuesses * (isKnown(network) ? TIMES_WHEN_KNOWN : 1)
      const key = `unknown-recipients:${network}`
      const waitSeconds = await tryThrottle(app, key, { limit, windowSeconds: WINDOW_SECONDS })
      if (waitSeconds === 0) return
      if (endedUntil.size >= MAX_REMEMBERED) endedUntil.clear()
      endedUntil.set(network, app.clock.now().getTime() + waitSeconds * 1_000)
      refuse()
    },
  }
}

/**
 * Whether greylist and block lists apply: only to clients from the Internet. The operator's own programs, on this machine or its
 * private network, are on no list and may not retry. Tests treat private addresses as strangers.
 */
export const isStranger = (app: App, ip: string): boolean =>
  isPublicAddress(ip) || app.config.allowLoopbackPeers
