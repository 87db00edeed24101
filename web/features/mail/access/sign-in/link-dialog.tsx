/** Makes the link with which the holder of a mailbox sets their password: to be handed over, or mailed. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { makeAccessLink } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Output } from '#contract/route.ts'
import { readAgain } from '#web/lib/api/use-api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { LinkForm } from './link-form.tsx'
import { MadeLink } from './made-link.tsx'

type LinkDialogProps = {
  mailbox: Mailbox
  isReset: boolean
  /** The caller reads it only since they made it. */
  isMaker: boolean
  onClose: () => void
}

const FORM = 'access-link'

export function LinkDialog({ mailbox, isReset, isMaker, onClose }: LinkDialogProps) {
  const client = useQueryClient()
  const [made, setMade] = useState<Output<typeof makeAccessLink> | null>(null)
  const [isPending, setIsPending] = useState(false)
  const onMade = async (link: Output<typeof makeAccessLink>) => {
    setMade(link)
    await readAgain(client, makeAccessLink)
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}
      size="medium"
      title={isReset ? 'Reset the password' : 'Set up access'}
      description={
        isReset
          ? `The holder of ${mailbox.email} sets a new password with a link. The old one works until then.`
          : `The owner of ${mailbox.email} opens a link and sets a password.`
      }
      footer={
        made ? (
          <Button variant="secondary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button variant="secondary" disabled={isPending} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" form={FORM} isPending={isPending}>
              {isPending ? 'Making the link...' : 'Make link'}
            </Button>
          </>
        )
      }
    >
      {made ? (
        <MadeLink made={made} />
      ) : (
        <div className="grid gap-5">
          {isMaker && !isReset && (
            <p className="rounded-xl bg-hover px-3.5 py-3 text-sm">
              You can read this mailbox because you made it. That ends when the link is used. To
              keep the right, give it to yourself under “Who reads it”.
            </p>
          )}
          <LinkForm id={FORM} mailbox={mailbox} onMade={onMade} onPending={setIsPending} />
        </div>
      )}
    </Dialog>
  )
}
