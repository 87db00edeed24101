/** Lets so many pieces of work run at once; the others wait in the order in which they came. */
export type Turns = {
  take<T>(work: () => Promise<T>): Promise<T>
  /** How many wait now. */
  waiting(): number
}

export const openTurns = (maxAtOnce: number): Turns => {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    waiting: () => waiting.length,
    take: async (work) => {
      if (running >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
      else running += 1
      try {
        return await work()
      } finally {
        // The place goes straight to the next: nobody who comes now can take it.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
