import { getMailPerDay, type MailPerDay } from '#contract/stats.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount, formatDayOfYear } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

/** The last two weeks as bars, with the same height in every state. */
export function MailPerDayCard({ className }: { className?: string }) {
  const mail = useApi(getMailPerDay, {})
  const days = mail.data?.days
  return (
    <Card className={cn('flex flex-col', className)}>
      <CardHeader title="Mail per day" description="Sent and received in the last two weeks" />
      <div className="flex min-h-52 flex-1 flex-col px-5 pb-5">
        {days ? (
          <Bars days={days} />
        ) : mail.isError ? (
          <div
            role="alert"
            className="m-auto grid justify-items-center gap-3 text-center text-soft text-sm"
          >
            The mail per day could not be loaded.
            <Button variant="secondary" size="small" onClick={() => void mail.refetch()}>
              Try again
            </Button>
          </div>
        ) : (
          <Skeleton className="h-full flex-1" />
        )}
      </div>
    </Card>
  )
}

type Days = MailPerDay['days']

function Bars({ days }: { days: Days }) {
  const most = Math.max(...days.map(({ messages }) => messages))
  const first = days[0]
  return (
    <figure className="flex flex-1 flex-col">
      <p
        aria-hidden
        className="border-line border-b border-dashed pb-1 text-right text-2xs text-soft tabular-nums"
      >
        {most === 0 ? 'No mail yet' : `Busiest day: ${formatCount(most)}`}
      </p>
      <ol aria-label="Messages on each day" className="flex flex-1 items-stretch gap-1 sm:gap-1.5">
        {days.map(({ date, messages }, at) => (
          <li
            key={date}
            title={`${formatDayOfYear(date)}: ${formatCount(messages)}`}
            className="group relative flex flex-1 items-end"
          >
            <span className="sr-only">
              {formatDayOfYear(date)}: {formatCount(messages)}
            </span>
            <span
              aria-hidden
              style={{ height: most === 0 ? 0 : `${(messages / most) * 100}%` }}
              className={cn(
                'min-h-0.5 w-full rounded-t-sm transition-colors',
                at === days.length - 1 ? 'bg-accent' : 'bg-accent/35 group-hover:bg-accent/60',
              )}
            />
          </li>
        ))}
      </ol>
      <figcaption aria-hidden className="mt-2 flex justify-between text-2xs text-soft">
        <span>{first && formatDayOfYear(first.date)}</span>
        <span className="font-medium text-accent-ink">Today</span>
      </figcaption>
    </figure>
  )
}
