/** One line of the table: what was measured, beside its budget from the design. */
export type Measured = {
  what: string
  /** null: the programs to compare with are not installed. */
  value: number | null
  unit: 'ms' | 's' | 'kB' | 'MB' | 'requests/s' | 'messages/s'
  /** null: for comparison only. */
  budget: number | null
}

/** A group of rows that need the same world. */
export type Bench = { name: string; run: () => Promise<Measured[]> }

const isRate = (unit: Measured['unit']): boolean => unit.endsWith('/s')

/** How much of the budget is used: 1 is just on it, less is better; null where there is none. */
export const ratioOf = ({ value, unit, budget }: Measured): number | null => {
  if (value === null || budget === null) return null
  return isRate(unit) ? budget / value : value / budget
}

export const median = (values: number[]): number => percentile(values, 50)

export const percentile = (values: number[], percent: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)
  return sorted[Math.max(0, at)] ?? Number.NaN
}
