/** Reproducible random numbers: the same seed gives the same numbers (mulberry32). */
export type Chance = {
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  oneOf<T>(things: readonly [T, ...T[]]): T
}

export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return { between, oneOf: (things) => things[between(0, things.length - 1)] ?? things[0] }
}
