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

export type FairTurns = {
  /** @throws TooManyWaiting when the party has its share of waiting work already; nothing was begun then. */
  take<T>(party: string, work: () => Promise<T>): Promise<T>
}

export type FairShare = {
  /** Of all parties together. */
  atOnce: number
  /** Of one party; as many as there are places when absent. */
  atOnceOfEach?: number
  /** Of one party, besides what runs; no limit when absent. */
  waitingOfEach?: number
}

/** One party has more work waiting than it may: its door says so, in its own words. */
export class TooManyWaiting extends Error {
  override name = 'TooManyWaiting'
}

/**
 * As `openTurns`, with turns among parties (a workspace, a network): free places go round among those that wait. A party with
 * a thousand pieces of work waits for its own, and another party waits for one of them at most.
 */
export const openFairTurns = ({
  atOnce,
  atOnceOfEach = atOnce,
  waitingOfEach = Number.POSITIVE_INFINITY,
}: FairShare): FairTurns => {
  /** Those with work that runs or waits; one that is served goes to the end. */
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
 * A level for each key: what is added stands, and falls at a steady rate. Doors know by it who asks for more than is usual. It is
 * kept in memory: what must hold for all processes is counted by `features/auth/throttle`.
 */
export type Levels = {
  /** How high it stands now. */
  of(key: string): number
  /** How high it stands afterwards, `most` at most. */
  add(key: string, amount: number, most?: number): number
}

export type LevelOptions = {
  fallsPerSecond: number
  /** Beyond so many keys those at zero are forgotten, and all where that is not enough: a crowd of keys takes no memory. */
  mostKeys?: number
  now?: () => number
}

export const openLevels = ({
  fallsPerSecond,
  mostKeys = 10_000,
  now = () => performance.now(),
}: LevelOptions): Levels => {
  const known = new Map<string, { level: number; at: number }>()

  const levelOf = (key: string): number => {
    const kept = known.get(key)
    if (kept === undefined) return 0
    return Math.max(0, kept.level - ((now() - kept.at) / 1000) * fallsPerSecond)
  }

  const forget = (): void => {
    for (const key of known.keys()) if (levelOf(key) === 0) known.delete(key)
    // Else each one that comes next would look at all the others again.
    if (known.size > mostKeys / 2) known.clear()
  }

  return {
    of: levelOf,
    add: (key, amount, most = Number.POSITIVE_INFINITY) => {
      const level = Math.min(levelOf(key) + amount, most)
      if (known.size >= mostKeys && !known.has(key)) forget()
      known.set(key, { level, at: now() })
      return level
    },
  }
}
