import { Ban } from 'lucide-react'
import { useWorkspaces } from '#web/lib/api/use-can.ts'

/** On every page of a workspace whose sending an operator suspended. */
export function SuspendedBanner() {
  const { data } = useWorkspaces()
  const reason = data?.find(({ isCurrent }) => isCurrent)?.suspendedFor ?? null
  if (reason === null) return null
  return (
    <aside
      aria-label="Sending is suspended"
      className="flex items-start gap-2.5 border-line border-b bg-warn-wash px-4 py-2.5 text-sm sm:px-6 lg:px-8"
    >
      <Ban className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
      <span className="wrap-anywhere text-pretty">
        The operator of this installation has suspended sending from this workspace. It still
        receives mail. The reason: {reason}
      </span>
    </aside>
  )
}
