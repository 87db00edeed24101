/** The web mail. The open mailbox, folder and message are in the URL. */

import { Inbox } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { listAddresses } from '#contract/mail/aliases.ts'
import { getConversation, listConversations } from '#contract/mail/conversations.ts'
import { getInvitationOf } from '#contract/mail/event-invitation.ts'
import { getSending } from '#contract/mail/sending.ts'
import { getVacation } from '#contract/mail/vacation.ts'
import { getMailbox, listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import { getMessage, listFolders } from '#contract/messages.ts'
import { TakeRight } from '#web/features/mailbox-access/take-right.tsx'
import {
  askMailboxes,
  lastMailbox,
  readable,
  useLastMailbox,
  useReadableMailboxes,
} from '#web/features/mailbox-access/use-mailboxes.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan, useHolder, useMay } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { MESSAGES_ID } from '#web/lib/shell-parts.ts'
import { MailSkeleton } from '#web/mail-content/mail-skeleton.tsx'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { useFolders } from './folders/use-folders.ts'
import { type Place, usePlace } from './folders/use-place.ts'
import { argsOf } from './list/list-pages.ts'
import { MailView } from './mail-view.tsx'
import { mayInvite } from './reader/invitation-card.tsx'

export function MailPage() {
  const { place, go } = usePlace()
  const { mailboxes, isWhole, error, refetch } = useReadableMailboxes(place.mailbox || null)
  const last = useLastMailbox()
  usePrefetch(place, last)
  const readableMailbox = mailboxes?.find(({ _id }) => _id === place.mailbox)
  const { lostMailbox, onWriting } = useLostMailbox(readableMailbox, place.mailbox)
  const unread =
    useFolders(readableMailbox?._id ?? '')?.find(({ role }) => role === 'inbox')?.unread ?? 0
  const title = useHolder() ? 'Mail' : 'View Mail'
  usePageTitle(unread > 0 ? `(${formatCount(unread)}) ${title}` : title)
  const first =
    mailboxes?.find(({ _id }) => _id === last) ??
    mailboxes?.find(({ status }) => status === 'active') ??
    mailboxes?.[0]
  const firstId = isWhole ? first?._id : undefined
  useEffect(() => {
    if (readableMailbox) lastMailbox.remember(readableMailbox._id)
    else if (place.mailbox === '' && firstId) go({ mailbox: firstId }, { replace: true })
  }, [readableMailbox, place.mailbox, firstId, go])
  const openMailbox = readableMailbox ?? lostMailbox
  const noMailboxState = (
    <NoMailbox id={place.mailbox} isNone={mailboxes?.length === 0} firstId={firstId} />
  )
  return (
    // The page fills the room below and beside the shell: its panes scroll, the page does not.
    <div
      data-whole-room
      // On a phone it ends above the bars of minimised letters.
      // 'Skip to messages' leads to the list, or to what stands in its place.
      {...(readableMailbox && mailboxes ? {} : { id: MESSAGES_ID, tabIndex: -1 })}
      className="@container/mail -mx-4 -my-6 flex h-[calc(100dvh-3.5rem)] max-sm:h-[calc(100dvh-3.5rem-var(--bars-height,0px))] max-[30rem]:has-data-own-bar:h-[calc(100dvh-var(--bars-height,0px))] min-w-0 overflow-hidden focus:outline-none sm:-mx-6 lg:-mx-8 lg:-my-8 border-line min-[180rem]:border-x"
    >
      <h1 tabIndex={-1} className="sr-only">
        {title}
      </h1>
      {openMailbox && mailboxes ? (
        <MailView
          key={openMailbox._id}
          mailboxes={mailboxes}
          mailbox={openMailbox}
          replacement={lostMailbox && noMailboxState}
          onWriting={onWriting}
        />
      ) : error ? (
        <ErrorState
          className="flex-1"
          title="The mailboxes could not be loaded"
          description={error.message}
          onRetry={refetch}
        />
      ) : isWhole && mailboxes && (mailboxes.length === 0 || place.mailbox !== '') ? (
        noMailboxState
      ) : (
        <MailSkeleton />
      )}
    </div>
  )
}

type NoMailboxProps = { id: string; isNone: boolean; firstId: string | undefined }

/** Shown when there is no mailbox to read, or none that this account may read. */
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
        description="It was deleted, or you do not have the right to read it. Reading another person's mail needs a separate right."
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
          ? 'You are not a reader of any mailbox. Create one, or open Access in the menu of one that is there: an Admin can take the right to read it, which its person sees.'
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

export const loadMail: LoadPage = ({ ask, query }) => {
  const id = query.get('mailbox')
  const folder = query.get('folder') || 'inbox'
  const messageId = folder === 'drafts' ? null : query.get('message')
  if (!id) return ask(listMailboxes, readable)
  const own = { params: { id } }
  const open = { params: { id, messageId: messageId ?? '' } }
  const askForMessage = async () => {
    const message = await ask(getMessage, open)
    if (message && mayInvite(message)) await ask(getInvitationOf, open)
  }
  return Promise.all([
    askMailboxes(ask, readable, id),
    ask(listFolders, own),
    ask(listAddresses, own),
    ask(getVacation, own),
    ask(getSending, own),
    !query.get('q') && ask(listConversations, argsOf(id, folder, 0)),
    ...(messageId ? [askForMessage(), ask(getConversation, open)] : []),
  ])
}

/** Reads the last open mailbox while the list of mailboxes is loading: nearly always it is one of them. */
function usePrefetch({ mailbox, folder, q }: Place, last: string | null | undefined): void {
  const enabled = mailbox !== '' && mailbox === last && q === ''
  useApi(listConversations, argsOf(mailbox, folder || 'inbox', 0), { enabled })
  useApi(listFolders, { params: { id: mailbox } }, { enabled })
}

/** A writer whose right to the mailbox is taken away still sees the text until they close it. */
function useLostMailbox(known: Mailbox | undefined, id: string) {
  const [last, setLast] = useState(known)
  if (known && known !== last) setLast(known)
  const [isWriting, setIsWriting] = useState(false)
  const lostMailbox = !known && isWriting && last?._id === id ? last : undefined
  return { lostMailbox, onWriting: setIsWriting }
}
