import { formatAgo, formatMoment } from '#web/lib/format.ts'
import { useNow } from '#web/lib/time/use-now.ts'

/** 'Nov 28, 2026, 12:00 PM (in 7 days)'. */
export function Moment({ iso }: { iso: string }) {
  const now = useNow(60_000)
  return (
    <time dateTime={iso} className="font-medium text-ink">
      {formatMoment(iso)} ({formatAgo(iso, now)})
    </time>
  )
}
