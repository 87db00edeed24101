/**
 * Bytes that many hold at the same moment. A party (a network, a workspace) may hold so many times what is still free. With
 * one time, one alone gets half of it, and of a hundred greedy ones each the same, while whoever comes new finds that much.
 */
export type Party = { kind: 'network' | 'workspace'; name: string; timesFree: number }

export type SharedPot = {
  /** Takes them for all of these parties, or none: then the party that has its share is the answer. */
  take(parties: readonly Party[], bytes: number): Party | null
  give(parties: readonly Party[], bytes: number): void
  /** More than half is held. */
  isScarce(): boolean
}

export const openSharedPot = (limitBytes: number): SharedPot => {
  const heldBy = new Map<string, number>()
  let held = 0
  return {
    take: (parties, bytes) => {
      const free = limitBytes - held
      const greedy = parties.find(
        ({ name, timesFree }) => bytes > free || (heldBy.get(name) ?? 0) + bytes > timesFree * free,
      )
      if (greedy !== undefined) return greedy
      held += bytes
      for (const { name } of parties) heldBy.set(name, (heldBy.get(name) ?? 0) + bytes)
      return null
    },
    give: (parties, bytes) => {
      held -= bytes
      for (const { name } of parties) {
        const rest = (heldBy.get(name) ?? 0) - bytes
        if (rest > 0) heldBy.set(name, rest)
        else heldBy.delete(name)
      }
    },
    isScarce: () => held > limitBytes / 2,
  }
}
