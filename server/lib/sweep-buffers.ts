/**
 * Gives back buffers that nobody uses. V8 collects by what its own heap holds: messages of 12 MB that were sent stayed for
 * minutes, half a gigabyte of them. It costs some 20 ms, so it is done when much has come since the last time.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_MS = 250
const MUCH_BYTES = 48_000_000
/** While much is held and no more comes: some of it was in use at the last sweep. Each time twice as long. */
const REST_MS = 1_000
const LONGEST_REST_MS = 16_000

/** Of this thread. @returns ends it */
export const sweepBuffers = (): (() => void) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let left = 0
  let restMs = REST_MS
  let restsUntil = 0
  const look = () => {
    const held = process.memoryUsage().arrayBuffers
    // They are freed beside the thread, after it.
    left = Math.min(left, held)
    const hasMore = held > left + MUCH_BYTES
    if (hasMore) restMs = REST_MS
    if (held < MUCH_BYTES || (!hasMore && performance.now() < restsUntil)) return
    collect()
    left = held
    restsUntil = performance.now() + restMs
    restMs = Math.min(restMs * 2, LONGEST_REST_MS)
  }
  const timer = setInterval(look, LOOK_MS).unref()
  return () => clearInterval(timer)
}
