/** Which parts of this process have still to open. What /healthz answers by, beside asking the database. */
export type Readiness = {
  /** Call what it answers once the part is open. */
  waitFor(part: string): () => void
  /** Empty: ready. */
  missing(): string[]
}

export const newReadiness = (): Readiness => {
  const waiting = new Set<string>()
  return {
    waitFor: (part) => {
      waiting.add(part)
      return () => void waiting.delete(part)
    },
    missing: () => [...waiting],
  }
}
