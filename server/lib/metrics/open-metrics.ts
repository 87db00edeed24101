/** Writes measurements as OpenMetrics text (version 1.0). Pure. */

type Labels = Record<string, string>

export type Sample = { labels?: Labels; value: number }

export type Metric = {
  /** Without the suffix `_total`. */
  name: string
  /** A counter only grows, until the process starts again. */
  type: 'counter' | 'gauge'
  /** The end of the name, where it has a unit. */
  unit?: 'seconds' | 'bytes'
  /** A sentence without a full stop. */
  help: string
  samples: Sample[]
}

export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

export const openMetricsText = (metrics: readonly Metric[]): string =>
  [...metrics.flatMap(linesOf), '# EOF', ''].join('\n')

const linesOf = ({ name, type, unit, help, samples }: Metric): string[] => [
  `# TYPE ${name} ${type}`,
  ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
  `# HELP ${name} ${escaped(help)}`,
  ...samples.map(
    ({ labels = {}, value }) =>
      `${name}${type === 'counter' ? '_total' : ''}${labelText(labels)} ${numberText(value)}`,
  ),
]

const labelText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')

const numberText = (value: number): string => {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}
