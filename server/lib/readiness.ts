/** How this process is, part by part: what /healthz answers by, beside asking the database. */
export type Readiness = {
  /** Call what it answers once the part is open. */
  waitFor(part: string): () => void
  /** A part that was open cannot work for now, or works again. */
  setAway(part: string, isAway: boolean): void
  /** Empty: ready. */
  missing(): string[]
  /** Something is wrong that no other process would do better: it is told for an hour. */
  warn(what: string): void
  warnings(): string[]
}

const WARNED_MS = 3_600_000

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
