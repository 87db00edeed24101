/** The one place that knows the table library: turns our columns into its model. */
import {
  type ColumnDef,
  createSortedRowModel,
  type Row,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  rowSelectionFeature,
})

export type Column<T> = {
  id: string
  header: string
  cell: (row: T) => ReactNode
  /** What search and sorting see; a column without it takes part in neither. */
  value?: (row: T) => string | number
  /** Search finds it by its beginning only, so that 'active' is not found in 'Inactive'. */
  isWord?: boolean
  isSortable?: boolean
  align?: 'left' | 'right'
  /** The header is read aloud, not shown: for columns of buttons. */
  isHeaderHidden?: boolean
  /** For the cells of this column and its header: widths, what hides on a phone. */
  className?: string
}

export type Selection = {
  /** Ids of the selected rows. */
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
}

/** The column that the rows are in the order of. */
export type Sort = { id: string; isDescending: boolean }

export type TableRow<T extends object> = Row<typeof features, T>

export type TableModelOptions<T> = {
  rows: readonly T[]
  columns: readonly Column<T>[]
  getRowId: (row: T) => string
  search?: string
  selection?: Selection
  /** For a caller that keeps the order, in the URL perhaps; `null` is the order of `rows`. */
  sort?: Sort | null
  onSortChange?: (sort: Sort | null) => void
}

/** Does any column of this row hold the text? Everything does when there is none. */
export function matchesSearch<T>(columns: readonly Column<T>[], row: T, search: string): boolean {
  const sought = comparable(search.trim())
  return (
    sought === '' ||
    columns.some(({ value, isWord }) => {
      if (!value) return false
      const text = comparable(String(value(row)))
      return isWord ? text.startsWith(sought) : text.includes(sought)
    })
  )
}

const comparable = (text: string): string => text.normalize('NFC').toLowerCase()

/** As people of any language order words, with the numbers in them as numbers. */
const collator = new Intl.Collator(undefined, { numeric: true })
const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))

export function useTableModel<T extends object>(options: TableModelOptions<T>) {
  const { rows, columns, getRowId, search = '', selection, sort, onSortChange } = options
  const definitions = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, T> => ({
          id: column.id,
          accessorFn: (row: T) => column.value?.(row) ?? '',
          enableSorting: column.isSortable === true,
          sortFn: (a, b, id) => compare(a.getValue(id), b.getValue(id)),
          sortDescFirst: false,
        }),
      ),
    [columns],
  )
  const data = useMemo(
    () => rows.filter((row) => matchesSearch(columns, row, search)),
    [rows, columns, search],
  )
  const rowSelection = useMemo(
    (): RowSelectionState =>
      Object.fromEntries([...(selection?.selected ?? [])].map((id) => [id, true as const])),
    [selection?.selected],
  )
  const sorting = useMemo(
    (): SortingState => (sort ? [{ id: sort.id, desc: sort.isDescending }] : []),
    [sort],
  )
  return useTable({
    features,
    columns: definitions,
    data,
    getRowId,
    enableRowSelection: selection !== undefined,
    state: { rowSelection, ...(sort === undefined ? {} : { sorting }) },
    ...(onSortChange && {
      onSortingChange: (change: SortingState | ((old: SortingState) => SortingState)) => {
        const [next] = typeof change === 'function' ? change(sorting) : change
        onSortChange(next ? { id: next.id, isDescending: next.desc } : null)
      },
    }),
    onRowSelectionChange: (change) => {
      const next = typeof change === 'function' ? change(rowSelection) : change
      selection?.onChange(new Set(Object.keys(next).filter((id) => next[id])))
    },
  })
}

export type TableModel<T extends object> = ReturnType<typeof useTableModel<T>>
