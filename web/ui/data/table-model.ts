/** The only user of the table library: turns our columns into its model. */
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
  /** The value for search and sorting here; a column without it is left out of both. */
  value?: (row: T) => string | number
  /** Search matches only the beginning, so that 'active' does not find 'Inactive'. */
  isWord?: boolean
  isSortable?: boolean
  align?: 'left' | 'right'
  /** The header is only for screen readers: for columns of buttons. */
  isHeaderHidden?: boolean
  /** Classes of the column's cells and header: widths, hidden on a phone. */
  className?: string
}

export type Selection = {
  /** Ids of the selected rows. */
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
}

/** The column that the rows are sorted by. */
export type Sort = { id: string; isDescending: boolean }

export type TableRow<T extends object> = Row<typeof features, T>

export type TableModelOptions<T> = {
  rows: readonly T[]
  columns: readonly Column<T>[]
  getRowId: (row: T) => string
  search?: string
  selection?: Selection
  /** Set when the caller holds the sorting, for example in the URL; `null`: the order of `rows`. */
  sort?: Sort | null
  onSortChange?: (sort: Sort | null) => void
  /** true: `rows` come in the order of `sort`, and stay in it. */
  isSorted?: boolean
}

/** Whether a column of this row contains the text. An empty search matches every row. */
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

/** Sorts words of any language, with numbers in them by value. */
const collator = new Intl.Collator(undefined, { numeric: true })
const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))

export function useTableModel<T extends object>(options: TableModelOptions<T>) {
  const { rows, columns, getRowId, search = '', selection, sort, onSortChange, isSorted } = options
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
    manualSorting: isSorted === true,
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
