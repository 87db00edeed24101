/** Of what is tried in long tables `npm test` takes a part, always the same, and `npm run screens` (TRIALS=all) takes all. */
export const isWhole = process.env.TRIALS === 'all'

/** Those of these names: what others add to the table changes nothing for them. */
export const chosenFrom = <T>(table: Record<string, T>, ...names: string[]): [string, T][] => {
  const missing = names.filter((name) => !(name in table))
  if (missing.length > 0) throw new Error(`not in the table: ${missing.join(', ')}`)
  return Object.entries(table).filter(([name]) => isWhole || names.includes(name))
}

/** One of so many, where entries have no names. */
export const sampleOf = <T>(entries: readonly T[], oneOf: number): T[] =>
  entries.filter((_entry, at) => isWhole || at % oneOf === 0)
