/** Makes an app password and shows it, this once. */
import { useState } from 'react'
import type { MadeAppPassword } from '#contract/mail/app-passwords.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { AppPasswordForm } from './app-password-form.tsx'
import { MadePassword } from './made-password.tsx'

const FORM = 'app-password'

const LEAVING = {
  title: 'Close without the password?',
  description:
    'You have not copied it. Once this is closed nobody can see it again: you would have to make a new one.',
  confirmText: 'Close without it',
}

type NewAppPasswordDialogProps = { mailbox: Mailbox; onClose: () => void }

export function NewAppPasswordDialog({ mailbox, onClose }: NewAppPasswordDialogProps) {
  const [made, setMade] = useState<MadeAppPassword | null>(null)
  const [isPending, setIsPending] = useState(false)
  const [isSeen, setIsSeen] = useState(false)
  const unsaved = useUnsavedChanges(made !== null && !isSeen, onClose, LEAVING)
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && (made || !isPending) && unsaved.requestClose()}
        size="medium"
        title={made ? `App password for ${made.name}` : 'New app password'}
        description={
          made
            ? `Type or paste it into the program, with the address ${mailbox.email}.`
            : `One mail program signs in to ${mailbox.email} with it.`
        }
        footer={
          made ? (
            <Button variant="secondary" onClick={unsaved.leave}>
              Done
            </Button>
          ) : (
            <>
              <Button variant="secondary" disabled={isPending} onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" form={FORM} isPending={isPending}>
                {isPending ? 'Making it...' : 'Make app password'}
              </Button>
            </>
          )
        }
      >
        {made ? (
          <MadePassword made={made} onCopied={() => setIsSeen(true)} />
        ) : (
          <AppPasswordForm id={FORM} mailbox={mailbox} onMade={setMade} onPending={setIsPending} />
        )}
      </Dialog>
      {unsaved.question}
    </>
  )
}
