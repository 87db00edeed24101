/**
 * How long to wait before a failed call is made again: twice as long each time, no sooner than the server asks, and shifted
 * at random so that many browsers do not come back at once.
 */

/** Upper limit of the wait that a server may ask for. */
const LONGEST_ASKED_MS = 600_000

export type Backoff = {
  /** Counts a failure, and answers the wait after it. `afterSeconds`: what the server asks for. */
  nextMs(afterSeconds?: number): number
  /** Waits that long; ends early when the browser is online again, or when `signal` says so. */
  wait(signal?: AbortSignal, afterSeconds?: number): Promise<void>
  /** It went well: the next wait is the first one again. */
  reset(): void
}

type Bounds = { firstMs: number; longestMs: number }

export function createBackoff({ firstMs, longestMs }: Bounds): Backoff {
  let failures = 0
  const nextMs = (afterSeconds = 0) => {
    const ms = Math.min(firstMs * 2 ** failures, longestMs)
    failures += 1
    const shifted = ms * (0.5 + Math.random() / 2)
    return Math.max(shifted, Math.min(afterSeconds * 1000, LONGEST_ASKED_MS))
  }
  return {
    nextMs,
    wait: (signal, afterSeconds) => pause(nextMs(afterSeconds), signal),
    reset: () => {
      failures = 0
    },
  }
}

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    // Aborted before the wait began: no event follows.
    const timer = setTimeout(end, signal?.aborted ? 0 : ms)
    addEventListener('online', end)
    signal?.addEventListener('abort', end)
  })
