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
  /** Name of the table for screen readers. */
  label: string
  /** CSS heights of the scrolling body: fixed, or at most. */
  bodyHeight?: string
  bodyMaxHeight?: string
  isLoading?: boolean
  /** Called when the last rows come near the view: for lists that load in pages. */
  onEndReached?: () => void
  /** Shown when there are no rows, also when a search found none. */
  empty: ReactNode
  /** Label of a row's checkbox: 'Select ada@example.com'. */
  rowLabel?: (row: T) => string
  className?: string
}

const ROW_HEIGHT_PX = 57
/** With fewer rows all are in the document, so that the browser's search finds them. */
const VIRTUAL_FROM = 80

/** A table with search, sorting and selection; its body scrolls under a fixed header. */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { label, bodyHeight, bodyMaxHeight, isLoading, empty, className, columns } = props
  const table = useTableModel(props)
  const scroller = useRef<HTMLDivElement>(null)
  const rows = table.getRowModel().rows
  const { search } = props
  const shownSearch = useRef(search)
  useEffect(() => {
    // A new search starts at its first row. Not on mount: scrolling would force a layout.
    if (shownSearch.current === search) return
    shownSearch.current = search
    // Returns a promise in newer browsers, which an effect must not return.
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
        // This height lets a whole number of rows fill the bodies of 24rem.
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
 * For `onFocus` of a table: when the row with the focus is removed, the focus moves to the row that takes its position, at the
 * end of the list to the last row, and in an empty table to the table.
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
    // React also bubbles focus events from menus and dialogs of a row to here.
    if (!currentTarget.contains(target)) return
    const line = target.closest('tbody tr')
    const lines = [...currentTarget.querySelectorAll('tbody tr:not([aria-hidden])')]
    last.current = line ? { control: target, row: lines.indexOf(line) } : null
  }
}

/** The last key event of each table: a later one stops the scrolling of an earlier one. */
const followed = new WeakMap<HTMLElement, object>()

/**
 * Scrolls to the first or last row. New rows change the height while scrolling, so the browser's own End and Home stop halfway.
 */
function goToEdge(event: KeyboardEvent<HTMLElement>): void {
  const { key, ctrlKey, altKey, metaKey, shiftKey, currentTarget: scroller, target } = event
  if ((key !== 'End' && key !== 'Home') || ctrlKey || altKey || metaKey || shiftKey) return
  // For React the menu of a row is a child of the table; in the document it is not.
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
    // A spacer row means that the rows are not rendered yet: a busy computer takes some frames.
    const isThere = outermost?.ariaHidden !== 'true' && Math.abs(edge - scroller.scrollTop) < 1
    settledFrames = isThere ? settledFrames + 1 : 0
    scroller.scrollTop = edge
    if (settledFrames < 3) requestAnimationFrame(step)
  }
  step()
}

/** 20 rows before the end, so that the next page is there in time. */
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
    <HeaderCell className="w-px pr-1">
      <Checkbox
        aria-label="Select all"
        // Without rows a press would do nothing, also while they are loading.
        disabled={table.getRowModel().rows.length === 0}
        checked={checked}
        onCheckedChange={(next) => table.toggleAllRowsSelected(next === true)}
      />
    </HeaderCell>
  )
}

type LoadingRowsProps<T> = { columns: readonly Column<T>[]; hasBoxes: boolean }

/** Placeholders with the widths of real rows. */
function LoadingRows<T>({ columns, hasBoxes }: LoadingRowsProps<T>) {
  return (
    <tbody>
      {[0, 1, 2, 3, 4].map((row) => (
        <tr key={row} className="border-line border-t">
          {hasBoxes && (
            <Cell className="w-px pr-1">
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

/** The measured height: on a phone rows wrap. Waits for the observer, because measuring now would force a layout. */
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

/** Long lists render only the rows in view; spacer rows keep the scroll bar right. */
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
    // First only the visible rows; the rows around them follow after the paint.
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
            <Cell className="w-px pr-1">
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
