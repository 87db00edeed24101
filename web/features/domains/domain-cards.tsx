import { CircleCheck, Clock3, Globe } from 'lucide-react'
import { getStats } from '#contract/stats.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { StatisticCard } from '#web/ui/data/stat-card.tsx'

/** Total, active and pending, where pending is all that are not active. */
export function DomainCards() {
  const { data, isError } = useApi(getStats, {})
  const shown = (count: number | undefined) =>
    count === undefined ? (isError ? '–' : undefined) : formatCount(count)
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <StatisticCard title="Total Domains" count={shown(data?.domains.total)} icon={Globe} />
      <StatisticCard
        title="Active Domains"
        count={shown(data?.domains.active)}
        icon={CircleCheck}
      />
      <StatisticCard title="Pending Domains" count={shown(data?.domains.pending)} icon={Clock3} />
    </div>
  )
}
