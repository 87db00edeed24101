/** The state of this process, part by part, for /healthz, which also queries the database. */
import { HOUR_MS } from '#server/lib/clock.ts'
export type Readiness = {
  /** Adds a part that is not ready; call the returned function when it is. */
  waitFor(part: string): () => void
  /** Sets whether an open part is unavailable for now. */
  setAway(part: string, isAway: boolean): void
  /** The parts that are not ready; empty: the process is ready. */
  missing(): string[]
  /** Reports a fault for an hour that every process would have. */
  warn(what: string): void
  warnings(): string[]
}

const WARNED_MS = HOUR_MS

export const newReadiness = (): Readiness => {
  const waiting = new Set<string>()
  const warned = new Map<string, number>()
  return {
    waitFor: (part) => {
      waiting.add(part)
      return () => void waiting.delete(part)
    },
    setAway: (part, isAway) => void (isAway ? waiting.add(part) : waiting.delete(part)),
    missing: () => [...waiting],
    warn: (what) => void warned.set(what, performance.now() + WARNED_MS),
    warnings: () =>
      [...warned].filter(([, until]) => until > performance.now()).map(([what]) => what),
  }
}
