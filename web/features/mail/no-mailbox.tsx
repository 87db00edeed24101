import { Inbox } from 'lucide-react'
import { Link } from 'react-router'
import { getMailbox } from '#contract/mailboxes.ts'
import { TakeRight } from '#web/features/mailbox-access/take-right.tsx'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan, useMay } from '#web/lib/api/use-can.ts'
import { MailSkeleton } from '#web/mail-content/mail-skeleton.tsx'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'

type NoMailboxProps = { id: string; isNone: boolean; firstId: string | undefined }

/** In place of the mail where there is none to read, or none of theirs. */
export function NoMailbox({ id, isNone, firstId }: NoMailboxProps) {
  const canManage = useCan('manage-mailboxes')
  const canTake = useMay('give-mailboxes') && id !== ''
  const other = useApi(getMailbox, { params: { id } }, { enabled: canTake, retry: false })
  if (canTake && other.data) return <TakeRight key={id} mailbox={other.data} otherId={firstId} />
  if (canTake && other.isPending) return <MailSkeleton />
  if (!isNone && firstId)
    return (
      <EmptyState
        className="flex-1"
        icon={Inbox}
        title="This mailbox cannot be read"
        description="It was deleted, or it is not yours to read. Reading somebody's mail is a right of its own."
        action={
          <Button asChild>
            <Link to={paths.viewMail({ mailbox: firstId })}>Open another mailbox</Link>
          </Button>
        }
      />
    )
  return (
    <EmptyState
      className="flex-1"
      icon={Inbox}
      title="No mailbox to read yet"
      description={
        canManage
          ? 'Create a mailbox under one of your domains and its mail appears here.'
          : 'Ask an Admin of this workspace to give you a mailbox.'
      }
      action={
        canManage && (
          <div className="flex flex-wrap justify-center gap-2">
            <Button asChild>
              <Link to={paths.newMailbox()}>Create a mailbox</Link>
            </Button>
            <Button asChild variant="secondary">
              <Link to={paths.mailboxes()}>See all mailboxes</Link>
            </Button>
          </div>
        )
      }
    />
  )
}
