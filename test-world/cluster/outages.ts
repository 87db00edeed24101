/** How long nobody was served, for each kind of failure. */
import { longestGap, type Person, SERVICES } from './services.ts'

/** Times of performance.now: when it died, and when it was back. */
export type Strike = { kind: string; at: number; mendedAt: number }

/** `seconds`: median, 95th percentile and longest, of each service. */
export type Outages = { kind: string; times: number; awayFor: Spread; seconds: Spread[] }
type Spread = { median: number; p95: number; longest: number }

/** Of each kind, and of all. */
export const outagesOf = (
  strikes: readonly Strike[],
  people: readonly Person[],
  endedAt: number,
): Outages[] => {
  const measured = strikes.map((strike, n) => {
    const until = strikes[n + 1]?.at ?? Number.POSITIVE_INFINITY
    const gaps = SERVICES.map((service) =>
      longestGap(people, service, { from: strike.at, until, endedAt }),
    )
    return { ...strike, gaps }
  })
  const kinds = [...new Set(strikes.map(({ kind }) => kind))].toSorted()
  const row = (kind: string, of: typeof measured): Outages => ({
    ...{ kind, times: of.length },
    awayFor: spreadOf(of.map(({ at, mendedAt }) => (mendedAt - at) / 1000)),
    seconds: SERVICES.map((_, at) => spreadOf(of.map(({ gaps }) => gaps[at] ?? 0))),
  })
  const rows = kinds.map((kind) =>
    row(
      kind,
      measured.filter((each) => each.kind === kind),
    ),
  )
  return [...rows, row('all', measured)]
}

const spreadOf = (values: readonly number[]): Spread => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0
  return { median: at(0.5), p95: at(0.95), longest: at(1) }
}

/** As Markdown. */
export const tableOf = (outages: readonly Outages[]): string => {
  const text = ({ median, p95, longest }: Spread) =>
    [median, p95, longest].map((value) => value.toFixed(1)).join(' / ')
  const heads = ['what dies', 'times', 'it is away', ...SERVICES]
  const rows = outages.map(({ kind, times, awayFor, seconds }) => [
    ...[kind, String(times), `${awayFor.median.toFixed(1)} s`],
    ...seconds.map(text),
  ])
  const lines = [heads, heads.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
