import { PenLine } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { Link } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Folder } from '#contract/messages.ts'
import { DeletedNote } from '#web/deletions/deleted-note.tsx'
import { OfflineNote } from '#web/features/compose/offline-note.tsx'
import { StopNote } from '#web/features/mailbox-settings/stop-alert.tsx'
import { VacationNote } from '#web/features/mailbox-settings/vacation-note.tsx'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { MESSAGES_ID } from '#web/lib/shell-parts.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ListBar, type ListBarProps } from './list-bar.tsx'
import { ListHead } from './list-head.tsx'
import type { MailList, MailRow } from './mail-row.ts'
import type { MailVerbs } from './mail-verbs.ts'
import { MessageList, type ShowRow } from './message-list.tsx'
import { SearchNotes, SearchScope } from './search-box.tsx'
import type { SwipeVerb } from './use-dragging.ts'
import type { ListSelection } from './use-selection.ts'

type ListPaneProps = ListBarProps & {
  selection: ListSelection
  verbs: MailVerbs
  current: Folder | undefined
  /** true: the search is limited to this folder. */
  isOnly: boolean
  onOnly: (isOnly: boolean) => void
  openThread: string | undefined
  addressOfRow: (row: MailRow) => string
  onEmpty: () => void
  onStar: (row: MailRow) => void
  onDrag: (row: MailRow) => void
  onSwipe: (row: MailRow, verb: SwipeVerb) => void
  showRow: RefObject<ShowRow>
}

export function ListPane(props: ListPaneProps) {
  const { list, current, q, isOnly, folder, mailbox, selection } = props
  const name = current?.name ?? ''
  const folders = props.folders ?? []
  return (
    <>
      <ListBar {...props} />
      {q !== '' && <SearchScope folderName={name} isOnly={isOnly} onChoose={props.onOnly} />}
      <OfflineNote className="border-line border-b px-4 py-2" />
      <StatusNote mailbox={mailbox} />
      <ListHead
        {...{ list, selection, folders, folder, verbs: props.verbs }}
        title={q === '' ? name : `“${q}” in ${isOnly ? name : 'all mail'}`}
        mailboxId={mailbox._id}
        mailbox={mailbox.email}
        counts={q === '' ? describe(current) : describeFound(list)}
        isSearch={q !== ''}
        isEverywhere={q !== '' && !isOnly}
        onEmpty={props.onEmpty}
      />
      {list.notes.length > 0 && !list.isStale && <SearchNotes notes={list.notes} />}
      {list.isByParts && !list.isStale && (
        <p className="border-line border-b bg-sunken px-4 py-1.5 text-soft text-xs">
          No message contains these words. These messages contain them as part of a name or subject.
        </p>
      )}
      <div
        id={MESSAGES_ID}
        tabIndex={-1}
        className="flex min-h-0 flex-1 flex-col focus:outline-none"
      >
        <MessageList
          key={`${mailbox._id} ${folder}`}
          {...{
            list,
            selection,
            folders,
            current,
            search: q,
            own: mailbox.email,
            mailboxId: mailbox._id,
          }}
          label={q === '' || isOnly ? name || 'Messages' : 'all mail'}
          openId={props.openId}
          openThread={props.openThread}
          isOutgoing={q === '' && (folder === 'sent' || folder === 'drafts')}
          isDrafts={q === '' && folder === 'drafts'}
          addressOf={props.addressOfRow}
          onStar={props.onStar}
          onDrag={props.onDrag}
          onSwipe={props.onSwipe}
          onClearSearch={() => props.onSearch('')}
          showRow={props.showRow}
        />
      </div>
      <DeletedNote endsAt={mailbox.endsAt} />
      <Button
        size="iconTouch"
        aria-label="Compose"
        className="@[30rem]/mail:hidden absolute right-4 bottom-4 z-10 size-14 rounded-full shadow-floating"
        onClick={props.onCompose}
      >
        <PenLine aria-hidden />
      </Button>
      <VacationNote mailbox={mailbox} />
      <StopNote mailbox={mailbox} />
    </>
  )
}

/** Says why an inactive or suspended mailbox cannot do everything, and what to do about it. */
export function StatusNote({ mailbox }: { mailbox: Mailbox }) {
  const mayPay = useCan('manage-billing')
  if (mailbox.status === 'active') return null
  return (
    <p className="border-line border-b bg-warn-wash px-4 py-2 text-warn text-xs">
      {mailbox.status === 'inactive' ? (
        <>
          This mailbox is not active: it cannot receive or send mail until it is paid for.{' '}
          <NoteLink to={paths.mailboxes()}>Activate it</NoteLink>
        </>
      ) : mailbox.isOverdue ? (
        <>
          This mailbox is suspended because its invoice is not paid: it can receive mail, but not
          send it.{' '}
          {mayPay ? (
            <NoteLink to={paths.profile({ tab: 'billing' })}>Pay the invoice</NoteLink>
          ) : (
            'An Admin of the workspace can pay the invoice.'
          )}
        </>
      ) : (
        <>
          This mailbox is suspended: it can receive mail, but not send it.{' '}
          <NoteLink to={paths.mailboxes()}>See mailboxes</NoteLink>
        </>
      )}
    </p>
  )
}

function NoteLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="font-medium underline underline-offset-2">
      {children}
    </Link>
  )
}

const describe = (folder: Folder | undefined): string => {
  if (!folder) return ''
  const { messages, unread } = folder
  const all = `${formatCount(messages)} ${messages === 1 ? 'message' : 'messages'}`
  return unread > 0 ? `${formatCount(unread)} unread of ${all}` : all
}

const describeFound = ({ total, isWhole, isPending, isStale }: MailList): string =>
  isPending || isStale || total === 0
    ? ''
    : `${formatCount(total)} ${total === 1 ? 'conversation' : 'conversations'}${isWhole ? '' : ' and more'}`
