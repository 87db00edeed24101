/** The web mail. Which mailbox, folder and message are open stands in the address. */
import { useEffect, useState } from 'react'
import { listConversations } from '#contract/mail/conversations.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { listFolders } from '#contract/messages.ts'
import {
  lastMailbox,
  useLastMailbox,
  useReadableMailboxes,
} from '#web/features/mailbox-access/use-mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { MailSkeleton } from '#web/mail-content/mail-skeleton.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { useFolders } from './folders/use-folders.ts'
import { type Place, usePlace } from './folders/use-place.ts'
import { argsOf } from './list/use-mail-list.ts'
import { MailView } from './mail-view.tsx'
import { NoMailbox } from './no-mailbox.tsx'

export { mailAsks } from './list/mail-asks.ts'

export function MailPage() {
  const { place, go } = usePlace()
  const { mailboxes, isWhole, error, refetch } = useReadableMailboxes()
  const last = useLastMailbox()
  useReadAhead(place, last)
  const known = mailboxes?.find(({ _id }) => _id === place.mailbox)
  const { left, onWriting } = useLeft(known, place.mailbox)
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
  const shown = known ?? left
  const noMailbox = (
    <NoMailbox id={place.mailbox} isNone={mailboxes?.length === 0} firstId={firstId} />
  )
  return (
    // The mail takes the whole room below and beside the shell: its panes scroll, the page does not.
    <div
      data-whole-room
      className="@container/mail -mx-4 -my-6 flex h-[calc(100dvh-3.5rem)] min-w-0 overflow-hidden sm:-mx-6 lg:-mx-8 lg:-my-8 border-line min-[180rem]:border-x"
    >
      <h1 tabIndex={-1} className="sr-only">
        View Mail
      </h1>
      {shown && mailboxes ? (
        <MailView
          key={shown._id}
          mailboxes={mailboxes}
          mailbox={shown}
          gone={left && noMailbox}
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
        noMailbox
      ) : (
        <MailSkeleton />
      )}
    </div>
  )
}

/** What was open before is read while the mailboxes are on their way: nearly always it is one of them. */
function useReadAhead({ mailbox, folder, q }: Place, last: string | null | undefined): void {
  const enabled = mailbox !== '' && mailbox === last && q === ''
  useApi(listConversations, argsOf(mailbox, folder || 'inbox', 0), { enabled })
  useApi(listFolders, { params: { id: mailbox } }, { enabled })
}

/** Whoever writes in a mailbox that is taken away still sees what they wrote, until they close it. */
function useLeft(known: Mailbox | undefined, id: string) {
  const [last, setLast] = useState(known)
  if (known && known !== last) setLast(known)
  const [isWriting, setIsWriting] = useState(false)
  const left = !known && isWriting && last?._id === id ? last : undefined
  return { left, onWriting: setIsWriting }
}
