/** The other messages of the open message's conversation: each is a line that opens in place, and the unread ones are open. */
import { ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Message, MessageSummary } from '#contract/messages.ts'
import { MessageCard } from './message-card.tsx'
import type { MessageContentProps } from './message-content.tsx'

type CardsProps = Pick<MessageContentProps, 'mailboxId' | 'onNotJunk' | 'onWrite'> & {
  messages: readonly MessageSummary[]
  /** Called when unread messages were opened. */
  onRead: (messages: readonly MessageSummary[]) => void
  /** false: what is open stays unread until the reader acts. */
  isReading: boolean
  actions: (message: Message) => ReactNode
}

export function ConversationCards({ messages, onRead, isReading, ...rest }: CardsProps) {
  const [news] = useState(() => unreadToOpen(messages))
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(news.map(({ _id }) => _id)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per opening, because 'Mark as unread' must hold
  useEffect(() => {
    if (isReading && news.length > 0) onRead(news)
  }, [isReading])
  const [isWhole, setIsWhole] = useState(false)
  // Fixed when the conversation opens: nothing folds away while the reader reads.
  const [initialFoldedCount] = useState(() => foldedCount(messages))
  const hidden = isWhole || messages.length <= initialFoldedCount ? 0 : initialFoldedCount
  const toggle = (message: MessageSummary) => {
    const isOpening = !open.has(message._id)
    setOpen(
      new Set(isOpening ? [...open, message._id] : [...open].filter((id) => id !== message._id)),
    )
    if (isOpening && !message.isRead) onRead([message])
  }
  const card = (summary: MessageSummary) => (
    <li key={summary._id}>
      <MessageCard
        summary={summary}
        isOpen={open.has(summary._id)}
        onToggle={() => toggle(summary)}
        {...rest}
      />
    </li>
  )
  if (messages.length === 0) return null
  // The first and the last messages say most; those in between are folded.
  const first = hidden > 0 ? messages.slice(0, 1) : messages
  const last = hidden > 0 ? messages.slice(1 + hidden) : []
  return (
    <ol className="border-line border-t">
      {first.map(card)}
      {hidden > 0 && (
        <li>
          <button
            type="button"
            onClick={() => setIsWhole(true)}
            className="flex w-full items-center gap-2 border-line border-b bg-sunken px-5 py-2 text-left text-soft text-sm hover:text-ink sm:px-6"
          >
            <ChevronsUpDown className="size-4" aria-hidden />
            {hidden} more messages
          </button>
        </li>
      )}
      {last.map(card)}
    </ol>
  )
}

/** Lines above and below the open message; more than these are folded into one line. */
const MAX_LINES = 4

/**
 * How many messages after the first are folded into one line. The last ones stay, and so does everything from the first unread
 * message on. A single message is not folded: it needs as much room as the line.
 */
export const foldedCount = (messages: readonly { isRead: boolean }[]): number => {
  const unread = messages.findIndex(({ isRead }, at) => at > 0 && !isRead)
  const beforeUnread = unread < 0 ? messages.length : unread - 1
  const count = Math.min(messages.length - MAX_LINES, beforeUnread)
  return count < 2 ? 0 : count
}

/** Each open message may load pictures and lay out HTML of its own. */
const MAX_OPENED = 20

/** The unread messages that open with their conversation: the oldest ones, when there are very many. */
export const unreadToOpen = <Of extends { isRead: boolean }>(messages: readonly Of[]): Of[] =>
  messages.filter(({ isRead }) => !isRead).slice(0, MAX_OPENED)
