import { Archive, Forward, Paperclip, Reply, Star, Trash2 } from 'lucide-react'
import { Fragment, type MouseEvent, memo } from 'react'
import { Link } from 'react-router'
import { placesOfWords } from '#contract/mail/fold-letters.ts'
import type { Person } from '#contract/messages.ts'
import { formatCount, formatListDate, formatMoment } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { DRAGGED_MAIL } from '../folders/folder-nav.tsx'
import type { MailRow } from './mail-row.ts'
import type { SwipeVerb } from './use-dragging.ts'
import { useSwipe, wayOf } from './use-swipe.ts'

type MessageRowProps = {
  row: MailRow
  address: string
  /** Address of the mailbox: its owner is 'me' in a conversation. */
  own: string
  isOpen: boolean
  isOutgoing: boolean
  isSelected: boolean
  /** true: without the preview. */
  isCompact: boolean
  /** Name of the folder in which a search found the message. */
  place: string | null
  words: readonly string[]
  onSelect: (key: string, isRange: boolean) => void
  onStar: (row: MailRow) => void
  /** The row is dragged, and with it what is selected if it is. */
  onDrag: (row: MailRow) => void
  onSwipe: (row: MailRow, verb: SwipeVerb) => void
}

/** The text with the searched words highlighted, whatever their accents. Never parsed as HTML. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  const places = placesOfWords(text, words)
  if (places.length === 0) return text
  const parts = places.map(({ from, to }, at) => (
    <Fragment key={from}>
      {text.slice(places[at - 1]?.to ?? 0, from)}
      <mark className="rounded-xs bg-warn-wash text-ink">{text.slice(from, to)}</mark>
    </Fragment>
  ))
  return [...parts, text.slice(places.at(-1)?.to)]
}

const nameOf = (person: Person | null | undefined): string => person?.name || person?.address || ''

/** Returns what stands behind the comma: 'Ann' of 'Doe, Ann'. */
const givenNames = (name: string): string =>
  name
    .split(',')
    .toReversed()
    .find((part) => part.trim() !== '') ?? ''
/** Who writes that a message was not delivered: 'Mail delivery' is not a person called Mail. */
const isMailSystem = /^(?:postmaster|mailer-daemon)@/i
const firstWord = (text: string): string => text.trim().split(/[\s@]/)[0] ?? ''

/** The people of a conversation, oldest first. For a single message its sender; in Sent and Drafts its recipients. */
export function correspondentsOf(row: MailRow, own: string, isOutgoing: boolean): string {
  if (isOutgoing) {
    const names = row.to.map(nameOf).join(', ')
    return names === '' ? '(no recipient)' : `To: ${names}`
  }
  if (row.people.length > 1) {
    const short = ({ name, address }: Person) => {
      if (address.toLowerCase() === own) return 'me'
      if (name && isMailSystem.test(address)) return name
      return firstWord(givenNames(name) || address) || address
    }
    return row.people.map(short).toReversed().join(', ')
  }
  return nameOf(row.from) || '(no sender)'
}

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { row, address, isOpen, isSelected, isCompact, onSelect, onStar, onSwipe } = props
  const subject = row.subject || '(no subject)'
  const select = (event: MouseEvent) => {
    event.preventDefault()
    onSelect(row.key, event.shiftKey)
  }
  const { dx, handlers } = useSwipe({
    onRight: () => onSwipe(row, 'archive'),
    onLeft: () => onSwipe(row, 'remove'),
    onHold: () => onSelect(row.key, false),
  })
  return (
    <div
      className={cn('absolute inset-0 touch-pan-y', isSelected && 'bg-accent-wash')}
      data-row={row._id}
      {...handlers}
    >
      {dx !== 0 && <SwipeHint dx={dx} />}
      <Link
        to={address}
        data-message={row._id}
        data-row={row._id}
        aria-current={isOpen ? 'true' : undefined}
        style={dx === 0 ? undefined : { transform: `translateX(${dx}px)` }}
        onDragStart={(event) => {
          event.dataTransfer.setData(DRAGGED_MAIL, row.key)
          event.dataTransfer.effectAllowed = 'move'
          props.onDrag(row)
        }}
        onClick={(event) => event.shiftKey && select(event)}
        className={cn(
          'absolute inset-0 grid grid-cols-1 content-center border-line border-b pr-4 pl-10 -outline-offset-2',
          isCompact ? 'py-1' : 'gap-0.5 py-2',
          dx !== 0 && 'bg-surface',
          isOpen ? 'bg-accent-wash shadow-[inset_3px_0_0_var(--color-accent)]' : 'hover:bg-hover',
        )}
      >
        <RowText {...props} />
      </Link>
      <Checkbox
        checked={isSelected}
        aria-label={`Select ${subject}`}
        className={cn('absolute left-3', isCompact ? 'top-2.5' : 'top-4')}
        onClick={select}
      />
      <button
        type="button"
        aria-label={`Star ${subject}`}
        aria-pressed={row.isStarred}
        onClick={() => onStar(row)}
        className={cn(
          'absolute right-2 grid size-8 place-items-center rounded-md hover:text-ink pointer-coarse:right-0.5 pointer-coarse:size-11',
          isCompact ? 'bottom-0.5' : 'bottom-2.5 pointer-coarse:bottom-1',
          row.isStarred ? 'text-warn' : 'text-soft/60',
        )}
      >
        <Star className={cn('size-4', row.isStarred && 'fill-current')} aria-hidden />
      </button>
    </div>
  )
})

/** Behind a row that a finger moves: what letting go does. */
function SwipeHint({ dx }: { dx: number }) {
  const Icon = dx > 0 ? Archive : Trash2
  const isReady = wayOf(dx) !== null
  return (
    <span
      aria-hidden
      className={cn(
        'absolute inset-0 flex items-center px-5',
        dx < 0 && 'justify-end',
        isReady
          ? dx > 0
            ? 'bg-good-wash text-good'
            : 'bg-bad-wash text-bad'
          : 'bg-sunken text-soft',
      )}
    >
      <Icon className="size-5" />
    </span>
  )
}

function RowText({ row, own, isOutgoing, isCompact, place, words }: MessageRowProps) {
  const isUnread = !row.isRead
  return (
    <>
      {isUnread && (
        <span
          aria-hidden
          className={cn(
            'absolute left-4 size-2 rounded-full bg-accent-ink',
            isCompact ? 'top-9' : 'top-11',
          )}
        />
      )}
      <span className="flex items-baseline gap-2">
        <span
          dir="auto"
          className={cn(
            'min-w-0 truncate text-left text-sm',
            isUnread ? 'font-semibold' : 'text-ink',
          )}
        >
          {isUnread && <span className="sr-only">Unread. </span>}
          <MarkedText text={correspondentsOf(row, own, isOutgoing)} words={words} />
        </span>
        {row.messages > 1 && (
          <span className="shrink-0 text-soft text-xs tabular-nums">
            {formatCount(row.messages)}
            <span className="sr-only"> messages</span>
          </span>
        )}
        <LocalTime
          at={row.date}
          format={formatListDate}
          title={formatMoment}
          className={cn(
            'ml-auto shrink-0 text-xs tabular-nums',
            isUnread ? 'font-medium text-accent-ink' : 'text-soft',
          )}
        />
      </span>
      <span className="flex items-center gap-1.5 pr-7">
        <Marks row={row} />
        <span dir="auto" className={cn('min-w-0 truncate text-sm', isUnread && 'font-semibold')}>
          <MarkedText text={row.subject || '(no subject)'} words={words} />
        </span>
        {row.hasAttachments && (
          <>
            <Paperclip className="size-3.5 shrink-0 text-soft" aria-hidden />
            <span className="sr-only">Has attachments</span>
          </>
        )}
        {place !== null && (
          <span className="ml-auto max-w-24 shrink-0 truncate rounded-full bg-sunken px-2 text-soft text-xs leading-5">
            {place}
          </span>
        )}
      </span>
      {!isCompact && (
        <span dir="auto" className="mr-7 min-h-5 truncate text-left text-soft text-sm">
          <MarkedText text={row.preview} words={words} />
        </span>
      )}
    </>
  )
}

/** Icons for 'answered' and 'forwarded'. */
function Marks({ row: { isAnswered, isForwarded } }: Pick<MessageRowProps, 'row'>) {
  return (
    <>
      {isAnswered && (
        <>
          <Reply className="size-3.5 shrink-0 text-soft" aria-hidden />
          <span className="sr-only">Answered. </span>
        </>
      )}
      {isForwarded && (
        <>
          <Forward className="size-3.5 shrink-0 text-soft" aria-hidden />
          <span className="sr-only">Forwarded. </span>
        </>
      )}
    </>
  )
}
