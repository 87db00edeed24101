/** The open message. Its head is known from the list, so it shows before the message has come. */
import { MailOpen } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Folder, Message, MessageSummary } from '#contract/messages.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import type { OpenMessage } from '../use-open-message.ts'
import { AttachmentList } from './attachment-list.tsx'
import { JourneyPanel } from './journey/journey-panel.tsx'
import { JunkNote } from './junk-note.tsx'
import { LoadingBody, MessageBody } from './message-body.tsx'
import { MessageHead } from './message-head.tsx'
import { type ReaderActions, ReaderToolbar } from './reader-toolbar.tsx'

type ReaderPaneProps = {
  mailboxId: string
  open: OpenMessage
  actions: ReaderActions
  folder: string
  folders: readonly Folder[]
}

export function ReaderPane({ mailboxId, open, actions, folder, folders }: ReaderPaneProps) {
  const { summary, message, query } = open
  if (query.isError && !message)
    return (
      <ErrorState
        className="flex-1"
        title={
          query.error.type === 'NOT_EXISTS'
            ? 'This message is not here any more'
            : 'The message could not be opened'
        }
        description={
          query.error.type === 'NOT_EXISTS'
            ? 'It was deleted for good, perhaps in another window.'
            : query.error.message
        }
        onRetry={() => void query.refetch()}
        action={
          <Button variant="secondary" className="@[58rem]/mail:hidden" onClick={actions.back}>
            Back to the list
          </Button>
        }
      />
    )
  return (
    <>
      {summary ? (
        <>
          <ReaderToolbar
            actions={actions}
            summary={summary}
            folder={message?.folder ?? folder}
            folders={folders}
            isLoaded={message !== undefined}
          />
          <Content
            key={summary._id}
            mailboxId={mailboxId}
            summary={summary}
            message={message}
            onNotJunk={actions.toggleJunk}
          />
        </>
      ) : (
        <LoadingBody />
      )}
    </>
  )
}

type ContentProps = {
  mailboxId: string
  summary: MessageSummary
  message: Message | undefined
  onNotJunk: () => void
}

function Content({ mailboxId, summary, message, onNotJunk }: ContentProps) {
  const article = useRef<HTMLElement>(null)
  // On a phone the pane took the place of the list: reading goes on from here.
  useEffect(() => {
    if (document.activeElement === document.body) article.current?.focus({ preventScroll: true })
  }, [])
  return (
    <article
      ref={article}
      tabIndex={-1}
      aria-label={summary.subject || '(no subject)'}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain focus:outline-none"
    >
      <MessageHead summary={summary} message={message} />
      {message ? (
        <>
          {message.folder === 'junk' && <JunkNote junk={message.junk} onNotJunk={onNotJunk} />}
          <JourneyPanel mailboxId={mailboxId} message={message} />
          <MessageBody mailboxId={mailboxId} message={message} />
          <AttachmentList mailboxId={mailboxId} message={message} />
        </>
      ) : (
        <LoadingBody />
      )}
    </article>
  )
}

/** `isListed`: there is something to choose. */
export function NoMessageOpen({ isListed }: { isListed: boolean }) {
  return (
    <EmptyState
      className="m-auto"
      icon={MailOpen}
      title="No message open"
      description={isListed && 'Choose one from the list, or press j and Enter.'}
    />
  )
}
