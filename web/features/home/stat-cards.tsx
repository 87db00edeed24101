import { Globe, HardDrive, Inbox, Mails } from 'lucide-react'
import type { Stats } from '#contract/stats.ts'
import { formatBytes, formatCount } from '#web/lib/format.ts'
import { Progress } from '#web/ui/data/progress.tsx'
import { StatisticCard } from '#web/ui/data/stat-card.tsx'
import { Skeleton } from '#web/ui/state/skeleton.tsx'

const NEARLY_FULL_PERCENT = 90

/** `stats` is undefined while it is being read. */
export function StatCards({ stats }: { stats: Stats | undefined }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <StatisticCard
        title="Total Domains"
        count={stats && formatCount(stats.domains.total)}
        icon={Globe}
      >
        <Parts
          parts={
            stats && [
              ['Verified', stats.domains.dnsVerified, 'bg-good'],
              ['Pending', stats.domains.dnsPending, 'bg-warn'],
              ['Failed', stats.domains.dnsFailed, 'bg-bad'],
            ]
          }
        />
      </StatisticCard>
      <StatisticCard
        title="Mailboxes"
        count={stats && formatCount(stats.mailboxes.total)}
        icon={Inbox}
      >
        <Parts
          parts={
            stats && [
              ['Active', stats.mailboxes.active, 'bg-good'],
              ['Suspended', stats.mailboxes.suspended, 'bg-warn'],
            ]
          }
        />
      </StatisticCard>
      <StatisticCard
        title="Storage"
        count={stats && formatBytes(stats.storage.usedBytes)}
        icon={HardDrive}
      >
        <Storage storage={stats?.storage} />
      </StatisticCard>
      <StatisticCard
        title="Messages today"
        count={stats && formatCount(stats.messages.today)}
        icon={Mails}
      >
        <span className="text-soft">
          {stats ? sinceYesterday(stats.messages) : <Skeleton className="h-4 w-28" />}
        </span>
      </StatisticCard>
    </div>
  )
}

function sinceYesterday({ today, yesterday }: Stats['messages']): string {
  const more = today - yesterday
  return `${more < 0 ? '-' : '+'}${formatCount(Math.abs(more))} from yesterday`
}

type Part = readonly [label: string, count: number, dot: string]

function Parts({ parts }: { parts: readonly Part[] | undefined }) {
  if (!parts) return <Skeleton className="h-4 w-40" />
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {parts.map(([label, count, dot]) => (
        <li key={label} className="flex items-center gap-1.5 text-soft">
          <span aria-hidden className={`size-1.5 rounded-full ${dot}`} />
          <span>
            <span className="font-medium text-ink tabular-nums">{formatCount(count)}</span> {label}
          </span>
        </li>
      ))}
    </ul>
  )
}

export const percentOf = ({ usedBytes, quotaBytes }: Stats['storage']): number =>
  quotaBytes === 0 ? 100 : Math.round((usedBytes / quotaBytes) * 100)

function Storage({ storage }: { storage: Stats['storage'] | undefined }) {
  if (!storage) return <Skeleton className="h-4 w-40" />
  const percent = percentOf(storage)
  return (
    <div className="grid gap-2">
      <Progress
        percent={percent}
        label="Storage used"
        tone={percent >= NEARLY_FULL_PERCENT ? 'bad' : 'accent'}
      />
      <span className="text-soft">
        {percent}% of {formatBytes(storage.quotaBytes)} used
      </span>
    </div>
  )
}
