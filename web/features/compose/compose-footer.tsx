import { Send, Trash2 } from 'lucide-react'
import { Button } from '#web/ui/form/button.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import { saveRetryText } from './trouble.ts'
import type { Compose } from './use-compose.ts'

export function ComposeFooter({ compose, canSend }: { compose: Compose; canSend: boolean }) {
  const { pending, draft, isDirty } = compose
  const isSending = pending === 'send' || pending === 'waiting'
  return (
    <>
      <Button
        className="max-sm:h-11"
        isPending={isSending}
        disabled={!canSend || pending === 'delete' || pending === 'save'}
        onClick={() => void compose.submit()}
      >
        {!isSending && <Send aria-hidden />}
        {isSending ? 'Sending...' : 'Send'}
      </Button>
      {pending === 'waiting' ? (
        <Button variant="secondary" className="max-sm:h-11" onClick={compose.stopSending}>
          Stop sending
        </Button>
      ) : (
        <Button
          variant="secondary"
          className="max-sm:h-11"
          isPending={pending === 'save'}
          disabled={pending !== null && pending !== 'save'}
          onClick={() => void compose.leave(false)}
        >
          {pending === 'save' ? 'Saving...' : 'Save draft'}
        </Button>
      )}
      <SaveStatus compose={compose} />
      {(isDirty || draft.own.messageId !== null) && (
        <Button
          variant="quiet"
          size="icon"
          aria-label="Delete draft"
          className="ml-auto max-sm:size-11"
          title="Delete draft"
          disabled={pending !== null}
          onClick={() => compose.ask('delete')}
        >
          <Trash2 aria-hidden />
        </Button>
      )}
    </>
  )
}

/** Whether the draft is saved, in a live region that screen readers announce. */
function SaveStatus({ compose }: { compose: Compose }) {
  const { draft, pending } = compose
  return (
    <p
      role="status"
      className="flex min-w-0 flex-1 items-center gap-2 px-1 text-soft text-xs max-sm:order-last max-sm:basis-full"
    >
      {draft.state === 'saving' && pending === null && <Spinner />}
      <span>
        {pending === null || pending === 'save'
          ? statusText(draft)
          : pending === 'waiting'
            ? compose.waitingFor
            : ''}
      </span>
    </p>
  )
}

const statusText = ({ state, isStoredLocally, problem }: Compose['draft']): string => {
  if (state === 'saved') return 'Saved'
  if (state === 'saving') return 'Saving...'
  return state === 'waiting' ? saveRetryText(problem, isStoredLocally) : ''
}
