/**
 * How long the main thread has listened for answers. A timer that fires late says that we were busy, or stopped, and
 * nothing about a peer: it has not been heard meanwhile.
 */
export type Listening = { ms(): number; end(): void }

/** What one round of the event loop counts at most, however long it took. */
const ROUND_MS = 250

export const newListening = (onRound: (ms: number) => void = () => {}): Listening => {
  let ms = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    ms += Math.min(now - last, ROUND_MS)
    last = now
    onRound(ms)
  }, ROUND_MS)
  return { ms: () => ms, end: () => clearInterval(timer) }
}
