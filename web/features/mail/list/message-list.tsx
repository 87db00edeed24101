/** The rows of a folder. Only rows near the viewport are rendered, so that 100,000 scroll as fast as 100. */
import { Inbox, SearchX } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Folder, FolderRole } from '#contract/messages.ts'
import { useDensity } from '#web/lib/density.ts'
import { COMPACT_ROW_PX, LoadingRows, ROW_HEIGHT_PX } from '#web/mail-content/mail-skeleton.tsx'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { folderKey } from '../folders/folder-nav.tsx'
import { isRowOf, type MailList, type MailRow } from './mail-row.ts'
import { MessageRow } from './message-row.tsx'
import { useHoverPrefetch, useVisiblePrefetch } from './read-ahead.ts'
import { OperatorList } from './search-box.tsx'
import type { SwipeVerb } from './use-dragging.ts'
import { useRowsInView } from './use-rows-in-view.ts'
import type { ListSelection } from './use-selection.ts'

/** Scrolls a row into view and focuses it; `id` is the `_id` of the row. */
export type ShowRow = (id: string) => void

export type MessageListProps = {
  mailboxId: string
  list: MailList
  /** 'Inbox', or 'all mail' for a search. */
  label: string
  /** The folder that is listed. */
  current: Folder | undefined
  search: string
  openId: string
  openThread: string | undefined
  own: string
  folders: readonly Folder[]
  isOutgoing: boolean
  isDrafts: boolean
  selection: ListSelection
  addressOf: (row: MailRow) => string
  onStar: (row: MailRow) => void
  onDrag: (row: MailRow) => void
  onSwipe: (row: MailRow, verb: SwipeVerb) => void
  onClearSearch: () => void
  showRow: RefObject<ShowRow>
}

export function MessageList(props: MessageListProps) {
  const { list, search, label } = props
  if (list.error)
    return (
      <ErrorState
        title="The messages could not be loaded"
        description={list.error.message}
        onRetry={list.refetch}
      />
    )
  if (list.isPending && !list.isStale) return <LoadingRows label="Loading messages" />
  if (list.total > 0) return <Rows {...props} />
  if (search !== '')
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <EmptyState
          icon={SearchX}
          title="Nothing found"
          description={`No message in ${label} contains “${search}”.`}
          action={
            <Button variant="secondary" onClick={props.onClearSearch}>
              Clear search
            </Button>
          }
        />
        <section aria-label="What a search understands" className="mx-auto max-w-112 px-5 pb-6">
          <h3 className="mb-2 font-medium text-soft text-xs">A search understands</h3>
          <OperatorList />
        </section>
      </div>
    )
  return <EmptyFolder folder={props.current} label={label} />
}

/** How mail gets into each folder. */
const descriptions: Record<FolderRole, string> = {
  inbox: 'New messages appear here automatically.',
  sent: 'Messages that you send are kept here.',
  drafts: 'Messages that you start to write are kept here until you send them.',
  junk: 'New messages that look like junk go here instead of the Inbox.',
  trash: 'Deleted messages are kept here until you delete them for good.',
  archive: 'Archived messages leave the Inbox and are kept here.',
}

export function EmptyFolder({ folder, label }: { folder: Folder | undefined; label: string }) {
  const description = folder?.role
    ? descriptions[folder.role]
    : 'Select messages in another folder and move them here.'
  return (
    <EmptyState icon={Inbox} title={`Nothing in ${label}`} description={folder && description} />
  )
}

function Rows(props: MessageListProps) {
  const { list, search, showRow, mailboxId } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isCompact = useDensity() === 'compact'
  const rowPx = isCompact ? COMPACT_ROW_PX : ROW_HEIGHT_PX
  const view = useRowsInView(scroller, list.total, rowPx, list.load)
  const prefetchHandlers = useHoverPrefetch(mailboxId, list, props.isDrafts)
  const { first, last } = view
  const rows = Array.from({ length: last - first + 1 }, (_, step) => list.at(first + step))
  useVisiblePrefetch(mailboxId, props.isDrafts ? [] : rows)
  // A new search starts at the top of its results.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the search has changed
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 })
  }, [search])
  // Before the effects of the other parts of the page: the search box shows the first row as soon as these rows are there.
  useLayoutEffect(() => {
    showRow.current = (id) => {
      const index = list.indexOf(id)
      if (index < 0) return
      view.scrollTo(index)
      const focus = () => {
        const row = scroller.current?.querySelector<HTMLElement>(`[data-message="${id}"]`)
        row?.focus({ preventScroll: true })
        return row
      }
      // At once when the row is rendered already: the next key continues from the row with the focus.
      if (!focus()) requestAnimationFrame(focus)
    }
  })
  const usedKeys = new Set<string>()
  return (
    <div
      ref={scroller}
      aria-busy={list.isStale}
      className={cn(
        'min-h-0 flex-1 overflow-y-auto overscroll-contain transition-opacity delay-150',
        // On a phone the button to write floats above the last row.
        '@max-[30rem]/mail:pb-20',
        list.isStale && 'opacity-60',
      )}
    >
      <ul
        {...prefetchHandlers}
        aria-label={props.label}
        // The style draws placeholders, so that a jump renders the rows only once, when they are loaded.
        className="rows-to-come relative"
        data-compact={isCompact || undefined}
        style={{ height: view.heightPx }}
      >
        {rows.map((row, step) => {
          const index = first + step
          if (!row) return null
          // While pages are reloaded, a row may be in two of them.
          const key = usedKeys.has(row.key) ? index : row.key
          usedKeys.add(row.key)
          return (
            <li
              key={key}
              aria-setsize={list.isWhole ? list.total : -1}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 bg-surface"
              style={{ height: rowPx, transform: `translateY(${view.topOf(index)}px)` }}
            >
              <ListedRow {...props} row={row} isCompact={isCompact} />
            </li>
          )
        })}
      </ul>
      {list.isMoreFailed && (
        <p role="alert" className="sticky bottom-0 bg-surface p-4 text-center text-soft text-sm">
          The other messages could not be loaded.{' '}
          <Button variant="link" size="inline" onClick={list.refetch}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}

function ListedRow({
  row,
  list,
  selection,
  ...props
}: MessageListProps & { row: MailRow; isCompact: boolean }) {
  const folder = props.folders.find((folder) => folderKey(folder) === row.folder)
  return (
    <MessageRow
      row={row}
      address={props.addressOf(row)}
      own={props.own}
      isOpen={props.openId !== '' && isRowOf(row, props.openId, props.openThread)}
      isOutgoing={props.isOutgoing || row.folder === 'sent' || row.folder === 'drafts'}
      isSelected={selection.has(row.key)}
      isCompact={props.isCompact}
      place={folder?.name ?? null}
      words={list.words}
      onSelect={selection.toggle}
      onStar={props.onStar}
      onDrag={props.onDrag}
      onSwipe={props.onSwipe}
    />
  )
}
