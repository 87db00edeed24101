import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronsUpDown, ChevronUp } from 'lucide-react'
import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { cn } from '../cn.ts'
import { Checkbox } from '../form/checkbox.tsx'
import { Skeleton } from '../state/loading.tsx'
import {
  type Column,
  type TableModel,
  type TableModelOptions,
  type TableRow,
  useTableModel,
} from './table-model.ts'

type DataTableProps<T> = TableModelOptions<T> & {
  /** What the table lists, read aloud. */
  label: string
  /** CSS heights of the scrolling body: fixed, or grown to at most. */
  bodyHeight?: string
  bodyMaxHeight?: string
  isLoading?: boolean
  /** The end of the rows is near the view: for lists that are read in pages. */
  onEndReached?: () => void
  /** In place of the rows when there are none; also when the search found none. */
  empty: ReactNode
  /** Names a row for its checkbox: 'Select ada@example.com'. */
  rowLabel?: (row: T) => string
  className?: string
}

const ROW_HEIGHT_PX = 57
/** Below this every row is in the document, so that the browser's own search finds it. */
const VIRTUAL_FROM = 80

/** Rows with search, sorting and selection in a scrolling body under a standing header. */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { label, bodyHeight, bodyMaxHeight, isLoading, empty, className, columns } = props
  const table = useTableModel(props)
  const scroller = useRef<HTMLDivElement>(null)
  const rows = table.getRowModel().rows
  const { search } = props
  const shownSearch = useRef(search)
  useEffect(() => {
    // Another search starts at its first row. Not at the start: scrolling makes the browser lay out the page at once.
    if (shownSearch.current === search) return
    shownSearch.current = search
    // Answers a promise in newer browsers, which an effect must not pass on.
    void scroller.current?.scrollTo({ top: 0 })
  }, [search])
  const keepPlace = useKeptPlace(scroller, rows)
  const isEmpty = !isLoading && rows.length === 0
  return (
    <section
      ref={scroller}
      aria-label={label}
      aria-busy={isLoading}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      onFocus={keepPlace}
      onKeyDown={goToEdge}
      onScroll={(event) => isNearEnd(event.currentTarget) && props.onEndReached?.()}
      style={{ height: bodyHeight, maxHeight: bodyMaxHeight }}
      className={cn('relative flex flex-col overflow-auto -outline-offset-2', className)}
    >
      <Table aria-label={label} aria-rowcount={rows.length + 1}>
        <thead className="sticky top-0 z-10 shadow-[0_1px_0_var(--line)]">
          <tr>
            {props.selection && <SelectAll table={table} />}
            {columns.map((column) => (
              <ColumnHeader key={column.id} column={column} table={table} />
            ))}
          </tr>
        </thead>
        {isLoading ? (
          <LoadingRows columns={columns} hasBoxes={props.selection !== undefined} />
        ) : (
          <Rows {...props} rows={rows} scroller={scroller} />
        )}
      </Table>
      {isEmpty && <div className="grid flex-1 place-items-center">{empty}</div>}
    </section>
  )
}

/** The parts of a table. For lists from the server use DataTable, which is made of them. */
export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table className={cn('w-full border-collapse text-left text-sm', className)} {...rest} />
}

export function HeaderCell({ className, ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={cn(
        // So high that a whole number of rows fills the bodies of 24rem.
        'h-10.5 whitespace-nowrap bg-sunken px-4 font-medium text-soft text-xs first:pl-5 last:pr-5',
        className,
      )}
      {...rest}
    />
  )
}

export function Cell({ className, ...rest }: ComponentProps<'td'>) {
  return <td className={cn('h-14 px-4 py-2 first:pl-5 last:pr-5', className)} {...rest} />
}

export function TableRowLine({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      className={cn(
        'border-line border-t transition-colors hover:bg-sunken aria-selected:bg-accent-wash/60',
        className,
      )}
      {...rest}
    />
  )
}

/**
 * For `onFocus` of a table: when the row with the focus leaves, because it was deleted, the focus goes on to the row that
 * comes in its place, and at the end of the list to the one before it. Without rows the table itself has it.
 */
export function useKeptPlace(
  table: RefObject<HTMLElement | null>,
  rows: unknown,
): (event: FocusEvent) => void {
  const last = useRef<{ control: Element; row: number } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when there are other rows
  useLayoutEffect(() => {
    const left = last.current
    if (!left || left.control.isConnected || document.activeElement !== document.body) return
    last.current = null
    const lines = table.current?.querySelectorAll('tbody tr:not([aria-hidden])') ?? []
    const line = lines[Math.min(left.row, lines.length - 1)]
    const next = [...(line?.querySelectorAll<HTMLElement>('a[href], button') ?? [])].at(-1)
    ;(next ?? table.current)?.focus({ preventScroll: next === undefined })
  }, [rows])
  return ({ currentTarget, target }) => {
    // What is focused in a menu or a dialog of a row bubbles to here too.
    if (!currentTarget.contains(target)) return
    const line = target.closest('tbody tr')
    const lines = [...currentTarget.querySelectorAll('tbody tr:not([aria-hidden])')]
    last.current = line ? { control: target, row: lines.indexOf(line) } : null
  }
}

/** The key that each table follows: a later one ends the way of an earlier one. */
const followed = new WeakMap<HTMLElement, object>()

/** Rows that come into view change the height by what they measure: the browser's own End and Home stop on the way. */
function goToEdge(event: KeyboardEvent<HTMLElement>): void {
  const { key, ctrlKey, altKey, metaKey, shiftKey, currentTarget: scroller, target } = event
  if ((key !== 'End' && key !== 'Home') || ctrlKey || altKey || metaKey || shiftKey) return
  // A menu of a row is its child to us, and not in the table.
  if (!(target instanceof Node && scroller.contains(target))) return
  event.preventDefault()
  followed.set(scroller, event)
  let settledFrames = 0
  const step = () => {
    if (followed.get(scroller) !== event) return
    const isEnd = key === 'End'
    const edge = isEnd ? scroller.scrollHeight - scroller.clientHeight : 0
    const body = scroller.querySelector('tbody')
    const outermost = isEnd ? body?.lastElementChild : body?.firstElementChild
    // A spacer stands where the rows have yet to follow the scrolling: a busy computer takes some frames.
    const isThere = outermost?.ariaHidden !== 'true' && Math.abs(edge - scroller.scrollTop) < 1
    settledFrames = isThere ? settledFrames + 1 : 0
    scroller.scrollTop = edge
    if (settledFrames < 3) requestAnimationFrame(step)
  }
  step()
}

/** Early enough that the next page is there before the last row is. */
const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight < 20 * ROW_HEIGHT_PX

type ColumnHeaderProps<T extends object> = { column: Column<T>; table: TableModel<T> }

function ColumnHeader<T extends object>({ column, table }: ColumnHeaderProps<T>) {
  const sorted = table.getColumn(column.id)?.getIsSorted() ?? false
  const Icon = sorted === 'asc' ? ChevronUp : sorted === 'desc' ? ChevronDown : ChevronsUpDown
  return (
    <HeaderCell
      className={cn(column.align === 'right' && 'text-right', column.className)}
      {...(sorted
        ? { 'aria-sort': sorted === 'asc' ? ('ascending' as const) : ('descending' as const) }
        : {})}
    >
      {column.isSortable ? (
        <button
          type="button"
          onClick={() => table.getColumn(column.id)?.toggleSorting()}
          className="-mx-1 inline-flex items-center gap-1 rounded px-1 py-1 hover:text-ink"
        >
          {column.header}
          <Icon className="size-3.5" aria-hidden />
        </button>
      ) : (
        <span className={column.isHeaderHidden ? 'sr-only' : undefined}>{column.header}</span>
      )}
    </HeaderCell>
  )
}

function SelectAll<T extends object>({ table }: { table: TableModel<T> }) {
  const isAll = table.getIsAllRowsSelected()
  const checked = isAll ? true : table.getIsSomeRowsSelected() ? 'indeterminate' : false
  return (
    <HeaderCell className="w-px pr-0">
      <Checkbox
        aria-label="Select all"
        checked={checked}
        onCheckedChange={(next) => table.toggleAllRowsSelected(next === true)}
      />
    </HeaderCell>
  )
}

type LoadingRowsProps<T> = { columns: readonly Column<T>[]; hasBoxes: boolean }

/** As wide as the rows that will come. */
function LoadingRows<T>({ columns, hasBoxes }: LoadingRowsProps<T>) {
  return (
    <tbody>
      {[0, 1, 2, 3, 4].map((row) => (
        <tr key={row} className="border-line border-t">
          {hasBoxes && (
            <Cell className="w-px pr-0">
              <Skeleton className="size-4" />
            </Cell>
          )}
          {columns.map((column, index) => (
            <Cell key={column.id} className={column.className}>
              <Skeleton className={index === 0 ? 'h-4 w-40 max-w-full' : 'h-4 w-20 max-w-full'} />
            </Cell>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

/** As the browser laid the row out: on a phone rows wrap. It is waited for, since asking would force the layout. */
function heightOf(
  row: Element,
  entry: ResizeObserverEntry | undefined,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
): number {
  const laidOut = entry?.borderBoxSize[0]?.blockSize
  const before = virtualizer.measurementsCache[virtualizer.indexFromElement(row)]?.size
  return laidOut ?? before ?? ROW_HEIGHT_PX
}

type RowsProps<T extends object> = Pick<DataTableProps<T>, 'columns' | 'selection' | 'rowLabel'> & {
  rows: readonly TableRow<T>[]
  scroller: { current: HTMLDivElement | null }
}

/** Long lists render only what is in view; spacer rows keep the scroll bar true. */
function Rows<T extends object>({ rows, columns, selection, rowLabel, scroller }: RowsProps<T>) {
  const isVirtual = rows.length >= VIRTUAL_FROM
  const [isPainted, setIsPainted] = useState(false)
  useEffect(() => setIsPainted(true), [])
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    measureElement: heightOf,
    // At first only what is seen: the rows around it follow when they have been painted.
    overscan: isPainted ? 12 : 0,
    initialRect: { width: 0, height: 10 * ROW_HEIGHT_PX },
  })
  const items = virtualizer.getVirtualItems()
  const first = isVirtual ? (items[0]?.index ?? 0) : 0
  const end = isVirtual ? (items.at(-1)?.index ?? -1) + 1 : rows.length
  const above = isVirtual ? (items[0]?.start ?? 0) : 0
  const below = isVirtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : 0
  return (
    <tbody>
      {above > 0 && <tr aria-hidden style={{ height: above }} />}
      {rows.slice(first, end).map((row, offset) => (
        <TableRowLine
          key={row.id}
          {...(isVirtual && { ref: virtualizer.measureElement, 'data-index': first + offset })}
          aria-rowindex={first + offset + 2}
          {...(selection ? { 'aria-selected': row.getIsSelected() } : {})}
        >
          {selection && (
            <Cell className="w-px pr-0">
              <Checkbox
                aria-label={rowLabel?.(row.original) ?? 'Select row'}
                checked={row.getIsSelected()}
                onCheckedChange={(next) => row.toggleSelected(next === true)}
              />
            </Cell>
          )}
          {columns.map((column) => (
            <Cell
              key={column.id}
              className={cn(column.align === 'right' && 'text-right', column.className)}
            >
              {column.cell(row.original)}
            </Cell>
          ))}
        </TableRowLine>
      ))}
      {below > 0 && <tr aria-hidden style={{ height: below }} />}
    </tbody>
  )
}
