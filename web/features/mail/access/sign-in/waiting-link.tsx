import { type MailboxAccess, withdrawAccessLink } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Moment } from '../moment.tsx'

type WaitingLinkProps = {
  mailbox: Mailbox
  link: NonNullable<MailboxAccess['link']>
  canWithdraw: boolean
}

/** A link that nobody has used. It is not shown again: only whoever got it has it. */
export function WaitingLink({ mailbox, link, canWithdraw }: WaitingLinkProps) {
  const now = useNow(30_000)
  const isOver = new Date(link.expiresAt).getTime() <= now
  const withdraw = useCall(withdrawAccessLink, {
    onSuccess: () => {
      toast({ title: 'Link withdrawn', description: mailbox.email, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl bg-hover px-3.5 py-3">
      <p className="min-w-0 flex-1 basis-56 wrap-anywhere">
        {isOver ? 'A link expired unused ' : 'A link has not been used yet. It was made '}
        <Moment at={isOver ? link.expiresAt : link.createdAt} />
        {link.mailedTo && `${isOver ? '; it was' : ' and'} mailed to ${link.mailedTo}`}.
        {!isOver && (
          <>
            {' '}
            It ends <Moment at={link.expiresAt} />.
          </>
        )}
      </p>
      {canWithdraw && !isOver && (
        <Button
          variant="secondary"
          size="small"
          isPending={withdraw.isPending}
          onClick={() => withdraw.mutate({ params: { id: mailbox._id } })}
        >
          Withdraw link
        </Button>
      )}
    </div>
  )
}
