import { formatAgo, formatMoment } from '#web/lib/format.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'

/** 'Nov 28, 2026, 12:00 PM (in 7 days)'. */
export function Moment({ iso }: { iso: string }) {
  const now = useNow(60_000)
  return (
    <LocalTime
      at={iso}
      format={() => `${formatMoment(iso)} (${formatAgo(iso, now)})`}
      placeholder="Nov 28, 2026, 12:00 PM (in 7 days)"
      className="font-medium text-ink"
    />
  )
}
