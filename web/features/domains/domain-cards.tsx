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
    <div className="grid grid-cols-3 gap-2 sm:gap-4 max-sm:[&_h2]:min-h-10 max-sm:[&_svg]:hidden">
      <StatisticCard
        className="max-sm:p-3"
        title="Total Domains"
        count={shown(data?.domains.total)}
        icon={Globe}
      />
      <StatisticCard
        className="max-sm:p-3"
        title="Active Domains"
        count={shown(data?.domains.active)}
        icon={CircleCheck}
      />
      <StatisticCard
        className="max-sm:p-3"
        title="Pending Domains"
        count={shown(data?.domains.pending)}
        icon={Clock3}
      />
    </div>
  )
}
