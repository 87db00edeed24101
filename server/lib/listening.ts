/**
 * Measures how long the main thread has been able to receive answers. A timer that fires late means that this process was busy or
 * stopped, not that a peer was silent.
 */
export type Listening = { ms(): number; end(): void }

/** The most that one round of the event loop counts, however long it took. */
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
