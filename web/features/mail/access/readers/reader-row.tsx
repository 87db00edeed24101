import { UserMinus } from 'lucide-react'
import { type MailboxReader, takeMailboxBack } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Avatar } from '#web/ui/data/avatar.tsx'
import { Badge } from '#web/ui/data/badge.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { reasonOf } from '../access-words.ts'
import { Moment } from '../moment.tsx'

type ReaderRowProps = { mailbox: Mailbox; reader: MailboxReader; canGive: boolean }

export function ReaderRow({ mailbox, reader, canGive }: ReaderRowProps) {
  const { _id: userId, name, email, isYou, how, since } = reader
  const isHolder = how === 'holder'
  const canEnd = !isHolder && (canGive || isYou)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <Avatar name={name} src={null} className="max-sm:hidden" />
      <div className="grid min-w-0 flex-1 basis-40">
        <p className="wrap-anywhere font-medium text-sm">
          <span dir="auto">{name || email}</span>
          {isYou && <span className="font-normal text-soft"> (you)</span>}
        </p>
        <p className="wrap-anywhere text-soft text-xs">
          {email}, <Moment at={since} />
        </p>
      </div>
      <Badge tone={isHolder ? 'accent' : how === 'taken' ? 'warn' : 'neutral'}>
        {reasonOf[how]}
      </Badge>
      {canEnd && <EndButton mailbox={mailbox} userId={userId} name={name || email} isYou={isYou} />}
    </li>
  )
}

type EndButtonProps = { mailbox: Mailbox; userId: string; name: string; isYou: boolean }

/** Nothing is lost by it, so it is done at once. */
function EndButton({ mailbox, userId, name, isYou }: EndButtonProps) {
  const end = useCall(takeMailboxBack, {
    onSuccess: () => {
      const title = isYou ? 'You gave the right back' : 'Right to read ended'
      const description = isYou ? mailbox.email : `${name} no longer reads ${mailbox.email}.`
      toast({ title, description, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={isYou ? 'Give back your right to read' : `End the right of ${name} to read`}
      isPending={end.isPending}
      onClick={() => end.mutate({ params: { id: mailbox._id, userId } })}
    >
      {!end.isPending && <UserMinus aria-hidden />}
      {isYou ? 'Give back' : 'End'}
    </Button>
  )
}
