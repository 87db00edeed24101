import { ShieldAlert } from 'lucide-react'
import { Link } from 'react-router'
import { useHolder, useWorkspaces } from '#web/lib/api/use-can.ts'
import { formatDate } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'

/** On every page of a person who needs a second factor soon, and has none. */
export function FactorBanner() {
  const { data } = useWorkspaces()
  const holder = useHolder()
  const here = data?.find(({ isCurrent }) => isCurrent)
  const dueAt = holder === null ? here?.factorDueAt : holder.factorDueAt
  if (!dueAt) return null
  return (
    <aside
      aria-label="A second factor is required"
      className="flex items-start gap-2.5 border-line border-b bg-warn-wash px-4 py-2.5 text-sm sm:px-6 lg:px-8"
    >
      <ShieldAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
      <span className="text-pretty">
        A second factor is required of you by <LocalTime at={dueAt} format={formatDate} />. Without
        one you reach nothing here from then on.{' '}
        <Link
          to={paths.security()}
          className="rounded-sm font-medium text-accent-ink underline underline-offset-4"
        >
          Set one up
        </Link>
      </span>
    </aside>
  )
}
