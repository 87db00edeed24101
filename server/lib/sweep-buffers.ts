/**
 * Frees unused buffers. V8 collects by the size of its own heap: sent messages of 12 MB stayed for minutes, half a gigabyte of
 * them. Most buffers of a mail die young, and a collection of the young takes some milliseconds. One of everything takes about 20,
 * and V8 collects far more often for seconds after it, so that filing costs a fifth more: it runs when the first does not help.
 */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { backoff } from './wait.ts'

const LOOK_MS = 250
const MUCH_BYTES = 48_000_000
/** While buffers come and go, there are always old ones that nobody uses any more. */
const MUCH_UNDER_LOAD_BYTES = 2 * MUCH_BYTES
/** What came since the last look, at most, on a process that does little. */
const LITTLE_BYTES = 1_000_000
/** Wait between collections while many buffers remain in use and few are new; doubles each time. */
const REST_MS = { first: 1_000, longest: 16_000 }

/** For this thread. @returns a function that stops it */
export const sweepBuffers = (): (() => void) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (which: { type: 'minor' | 'major' }) => void
  let before = 0
  let isYoungSwept = false
  let left = 0
  let sweeps = 0
  let restsUntil = 0
  const look = () => {
    const held = process.memoryUsage().arrayBuffers
    const isQuiet = Math.abs(held - before) < LITTLE_BYTES
    before = held
    // Freed buffers disappear a little after the collection.
    left = Math.min(left, held)
    if (held < MUCH_BYTES) isYoungSwept = false
    else if (!isYoungSwept) {
      collect({ type: 'minor' })
      isYoungSwept = true
    } else if (held >= (isQuiet ? MUCH_BYTES : MUCH_UNDER_LOAD_BYTES)) sweepAll(held)
  }
  const sweepAll = (held: number) => {
    const hasMore = held > left + MUCH_BYTES
    if (hasMore) sweeps = 0
    if (!hasMore && performance.now() < restsUntil) return
    collect({ type: 'major' })
    left = held
    restsUntil = performance.now() + backoff(++sweeps, REST_MS)
  }
  const timer = setInterval(look, LOOK_MS).unref()
  return () => clearInterval(timer)
}
