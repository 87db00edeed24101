/**
 * Drawing a page holds everything else for some tens of milliseconds. So pages are drawn one after the other, in turns that go
 * round among networks; a network that has had a second of drawing rests from then on, and has a quarter of the time. Who has
 * too many waiting gets the page undrawn, which the web app draws in any case (decision 040).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { networkOf } from '#server/features/auth/throttle.ts'
import { openLevels } from '#server/lib/turns/levels.ts'
import { openFairTurns, openTurns, TooManyWaiting } from '#server/lib/turns/turns.ts'

const MOST_WAITING = 5
const FREE_MS = 1_000
const SHARE = 0.25

export type InTurn = <T>(ip: string, draw: () => Promise<T>) => Promise<T | null>

export const drawingTurns = (freeMs = FREE_MS): InTurn => {
  const networks = openFairTurns({
    ...{ atOnce: Number.POSITIVE_INFINITY, atOnceOfEach: 1, waitingOfEach: MOST_WAITING },
  })
  const pages = openTurns(1)
  const took = openLevels({ fallsPerSecond: SHARE * 1000 })

  /** With how long the network rests after it. */
  const timed = async <T>(network: string, draw: () => Promise<T>): Promise<[T, number]> => {
    const startedAt = performance.now()
    const drawn = await draw()
    const tookMs = took.add(network, performance.now() - startedAt)
    return [drawn, Math.max(0, tookMs - freeMs) / SHARE]
  }
  return <T>(ip: string, draw: () => Promise<T>) => {
    const network = networkOf(ip)
    return new Promise<T | null>((done, fail) => {
      networks
        .take(network, async () => {
          const [drawn, restMs] = await pages.take(() => timed(network, draw))
          done(drawn)
          if (restMs > 0) await wait(restMs, undefined, { ref: false })
        })
        .catch((error: unknown) => (error instanceof TooManyWaiting ? done(null) : fail(error)))
    })
  }
}
