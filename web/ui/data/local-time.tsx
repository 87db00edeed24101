import { formatAgo, formatMoment, formatPast, useFormatted } from '#web/lib/format.ts'
import { useNow } from '#web/lib/time/use-now.ts'

type LocalTimeProps = {
  at: string
  format: (at: string) => string
  /** A longer text, as the tooltip. */
  title?: (at: string) => string
  /** As long as the text, so that nothing moves when it appears. */
  placeholder?: string
  className?: string
}

/** A time in the reader's time zone and format. The server does not know it and renders nothing; the browser fills it in at once. */
export function LocalTime({ at, format, title, placeholder, className }: LocalTimeProps) {
  const text = useFormatted(() => format(at))
  return (
    <time dateTime={at} title={text === '' ? undefined : title?.(at)} className={className}>
      {text === '' && placeholder ? (
        <span aria-hidden className="invisible">
          {placeholder}
        </span>
      ) : (
        text
      )}
    </time>
  )
}

const AGO_EVERY_MS = 30_000
/** Seconds that are counted every half minute would stand still. */
const JUST_NOW_MS = 45_000

type AgoProps = {
  at: string
  /** true: it may be to come, as 'in 7 days'. */
  mayCome?: boolean
  className?: string
}

/** '3 minutes ago', kept up to date. The pointer reads the moment itself. */
export function Ago({ at, mayCome = false, className }: AgoProps) {
  const now = useNow(AGO_EVERY_MS)
  return (
    <LocalTime
      at={at}
      format={() => (mayCome ? formatAgo : formatPast)(at, now, JUST_NOW_MS)}
      title={formatMoment}
      {...(className && { className })}
    />
  )
}
