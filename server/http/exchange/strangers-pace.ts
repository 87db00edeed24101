/**
 * Rate of requests without a session per network: pages, files, forms. Faster requests wait, so they come no faster than
 * their answers; a waiting request is not read.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { networkOf } from '#server/features/limits/throttle.ts'
import { openLevels } from '#server/lib/turns/turns.ts'

export type PaceLimits = { perSecond: number; atOnce: number }

/** An office opens a few pages a second, each of about forty files. */
const USUAL: PaceLimits = { perSecond: 300, atOnce: 1_500 }
const LONGEST_MS = 2_000
/** Most networks that are remembered. */
const MOST_KNOWN = 50_000

/** @returns resolves when it is the turn of one more request of this network */
export const openPace = ({ perSecond, atOnce }: PaceLimits = USUAL) => {
  const asked = openLevels({ fallsPerSecond: perSecond, mostKeys: MOST_KNOWN })
  const most = atOnce + (perSecond * LONGEST_MS) / 1000
  return async (ip: string): Promise<void> => {
    const ahead = asked.add(networkOf(ip), 1, most) - atOnce
    if (ahead > 0) await wait((ahead / perSecond) * 1000, undefined, { ref: false })
  }
}
