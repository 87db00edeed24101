/** The rows of a folder: only those near the window exist, so that 100,000 scroll as 100 do. */
import { SearchX } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { Folder } from '#contract/messages.ts'
import { LoadingRows, ROW_HEIGHT_PX } from '#web/mail-content/mail-skeleton.tsx'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { EmptyFolder } from '../folders/empty-folder.tsx'
import { folderKey } from '../folders/folder-nav.tsx'
import { isOf, type MailList, type MailRow } from './mail-row.ts'
import { MessageRow } from './message-row.tsx'
import { useReadAhead, useRowsAhead } from './read-ahead.ts'
import { useRowsInView } from './use-rows-in-view.ts'
import type { ListSelection } from './use-selection.ts'

/** Brings a row into view and gives it the focus; by the `_id` of the row. */
export type ShowRow = (id: string) => void

export type MessageListProps = {
  mailboxId: string
  list: MailList
  /** 'Inbox', or 'all mail' that is searched. */
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
  if (list.isPending && !list.isOld) return <LoadingRows label="Loading messages" />
  if (list.total > 0) return <Rows {...props} />
  if (search !== '')
    return (
      <EmptyState
        icon={SearchX}
        title="Nothing found"
        description={`No message in ${label} has “${search}”.`}
        action={
          <Button variant="secondary" onClick={props.onClearSearch}>
            Clear search
          </Button>
        }
      />
    )
  return <EmptyFolder folder={props.current} label={label} />
}

function Rows(props: MessageListProps) {
  const { list, search, showRow, mailboxId } = props
  const scroller = useRef<HTMLDivElement>(null)
  const view = useRowsInView(scroller, list.total, ROW_HEIGHT_PX, list.want)
  const ahead = useReadAhead(mailboxId, list, props.isDrafts)
  const { first, last } = view
  const rows = Array.from({ length: last - first + 1 }, (_, step) => list.at(first + step))
  useRowsAhead(mailboxId, props.isDrafts ? [] : rows)
  // What another search has found begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the search has changed
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 })
  }, [search])
  useEffect(() => {
    showRow.current = (id) => {
      const index = list.indexOf(id)
      if (index < 0) return
      view.scrollTo(index)
      const focus = () => {
        const row = scroller.current?.querySelector<HTMLElement>(`[data-message="${id}"]`)
        row?.focus({ preventScroll: true })
        return row
      }
      // At once where it can be: the next key goes on from the row with the focus.
      if (!focus()) requestAnimationFrame(focus)
    }
  })
  const known = new Set<string>()
  return (
    <div
      ref={scroller}
      aria-busy={list.isOld}
      className={cn(
        'min-h-0 flex-1 overflow-y-auto overscroll-contain transition-opacity delay-150',
        list.isOld && 'opacity-60',
      )}
    >
      <ul
        {...ahead}
        aria-label={props.label}
        // A jump draws the rows once, when they are there.
        className="rows-to-come relative"
        style={{ height: view.heightPx }}
      >
        {rows.map((row, step) => {
          const index = first + step
          if (!row) return null
          // While pages are read again, a row may stand in two of them.
          const key = known.has(row.key) ? index : row.key
          known.add(row.key)
          return (
            <li
              key={key}
              aria-setsize={list.isWhole ? list.total : -1}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 bg-surface"
              style={{ height: ROW_HEIGHT_PX, transform: `translateY(${view.topOf(index)}px)` }}
            >
              <ListedRow {...props} row={row} />
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

function ListedRow({ row, list, selection, ...props }: MessageListProps & { row: MailRow }) {
  const place = props.folders.find((folder) => folderKey(folder) === row.folder)
  return (
    <MessageRow
      row={row}
      address={props.addressOf(row)}
      own={props.own}
      isOpen={props.openId !== '' && isOf(row, props.openId, props.openThread)}
      isOutgoing={props.isOutgoing || row.folder === 'sent' || row.folder === 'drafts'}
      isSelected={selection.has(row.key)}
      place={place?.name ?? null}
      words={list.words}
      onSelect={selection.toggle}
      onStar={props.onStar}
    />
  )
}
