/** The one place that knows the table library: turns our columns into its model. */
import {
  type ColumnDef,
  columnFilteringFeature,
  createFilteredRowModel,
  createSortedRowModel,
  filterFn_includesString,
  globalFilteringFeature,
  type Row,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_text,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'

const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  filteredRowModel: createFilteredRowModel(),
  filterFns: { includesString: filterFn_includesString },
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, text: sortFn_text },
  rowSelectionFeature,
})

export type Column<T> = {
  id: string
  header: string
  cell: (row: T) => ReactNode
  /** What search and sorting see; a column without it takes part in neither. */
  value?: (row: T) => string | number
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

export type TableRow<T extends object> = Row<typeof features, T>

export type TableModelOptions<T> = {
  rows: readonly T[]
  columns: readonly Column<T>[]
  getRowId: (row: T) => string
  search?: string
  selection?: Selection
}

export function useTableModel<T extends object>(options: TableModelOptions<T>) {
  const { rows, columns, getRowId, search = '', selection } = options
  const definitions = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, T> => ({
          id: column.id,
          accessorFn: (row: T) => column.value?.(row) ?? '',
          enableSorting: column.isSortable === true,
          sortFn: 'alphanumeric',
        }),
      ),
    [columns],
  )
  const data = useMemo(() => [...rows], [rows])
  const rowSelection = useMemo(
    (): RowSelectionState =>
      Object.fromEntries([...(selection?.selected ?? [])].map((id) => [id, true as const])),
    [selection?.selected],
  )
  return useTable({
    features,
    columns: definitions,
    data,
    getRowId,
    globalFilterFn: 'includesString',
    getColumnCanGlobalFilter: () => true,
    enableRowSelection: selection !== undefined,
    state: { globalFilter: search.trim(), rowSelection },
    onRowSelectionChange: (change) => {
      const next = typeof change === 'function' ? change(rowSelection) : change
      selection?.onChange(new Set(Object.keys(next).filter((id) => next[id])))
    },
  })
}

export type TableModel<T extends object> = ReturnType<typeof useTableModel<T>>
