/** Of what is tried in long tables `npm test` takes a part, chosen by a seed, and `npm run screens` (TRIALS=all) takes all. */
export const isWhole = process.env.TRIALS === 'all'

const seed = Number(process.env.TRIALS_SEED ?? 0)

/** One of so many. */
export const sampleOf = <T>(entries: readonly T[], oneOf: number): T[] =>
  entries.filter((_entry, at) => isWhole || at % oneOf === seed % oneOf)
