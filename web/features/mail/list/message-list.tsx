/** The rows of a folder: only those near the window exist, so that 100,000 scroll as 100 do. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { Inbox, SearchX } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { MessageSummary } from '#contract/messages.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { LoadingRows } from './loading-rows.tsx'
import { MessageRow, ROW_HEIGHT_PX } from './message-row.tsx'
import type { useMessages } from './use-messages.ts'

const OVERSCAN = 8
const NEAR_THE_END = 20

/** Brings a message into view and gives it the focus. */
export type ShowRow = (id: string) => void

type MessageListProps = {
  list: ReturnType<typeof useMessages>
  label: string
  search: string
  openId: string
  isOutgoing: boolean
  addressOf: (id: string) => string
  onStar: (message: MessageSummary) => void
  onClearSearch: () => void
  showRow: RefObject<ShowRow>
}

export function MessageList(props: MessageListProps) {
  const { query, messages } = props.list
  if (query.isError && !query.data)
    return (
      <ErrorState
        title="The messages could not be loaded"
        description={query.error.message}
        onRetry={() => void query.refetch()}
      />
    )
  if (query.isPending) return <LoadingRows label="Loading messages" />
  if (messages.length > 0) return <Rows {...props} />
  if (props.search !== '')
    return (
      <EmptyState
        icon={SearchX}
        title="Nothing found"
        description={`No message in ${props.label} has “${props.search}”.`}
        action={
          <Button variant="secondary" onClick={props.onClearSearch}>
            Clear search
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon={Inbox}
      title={`Nothing in ${props.label}`}
      description="New messages appear here by themselves."
    />
  )
}

function Rows(props: MessageListProps) {
  const { query, messages } = props.list
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN,
    getItemKey: (index) => messages[index]?._id ?? index,
  })
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || isFetchNextPageError) return
    if (last >= messages.length - NEAR_THE_END) void fetchNextPage()
  }, [last, messages.length, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  useEffect(() => {
    props.showRow.current = (id) => {
      const index = messages.findIndex((message) => message._id === id)
      if (index < 0) return
      virtual.scrollToIndex(index)
      requestAnimationFrame(() =>
        scroller.current?.querySelector<HTMLElement>(`[data-message="${id}"]`)?.focus(),
      )
    }
  })
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <ul aria-label={props.label} className="relative" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ key, index, start }) => {
          const message = messages[index]
          return (
            message && (
              <li
                key={key}
                aria-setsize={hasNextPage ? -1 : messages.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ height: ROW_HEIGHT_PX, transform: `translateY(${start}px)` }}
              >
                <MessageRow
                  message={message}
                  address={props.addressOf(message._id)}
                  isOpen={message._id === props.openId}
                  isOutgoing={props.isOutgoing}
                  onStar={props.onStar}
                />
              </li>
            )
          )
        })}
      </ul>
      {isFetchNextPageError && (
        <p role="alert" className="p-4 text-center text-soft text-sm">
          The older messages could not be loaded.{' '}
          <Button variant="link" size="inline" onClick={() => void fetchNextPage()}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}
