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
