import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import type { Compose } from './use-compose.ts'

/** What is asked before something is lost, or goes without what it speaks of. */
export function ComposeQuestions({ compose }: { compose: Compose }) {
  const { question, ask, pending, draft } = compose
  const close = (isOpen: boolean) => !isOpen && ask(null)
  return (
    <>
      <ConfirmDialog
        isOpen={question === 'attachment'}
        onOpenChange={close}
        title="Send without an attachment?"
        description="The message speaks of one, and nothing is attached."
        cancelText="Keep writing"
        confirmText="Send anyway"
        isDangerous={false}
        onConfirm={() => void compose.submit(true)}
      />
      <ConfirmDialog
        isOpen={question === 'close'}
        onOpenChange={close}
        title="This message is not saved yet"
        description={
          draft.state === 'offline'
            ? 'There is no connection. It is kept in this browser, and opens again when you come back to this mailbox.'
            : 'The server did not take it as it is.'
        }
        cancelText="Keep writing"
        otherWay={
          draft.state === 'offline' &&
          draft.isKept && (
            <Button variant="secondary" onClick={compose.closeUnsaved}>
              Close
            </Button>
          )
        }
        confirmText="Discard"
        onConfirm={() => void compose.discard()}
      />
      <ConfirmDialog
        isOpen={question === 'delete'}
        onOpenChange={close}
        title="Delete this draft?"
        description="It is deleted for good."
        confirmText="Delete draft"
        isPending={pending === 'delete'}
        onConfirm={() => void compose.deleteDraft()}
      />
    </>
  )
}
