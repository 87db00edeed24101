/** Of this process, under the names that monitoring knows from other programs. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Metric } from './open-metrics.ts'

const delay = monitorEventLoopDelay({ resolution: 20 })
delay.enable()

export const processMetrics = (): Metric[] => {
  const { user, system } = process.cpuUsage()
  const behind = delay.percentile(99) / 1e9
  // Since the last look.
  delay.reset()
  return [
    {
      ...{ name: 'process_cpu_seconds', type: 'counter', unit: 'seconds' },
      ...{ help: 'Time of processor used', samples: [{ value: (user + system) / 1e6 }] },
    },
    {
      ...{ name: 'process_resident_memory_bytes', type: 'gauge', unit: 'bytes' },
      ...{ help: 'Memory in use', samples: [{ value: process.memoryUsage.rss() }] },
    },
    {
      ...{ name: 'process_start_time_seconds', type: 'gauge', unit: 'seconds' },
      ...{ help: 'When the process began', samples: [{ value: performance.timeOrigin / 1000 }] },
    },
    {
      ...{ name: 'nodejs_eventloop_lag_p99_seconds', type: 'gauge', unit: 'seconds' },
      ...{ help: 'How late the main thread was, 99 of 100 times, since the last look' },
      samples: [{ value: Number.isFinite(behind) ? behind : 0 }],
    },
  ]
}
