/** Right after a deletion, above the list: what was deleted, and the way back. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Undo2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { restoreDeleted, WAIT_DAYS } from '#contract/deletions.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { readAgain } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { useHistoryState } from '#web/lib/history-state.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'

export type JustDeleted = { id: string; name: string }

/** For the page that lists them, when the deletion leads there. */
export const stateOfDeletion = (deleted: readonly JustDeleted[]) => ({ justDeleted: deleted })

/** What was deleted here, or on the page that led here. */
export function useJustDeleted() {
  const [deleted, setDeleted] = useState<readonly JustDeleted[]>([])
  const navigate = useNavigate()
  const state = useHistoryState() as { justDeleted?: readonly JustDeleted[] } | null | undefined
  const before = state?.justDeleted
  useEffect(() => {
    if (!before) return
    setDeleted(before)
    // The history entry keeps it: without this, reload and back would show the notice again.
    void navigate('.', { replace: true, state: null })
  }, [before, navigate])
  return { deleted, setDeleted }
}

type NoticeProps = {
  deleted: readonly JustDeleted[]
  onChange: (left: readonly JustDeleted[]) => void
}

const MOST_NAMES = 5

export function JustDeletedNotice({ deleted, onChange }: NoticeProps) {
  const restore = useRestore(onChange)
  const notice = useRef<HTMLElement>(null)
  // The list may be scrolled down to its last rows.
  useEffect(() => {
    if (deleted.length > 0) notice.current?.scrollIntoView({ block: 'nearest' })
  }, [deleted])
  if (deleted.length === 0) return null
  const isOne = deleted.length === 1
  const names = deleted.slice(0, MOST_NAMES).map(({ name }) => name)
  const more = deleted.length - names.length
  return (
    <section
      ref={notice}
      aria-label="Just deleted"
      className="flex scroll-mt-20 flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-warn-wash px-5 py-3 text-sm"
    >
      <p role="status" className="wrap-anywhere min-w-0 flex-1 basis-64 text-pretty">
        <span className="font-medium">
          {isOne ? '1 domain was deleted' : `${formatCount(deleted.length)} domains were deleted`}:
        </span>{' '}
        <span dir="auto">{names.join(', ')}</span>
        {more > 0 && ` and ${formatCount(more)} more`}. {isOne ? 'It ends' : 'They end'} in{' '}
        {WAIT_DAYS} days.
      </p>
      <div className="flex items-center gap-1">
        <Button
          variant="secondary"
          size="small"
          isPending={restore.isPending}
          onClick={() => restore.mutate(deleted)}
        >
          <Undo2 aria-hidden />
          {isOne ? 'Take back' : `Take all ${formatCount(deleted.length)} back`}
        </Button>
        <Button
          variant="quiet"
          size="iconSmall"
          aria-label="Close this notice"
          disabled={restore.isPending}
          onClick={() => onChange([])}
        >
          <X aria-hidden />
        </Button>
      </div>
    </section>
  )
}

/** One after the other; those that could not be taken back stay in the notice. */
function useRestore(onChange: NoticeProps['onChange']) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (deleted: readonly JustDeleted[]) => {
      const left: JustDeleted[] = []
      let error: unknown = null
      for (const each of deleted)
        try {
          await call(restoreDeleted, { params: { id: each.id } })
        } catch (failure) {
          left.push(each)
          error ??= failure
        }
      return { left, error, count: deleted.length - left.length }
    },
    onSuccess: async ({ left, error, count }) => {
      await readAgain(client, restoreDeleted)
      onChange(left)
      if (error !== null) toastError(messageOf(error))
      if (count > 0)
        toast({
          title: 'Taken back',
          description: count === 1 ? 'It is as it was.' : `${formatCount(count)} are as they were.`,
          variant: 'success',
        })
    },
  })
}
