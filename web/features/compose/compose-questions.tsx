import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { passing } from './trouble.ts'
import type { Compose } from './use-compose.ts'

const missingParts = [
  [
    'attachment',
    'Send without an attachment?',
    'The message mentions one, but nothing is attached.',
  ],
  ['blank', 'Send an empty message?', 'It has no subject and no text.'],
] as const

/** Confirmations before text is lost, or before a message goes without its attachment or empty. */
export function ComposeQuestions({ compose }: { compose: Compose }) {
  const { question, ask, pending, draft } = compose
  const close = (isOpen: boolean) => !isOpen && ask(null)
  return (
    <>
      {missingParts.map(([missing, title, description]) => (
        <ConfirmDialog
          key={missing}
          isOpen={question === missing}
          onOpenChange={close}
          title={title}
          description={description}
          cancelText="Keep writing"
          confirmText="Send anyway"
          isDangerous={false}
          onConfirm={() => void compose.submit(true)}
        />
      ))}
      <ConfirmDialog
        isOpen={question === 'close'}
        onOpenChange={close}
        title="This message is not saved yet"
        description={`${closeReason(draft)}${draft.isStoredLocally ? KEPT_IN_BROWSER : ''}`}
        cancelText="Keep writing"
        otherWay={
          draft.isStoredLocally && (
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

const KEPT_IN_BROWSER =
  ' It is kept in this browser, and opens again when you come back to this mailbox.'

const closeReason = ({ state, problem }: Compose['draft']): string => {
  if (state !== 'waiting') return 'The server refused it.'
  if (passing(problem)?.why === 'offline') return 'There is no connection.'
  return 'The server cannot save it right now.'
}
