/** One line of the result table: a measured value and its budget. */
export type Measured = {
  what: string
  /** null: the programs for the comparison are not installed. */
  value: number | null
  unit: '%' | 'ms' | 's' | 'kB' | 'MB' | 'requests/s' | 'messages/s' | 'times'
  /** null: only for comparison. */
  budget: number | null
}

/** A group of measurements in one installation. */
export type Bench = {
  name: string
  /** It takes hours: only who names it runs it. */
  isLong?: true
  run: () => Promise<Measured[]>
}

/** More is better. */
const isRate = (unit: Measured['unit']): boolean => unit.endsWith('/s') || unit === 'times'

/** The used share of the budget: 1 is exactly the budget, less is better; null without a budget. */
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
