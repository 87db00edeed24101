/** Counts in memory since the process began, by name and labels. The labels come from our code, so their number is bounded. */
import type { Sample } from './open-metrics.ts'

export type Counters = {
  add(name: string, labels?: Record<string, string>, amount?: number): void
  /** In the order of their first count. */
  samplesOf(name: string): Sample[]
}

export const newCounters = (): Counters => {
  const byName = new Map<string, Map<string, Required<Sample>>>()
  return {
    add: (name, labels = {}, amount = 1) => {
      const samples = byName.get(name) ?? new Map<string, Required<Sample>>()
      byName.set(name, samples)
      const key = JSON.stringify(labels)
      const sample = samples.get(key) ?? { labels, value: 0 }
      sample.value += amount
      samples.set(key, sample)
    },
    samplesOf: (name) => [...(byName.get(name)?.values() ?? [])],
  }
}
