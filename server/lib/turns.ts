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

/** As `openTurns`, of each key by itself: slow work of one keeps no other waiting. */
export const openTurnsOfEach = (maxAtOnce: number) => {
  const places = new Map<string, { turns: Turns; users: number }>()
  return {
    take: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const place = places.get(key) ?? { turns: openTurns(maxAtOnce), users: 0 }
      places.set(key, place)
      place.users += 1
      try {
        return await place.turns.take(work)
      } finally {
        place.users -= 1
        if (place.users === 0) places.delete(key)
      }
    },
  }
}
