import { useState } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { Button } from '../form/button.tsx'

/** A part of a long list whose rows are too tall or too many to be drawn at once. */
export function usePages<T>(all: readonly T[], size: number) {
  const [wanted, setPage] = useState(0)
  const last = Math.max(0, Math.ceil(all.length / size) - 1)
  const page = Math.min(wanted, last)
  const shown = all.slice(page * size, (page + 1) * size)
  return { shown, count: all.length, from: page * size, page, last, setPage }
}

type PagesProps = Omit<ReturnType<typeof usePages>, 'shown'> & {
  /** What the rows are, for screen readers: 'mailboxes'. */
  of: string
  shown: readonly unknown[]
}

/** Which part is shown, and the way to the others. Renders nothing when there is one part. */
export function Pages({ shown, count, from, page, last, setPage, of }: PagesProps) {
  if (last === 0) return null
  const button = { variant: 'secondary', size: 'small' } as const
  return (
    <nav aria-label={`Pages of ${of}`} className="flex flex-wrap items-center gap-2 text-sm">
      <p role="status" className="mr-auto text-soft text-xs tabular-nums">
        {formatCount(from + 1)} to {formatCount(from + shown.length)} of {formatCount(count)}
      </p>
      <Button {...button} disabled={page === 0} onClick={() => setPage(page - 1)}>
        Previous
      </Button>
      <Button {...button} disabled={page === last} onClick={() => setPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
