/**
 * Frees unused buffers. V8 collects by the size of its own heap: sent messages of 12 MB stayed for minutes, half a gigabyte of
 * them. A collection takes about 20 ms, so it runs only after many new buffers.
 */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { backoff } from './wait.ts'

const LOOK_MS = 250
const MUCH_BYTES = 48_000_000
/** Wait between collections while many buffers remain in use and few are new; doubles each time. */
const REST_MS = { first: 1_000, longest: 16_000 }

/** For this thread. @returns a function that stops it */
export const sweepBuffers = (): (() => void) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let left = 0
  let sweeps = 0
  let restsUntil = 0
  const look = () => {
    const held = process.memoryUsage().arrayBuffers
    // Freed buffers disappear a little after the collection.
    left = Math.min(left, held)
    const hasMore = held > left + MUCH_BYTES
    if (hasMore) sweeps = 0
    if (held < MUCH_BYTES || (!hasMore && performance.now() < restsUntil)) return
    collect()
    left = held
    restsUntil = performance.now() + backoff(++sweeps, REST_MS)
  }
  const timer = setInterval(look, LOOK_MS).unref()
  return () => clearInterval(timer)
}
