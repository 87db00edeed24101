/** The window in which one message is written. */
import { useQuery } from '@tanstack/react-query'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import { ComposeForm } from './compose-form.tsx'
import type { ComposeRequest } from './compose-start.ts'
import type { ComposeEnds } from './use-compose.ts'
import { Dock, type DockWindow } from './windows/dock.tsx'
import type { LetterHandle } from './windows/letters.ts'

type ComposePanelProps = {
  mailbox: Mailbox
  request: ComposeRequest
  frame: DockWindow
  ends: ComposeEnds
  /** Gets what the open form lets others do, and null when the form has closed. */
  onOpen: (key: string, handle: LetterHandle | null) => void
}

/** A reply first loads its original with pictures and files. */
export function ComposePanel({ mailbox, request, frame, ends, onOpen }: ComposePanelProps) {
  const start = useQuery({
    queryKey: ['compose', mailbox._id, request.key],
    queryFn: async () => request.prepare(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (start.data)
    return <ComposeForm {...{ mailbox, request, frame, ends, onOpen }} start={start.data} />
  return (
    <Dock frame={frame} title={request.title} onClose={ends.close}>
      {start.isError ? (
        <ErrorState
          title="The message could not be read"
          description={messageOf(start.error)}
          onRetry={() => void start.refetch()}
        />
      ) : (
        <p
          role="status"
          className="flex h-80 items-center justify-center gap-2.5 text-soft text-sm"
        >
          <Spinner />
          Preparing the message...
        </p>
      )}
    </Dock>
  )
}
