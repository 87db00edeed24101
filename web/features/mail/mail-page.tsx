/** The web mail. Which mailbox, folder and message are open stands in the address. */
import { Inbox } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { listConversations } from '#contract/mail/conversations.ts'
import { getMailbox } from '#contract/mailboxes.ts'
import { listFolders } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan, useMay } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { TakeRight } from './access/take-right.tsx'
import { argsOf } from './list/data/use-conversations.ts'
import { MailView } from './mail-view.tsx'
import { MailSkeleton } from './place/mail-skeleton.tsx'
import { useFolders } from './place/use-folders.ts'
import { lastMailbox, useLastMailbox, useReadableMailboxes } from './place/use-mailboxes.ts'
import { type Place, usePlace } from './place/use-place.ts'

export { mailAsks } from './place/mail-asks.ts'

export function MailPage() {
  const { place, go } = usePlace()
  const { mailboxes, isWhole, error, refetch } = useReadableMailboxes()
  const last = useLastMailbox()
  useReadAhead(place, last)
  const known = mailboxes?.find(({ _id }) => _id === place.mailbox)
  const unread = useFolders(known?._id ?? '')?.find(({ role }) => role === 'inbox')?.unread ?? 0
  usePageTitle(unread > 0 ? `(${formatCount(unread)}) View Mail` : 'View Mail')
  const first =
    mailboxes?.find(({ _id }) => _id === last) ??
    mailboxes?.find(({ status }) => status === 'active') ??
    mailboxes?.[0]
  const firstId = isWhole ? first?._id : undefined
  useEffect(() => {
    if (known) lastMailbox.remember(known._id)
    else if (place.mailbox === '' && firstId) go({ mailbox: firstId }, { replace: true })
  }, [known, place.mailbox, firstId, go])
  return (
    // The mail takes the whole room below the header: its panes scroll, the page does not.
    <div className="@container/mail -mx-4 -my-6 flex h-[calc(100dvh-3.5rem)] min-w-0 overflow-hidden sm:-mx-6 lg:-mx-8 lg:-my-8 2xl:border-line 2xl:border-x">
      <h1 tabIndex={-1} className="sr-only">
        View Mail
      </h1>
      {known && mailboxes ? (
        <MailView key={known._id} mailboxes={mailboxes} mailbox={known} />
      ) : error ? (
        <ErrorState
          className="flex-1"
          title="The mailboxes could not be loaded"
          description={error.message}
          onRetry={refetch}
        />
      ) : isWhole && mailboxes && (mailboxes.length === 0 || place.mailbox !== '') ? (
        <NoMailbox id={place.mailbox} isNone={mailboxes.length === 0} firstId={firstId} />
      ) : (
        <MailSkeleton />
      )}
    </div>
  )
}

type NoMailboxProps = { id: string; isNone: boolean; firstId: string | undefined }

/** What was open before is read while the mailboxes are on their way: nearly always it is one of them. */
function useReadAhead({ mailbox, folder, q }: Place, last: string | null): void {
  const enabled = mailbox !== '' && mailbox === last && q === ''
  useApi(listConversations, argsOf(mailbox, folder || 'inbox', 0), { enabled })
  useApi(listFolders, { params: { id: mailbox } }, { enabled })
}

function NoMailbox({ id, isNone, firstId }: NoMailboxProps) {
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
