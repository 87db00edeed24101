import { useQuery } from '@tanstack/react-query'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/spinner.tsx'
import { ComposeForm } from './compose-form.tsx'
import type { ComposeRequest } from './compose-start.ts'

type ComposeDialogProps = { mailbox: Mailbox; request: ComposeRequest; onClose: () => void }

/** An answer needs its original first, with pictures and files. */
export function ComposeDialog({ mailbox, request, onClose }: ComposeDialogProps) {
  const start = useQuery({
    queryKey: ['compose', mailbox._id, request.key],
    queryFn: async () => request.prepare(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (start.data)
    return <ComposeForm mailbox={mailbox} request={request} start={start.data} onClose={onClose} />
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={request.title}
      size="large"
    >
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
          Getting the message ready...
        </p>
      )}
    </Dialog>
  )
}
