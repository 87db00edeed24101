/** The open message. The list knows its head, so the head shows before the message has loaded. */
import { MailOpen, Reply } from 'lucide-react'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import type { Folder, Message, MessageSummary } from '#contract/messages.ts'
import { ThreadSlot } from '#web/features/compose/windows/thread-slot.tsx'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { printMessage } from '#web/mail-content/print-message.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { ConversationCards } from './conversation.tsx'
import { LoadingBody } from './message-body.tsx'
import { MessageContent } from './message-content.tsx'
import { MessageHead, Subject } from './message-head.tsx'
import { type ReaderActions, ReaderToolbar } from './reader-toolbar.tsx'
import type { OpenMessage } from './use-open-message.ts'
import { useScrolledTo } from './use-scrolled-to.ts'

const OriginalDialog = lazyPart(async () => (await import('./original-dialog.tsx')).OriginalDialog)

type ReaderPaneProps = {
  mailboxId: string
  open: OpenMessage
  actions: Omit<ReaderActions, 'print' | 'showOriginal'>
  folder: string
  folders: readonly Folder[]
}

export function ReaderPane({ mailboxId, open, actions, folder, folders }: ReaderPaneProps) {
  const { summary, message, query } = open
  const article = useRef<HTMLElement>(null)
  const [original, setOriginal] = useState<Message | null>(null)
  const print = () => message && article.current && printMessage(article.current, message)
  usePrintKey(print)
  if (query.isError && !message)
    return (
      <ErrorState
        className="flex-1"
        title={
          query.error.type === 'NOT_EXISTS'
            ? 'This message is no longer here'
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
            actions={{ ...actions, print, showOriginal: () => setOriginal(message ?? null) }}
            summary={summary}
            folder={message?.folder ?? folder}
            folders={folders}
            isLoaded={message !== undefined}
          />
          <Content
            key={summary._id}
            article={article}
            mailboxId={mailboxId}
            summary={summary}
            open={open}
            actions={actions}
          />
        </>
      ) : (
        <LoadingBody />
      )}
      <Suspense>
        {original && (
          <OriginalDialog
            mailboxId={mailboxId}
            message={original}
            onClose={() => setOriginal(null)}
          />
        )}
      </Suspense>
    </>
  )
}

/** Prints the message alone; the browser would print the whole page. */
function usePrintKey(print: () => void): void {
  const current = useRef(print)
  useEffect(() => {
    current.current = print
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      current.current()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

type ContentProps = Pick<ReaderPaneProps, 'mailboxId' | 'actions' | 'open'> & {
  article: RefObject<HTMLElement | null>
  summary: MessageSummary
}

function Content({ article, mailboxId, summary, open, actions }: ContentProps) {
  const { message, isReading } = open
  const head = useRef<HTMLDivElement>(null)
  // On a phone the pane replaced the list, which had the focus: reading continues here.
  useEffect(() => {
    if (document.activeElement === document.body) article.current?.focus({ preventScroll: true })
  }, [article])
  const others = aroundMessage(open.conversation?.items ?? [], summary._id)
  const isWhole = message !== undefined && open.isConversationKnown
  useScrolledTo(head, article, isWhole && others.before.length > 0)
  const content = { mailboxId, onNotJunk: actions.toggleJunk, onWrite: actions.writeTo }
  const cards = {
    ...content,
    isReading,
    onRead: actions.noteRead,
    actions: (other: Message) => (
      <Button variant="quiet" size="small" onClick={() => actions.replyTo(other)}>
        <Reply aria-hidden />
        Reply
      </Button>
    ),
  }
  return (
    <article
      ref={article}
      tabIndex={-1}
      aria-label={summary.subject || '(no subject)'}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain focus:outline-none"
    >
      <Subject subject={summary.subject} />
      {isWhole && <ConversationCards messages={others.before} {...cards} />}
      <div ref={head}>
        <MessageHead
          summary={summary}
          message={message}
          hasLineAbove={isWhole && others.before.length > 0}
        />
      </div>
      {isWhole ? (
        <>
          <MessageContent message={message} {...content} />
          <ConversationCards messages={others.after} {...cards} />
          <ThreadSlot
            messageIds={[...others.before, summary, ...others.after].map(({ _id }) => _id)}
          />
        </>
      ) : (
        <LoadingBody />
      )}
    </article>
  )
}

/** The messages of a conversation before and after one of them. */
function aroundMessage(items: readonly MessageSummary[], messageId: string) {
  const at = items.findIndex(({ _id }) => _id === messageId)
  return { before: items.slice(0, Math.max(at, 0)), after: at < 0 ? [] : items.slice(at + 1) }
}

/** `isListed`: the list has messages to choose from. */
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
