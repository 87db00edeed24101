import { Paperclip, Star } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'react-router'
import type { MessageSummary, Person } from '#contract/messages.ts'
import { formatListDate, formatMoment } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'

export const ROW_HEIGHT_PX = 88

const nameOf = (person: Person | null | undefined): string => person?.name || person?.address || ''

/** Who it is from, or in Sent and Drafts whom it goes to. */
export function correspondentsOf(message: MessageSummary, isOutgoing: boolean): string {
  if (!isOutgoing) return nameOf(message.from) || '(no sender)'
  const names = message.to.map(nameOf).join(', ')
  return names === '' ? '(no recipient)' : `To: ${names}`
}

type MessageRowProps = {
  message: MessageSummary
  address: string
  isOpen: boolean
  isOutgoing: boolean
  onStar: (message: MessageSummary) => void
}

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, address, isOpen, isOutgoing, onStar } = props
  const isUnread = !message.isRead
  return (
    <>
      <Link
        to={address}
        data-message={message._id}
        aria-current={isOpen ? 'true' : undefined}
        className={cn(
          'absolute inset-0 grid grid-cols-1 content-center gap-0.5 border-line border-b py-2 pr-4 pl-7 -outline-offset-2 transition-colors',
          isOpen ? 'bg-accent-wash' : 'hover:bg-hover',
        )}
      >
        {isUnread && (
          <span aria-hidden className="absolute top-4.5 left-3 size-2 rounded-full bg-accent-ink" />
        )}
        <span className="flex items-baseline gap-3">
          <span
            dir="auto"
            className={cn(
              'min-w-0 flex-1 truncate text-left text-sm',
              isUnread ? 'font-semibold' : 'text-ink',
            )}
          >
            {isUnread && <span className="sr-only">Unread. </span>}
            {correspondentsOf(message, isOutgoing)}
          </span>
          <time
            dateTime={message.date}
            title={formatMoment(message.date)}
            className={cn(
              'shrink-0 text-xs tabular-nums',
              isUnread ? 'font-medium text-accent-ink' : 'text-soft',
            )}
          >
            {formatListDate(message.date)}
          </time>
        </span>
        <span className="flex items-center gap-1.5 pr-7">
          <span dir="auto" className={cn('min-w-0 truncate text-sm', isUnread && 'font-semibold')}>
            {message.subject || '(no subject)'}
          </span>
          {message.hasAttachments && (
            <>
              <Paperclip className="size-3.5 shrink-0 text-soft" aria-hidden />
              <span className="sr-only">Has attachments</span>
            </>
          )}
        </span>
        <span dir="auto" className="mr-7 min-h-5 truncate text-left text-soft text-sm">
          {message.preview}
        </span>
      </Link>
      <button
        type="button"
        aria-label={`Star ${message.subject || '(no subject)'}`}
        aria-pressed={message.isStarred}
        onClick={() => onStar(message)}
        className={cn(
          'absolute right-2 bottom-2.5 grid size-8 place-items-center rounded-md hover:text-ink',
          message.isStarred ? 'text-warn' : 'text-soft/60',
        )}
      >
        <Star className={cn('size-4', message.isStarred && 'fill-current')} aria-hidden />
      </button>
    </>
  )
})
