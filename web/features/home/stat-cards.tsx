import { Globe, HardDrive, Inbox, Mails } from 'lucide-react'
import type { Stats } from '#contract/stats.ts'
import { formatBytes, formatCount, isNearlyFull } from '#web/lib/format.ts'
import { Progress } from '#web/ui/data/progress.tsx'
import { StatisticCard } from '#web/ui/data/stat-card.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

/** `stats` is undefined while loading: the cards are there already with their final height. */
export function StatCards({ stats }: { stats: Stats | undefined }) {
  return (
    <div className="@container">
      <div className="grid @min-[20rem]:grid-cols-2 @min-[69rem]:grid-cols-4 gap-3 sm:gap-4">
        <StatisticCard
          title="Total Domains"
          count={stats && formatCount(stats.domains.total)}
          icon={Globe}
        >
          {stats ? (
            <Parts of={stats.domains.total} label="Domains" parts={domainParts(stats.domains)} />
          ) : (
            <Coming lines={3} />
          )}
        </StatisticCard>
        <StatisticCard
          title="Mailboxes"
          count={stats && formatCount(stats.mailboxes.total)}
          icon={Inbox}
        >
          {stats ? (
            <Parts
              of={stats.mailboxes.total}
              label="Mailboxes"
              parts={mailboxParts(stats.mailboxes)}
            />
          ) : (
            <Coming lines={2} />
          )}
        </StatisticCard>
        <StatisticCard
          title="Storage"
          count={stats && formatBytes(stats.storage.usedBytes)}
          icon={HardDrive}
        >
          {stats ? <Storage storage={stats.storage} /> : <Coming lines={1} />}
        </StatisticCard>
        <StatisticCard
          title="Messages today"
          count={stats && formatCount(stats.messages.today)}
          icon={Mails}
        >
          {stats ? (
            <p className="text-soft">{sinceYesterday(stats.messages)}</p>
          ) : (
            <Skeleton className="h-4 w-28" />
          )}
        </StatisticCard>
      </div>
    </div>
  )
}

/** `colour`: a background class of the theme. */
export type Part = readonly [label: string, count: number, colour: string]

type PartsProps = { of: number; label: string; parts: readonly Part[] }

/** The parts of a number, as a bar and in words. */
export function Parts({ of, label, parts }: PartsProps) {
  const rest = of - parts.reduce((sum, [, count]) => sum + count, 0)
  return (
    <div className="grid gap-2.5">
      <div aria-hidden className="flex h-1.5 gap-0.5 overflow-hidden rounded-full bg-hover">
        {parts.map(
          ([name, count, colour]) =>
            count > 0 && (
              <span key={name} style={{ flexGrow: count }} className={`min-w-1.5 ${colour}`} />
            ),
        )}
        <span style={{ flexGrow: rest }} />
      </div>
      <ul
        aria-label={label}
        className="flex @max-[34rem]:flex-col flex-wrap gap-x-2 gap-y-1 tracking-tight"
      >
        {parts.map(([name, count, colour]) => (
          <li key={name} className="flex items-center gap-1 whitespace-nowrap text-soft">
            <span aria-hidden className={`size-1.5 rounded-full ${colour}`} />
            <span>
              <span className="font-medium text-ink tabular-nums">{formatCount(count)}</span> {name}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const domainParts = (domains: Stats['domains']): readonly Part[] => [
  ['Verified', domains.dnsVerified, 'bg-good'],
  ['Pending', domains.dnsPending, 'bg-warn'],
  ['Failed', domains.dnsFailed, 'bg-bad'],
]

/** Unpaid mailboxes are the rest of the bar; the attention list names them. */
const mailboxParts = (mailboxes: Stats['mailboxes']): readonly Part[] => [
  ['Active', mailboxes.active, 'bg-good'],
  ['Suspended', mailboxes.suspended, 'bg-warn'],
]

function sinceYesterday({ today, yesterday }: Stats['messages']): string {
  const more = today - yesterday
  return `${more < 0 ? '-' : '+'}${formatCount(Math.abs(more))} from yesterday`
}

/** Placeholder as high as a bar with its lines: one line, or one per part in a narrow place. */
function Coming({ lines }: { lines: 1 | 2 | 3 }) {
  return (
    <div className="grid gap-2.5">
      <Skeleton className="h-1.5 w-full" />
      <div className="grid gap-1">
        <Skeleton className="h-4 w-24" />
        {lines > 1 && <Skeleton className="h-4 w-20 @min-[34rem]:hidden" />}
        {lines > 2 && <Skeleton className="h-4 w-20 @min-[34rem]:hidden" />}
      </div>
    </div>
  )
}

export const percentOf = ({ usedBytes, quotaBytes }: Stats['storage']): number =>
  quotaBytes === 0 ? 100 : Math.round((usedBytes / quotaBytes) * 100)

function Storage({ storage }: { storage: Stats['storage'] }) {
  const percent = percentOf(storage)
  return (
    <div className="grid gap-2.5">
      <Progress
        percent={percent}
        label="Storage used"
        tone={isNearlyFull(percent) ? 'bad' : 'accent'}
      />
      <p className="text-soft">
        {percent}% of {formatBytes(storage.quotaBytes)} used
      </p>
    </div>
  )
}
