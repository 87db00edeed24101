/** Runs at most `maxAtOnce` tasks at once; the others wait in order. */
export type Turns = {
  take<T>(work: () => Promise<T>): Promise<T>
  /** The number of waiting tasks. */
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
        // The slot passes directly to the next task: a new one cannot take it.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}

/** Like `openTurns`, per key: slow tasks of one key do not delay another key. */
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

export type FairTurns = {
  /** @throws TooManyWaiting when the party has its share of waiting tasks; the task was not started then. */
  take<T>(party: string, work: () => Promise<T>): Promise<T>
}

export type FairShare = {
  /** The limit for all parties together. */
  atOnce: number
  /** The limit for one party; `atOnce` when absent. */
  atOnceOfEach?: number
  /** Waiting tasks of one party; no limit when absent. */
  waitingOfEach?: number
}

/** One party has too many waiting tasks: the caller reports it in its own protocol. */
export class TooManyWaiting extends Error {
  override name = 'TooManyWaiting'
}

/**
 * Like `openTurns`, fair among parties (a workspace, a network): free slots rotate among the waiting parties. A party with a
 * thousand tasks waits for its own; another party waits for at most one of them.
 */
export const openFairTurns = ({
  atOnce,
  atOnceOfEach = atOnce,
  waitingOfEach = Number.POSITIVE_INFINITY,
}: FairShare): FairTurns => {
  /** Parties with running or waiting tasks; a party that was served moves to the end. */
  const parties = new Map<string, { running: number; waiting: (() => void)[] }>()
  let running = 0

  const serveNext = (): void => {
    if (running >= atOnce) return
    for (const [party, place] of parties) {
      if (place.running >= atOnceOfEach) continue
      const begin = place.waiting.shift()
      if (begin === undefined) continue
      running += 1
      place.running += 1
      parties.delete(party)
      parties.set(party, place)
      begin()
      return
    }
  }

  return {
    take: async (party, work) => {
      const place = parties.get(party) ?? { running: 0, waiting: [] }
      parties.set(party, place)
      const mustWait = running >= atOnce || place.running >= atOnceOfEach
      if (mustWait && place.waiting.length >= waitingOfEach) throw new TooManyWaiting()
      await new Promise<void>((begin) => {
        place.waiting.push(begin)
        serveNext()
      })
      try {
        return await work()
      } finally {
        running -= 1
        place.running -= 1
        if (place.running === 0 && place.waiting.length === 0) parties.delete(party)
        serveNext()
      }
    },
  }
}

/**
 * A leaky bucket per key: amounts add up, and drain at a steady rate. Doors use it to detect unusual use. It is in memory; limits
 * across processes are in `features/limits/throttle.ts`.
 */
export type Levels = {
  /** The present level. */
  of(key: string): number
  /** Returns the new level, at most `most`. */
  add(key: string, amount: number, most?: number): number
}

export type LevelOptions = {
  fallsPerSecond: number
  /** When this many keys exist, empty ones are removed, and all of them when that is not enough: many keys use no memory. */
  mostKeys?: number
  now?: () => number
}

export const openLevels = ({
  fallsPerSecond,
  mostKeys = 10_000,
  now = () => performance.now(),
}: LevelOptions): Levels => {
  const levels = new Map<string, { level: number; at: number }>()

  const levelOf = (key: string): number => {
    const entry = levels.get(key)
    if (entry === undefined) return 0
    return Math.max(0, entry.level - ((now() - entry.at) / 1000) * fallsPerSecond)
  }

  const forget = (): void => {
    for (const key of levels.keys()) if (levelOf(key) === 0) levels.delete(key)
    // Otherwise every new key would check all others again.
    if (levels.size > mostKeys / 2) levels.clear()
  }

  return {
    of: levelOf,
    add: (key, amount, most = Number.POSITIVE_INFINITY) => {
      const level = Math.min(levelOf(key) + amount, most)
      if (levels.size >= mostKeys && !levels.has(key)) forget()
      levels.set(key, { level, at: now() })
      return level
    },
  }
}
