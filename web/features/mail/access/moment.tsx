import { formatAgo, formatMoment } from '#web/lib/format.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'

/** The clock of the server may be a little ahead of ours. */
export function Moment({ at }: { at: string }) {
  const now = useNow(30_000)
  const isNow = Math.abs(now - new Date(at).getTime()) < 45_000
  return (
    <LocalTime
      at={at}
      format={() => (isNow ? 'just now' : formatAgo(at, now))}
      title={formatMoment}
    />
  )
}
