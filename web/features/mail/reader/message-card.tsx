/** One message of a conversation: a line while folded, the whole message when open. It is loaded only when opened. */
import type { ReactNode } from 'react'
import { getMessage, type Message, type MessageSummary } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatListDate, formatMoment } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { Avatar } from '#web/ui/data/avatar.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { LoadingBody } from './message-body.tsx'
import { MessageContent, type MessageContentProps } from './message-content.tsx'
import { MessageHead } from './message-head.tsx'

type MessageCardProps = Pick<MessageContentProps, 'mailboxId' | 'onNotJunk' | 'onWrite'> & {
  summary: MessageSummary
  isOpen: boolean
  onToggle: () => void
  /** Buttons for this one message. */
  actions?: (message: Message) => ReactNode
}

export function MessageCard({ summary, isOpen, onToggle, ...rest }: MessageCardProps) {
  if (!isOpen) return <FoldedMessage summary={summary} onOpen={onToggle} />
  return <OpenMessage summary={summary} onFold={onToggle} {...rest} />
}

function FoldedMessage({ summary, onOpen }: { summary: MessageSummary; onOpen: () => void }) {
  const { from, preview, date, isRead } = summary
  const name = from?.name || from?.address || '(no sender)'
  return (
    <button
      type="button"
      aria-expanded={false}
      onClick={onOpen}
      className="flex w-full min-w-0 items-center gap-3 border-line border-b px-5 py-3 text-left hover:bg-hover sm:px-6"
    >
      <Avatar name={name} className="size-7 shrink-0" />
      <bdi className={cn('max-w-40 shrink-0 truncate text-sm', !isRead && 'font-semibold')}>
        {name}
        {!isRead && <span className="sr-only">, unread</span>}
      </bdi>
      <span className="min-w-0 flex-1 truncate text-soft text-sm">{preview}</span>
      <LocalTime
        at={date}
        format={formatListDate}
        title={formatMoment}
        className="shrink-0 text-soft text-xs tabular-nums"
      />
    </button>
  )
}

type OpenMessageProps = Omit<MessageCardProps, 'isOpen' | 'onToggle'> & { onFold: () => void }

function OpenMessage({ summary, onFold, actions, ...rest }: OpenMessageProps) {
  const params = { id: rest.mailboxId, messageId: summary._id }
  const { data, isError, error, refetch } = useApi(getMessage, { params }, { staleTime: 60_000 })
  return (
    <article aria-label={summary.subject || '(no subject)'} className="border-line border-b">
      <MessageHead
        summary={summary}
        message={data}
        onFold={onFold}
        aside={data && actions?.(data)}
      />
      {data ? (
        <MessageContent message={data} {...rest} />
      ) : isError ? (
        <ErrorState
          title="The message could not be opened"
          description={error.message}
          onRetry={() => void refetch()}
        />
      ) : (
        <LoadingBody />
      )}
    </article>
  )
}
