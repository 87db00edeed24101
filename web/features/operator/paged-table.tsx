/** A list whose search, order and pages are the server's. */
import type { ReactNode } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import type { Column, Sort } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { NoMatch } from '#web/ui/state/no-match.tsx'

export const PAGE_SIZE = 50

type Answer<Row> = { items: readonly Row[]; nextCursor: string | null; total?: number }

type PagedTableProps<Row extends object> = {
  /** 'workspaces'. */
  label: string
  title: (count: string) => string
  answer: { data: Answer<Row> | undefined; error: { message: string } | null; refetch: () => void }
  columns: readonly Column<Row>[]
  getRowId: (row: Row) => string
  search: string
  onSearch: (search: string) => void
  sort?: Sort | null
  onSort?: (sort: Sort | null) => void
  /** How many rows stand before these. */
  offset: number
  onOffset: (offset: number) => void
  empty: ReactNode
  actions?: ReactNode
}

export function PagedTable<Row extends object>(props: PagedTableProps<Row>) {
  const { label, answer, search, onSearch, offset, actions } = props
  const { data, error, refetch } = answer
  if (error && !data)
    return (
      <Card>
        <ErrorState
          title={`Error loading the ${label}`}
          description={error.message}
          onRetry={refetch}
        />
      </Card>
    )
  return (
    <Card className="@container overflow-hidden">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b px-5 py-3.5">
        <h2 aria-live="polite" className="font-semibold text-sm tabular-nums">
          {data ? props.title(countText(data, offset)) : 'Loading...'}
        </h2>
        <div className="flex w-full @2xl:w-auto flex-wrap items-center gap-2">
          <SearchInput
            className="min-w-0 flex-1 @2xl:w-72 @2xl:flex-none"
            aria-label={`Search ${label}`}
            placeholder="Search"
            value={search}
            onChange={(event) => onSearch(event.target.value)}
          />
          {actions}
        </div>
      </header>
      <Rows {...props} />
      <Pages offset={offset} data={data} onOffset={props.onOffset} />
    </Card>
  )
}

/** Of all where the server says how many there are, else of those up to here. */
const countText = <Row,>({ items, total, nextCursor }: Answer<Row>, offset: number): string => {
  const count = total !== undefined && items.length > 0 ? total : offset + items.length
  return `${formatCount(count)}${total === undefined && nextCursor !== null ? ' or more' : ''}`
}

function Rows<Row extends object>(props: PagedTableProps<Row>) {
  const { label, answer, columns, getRowId, search, onSearch, sort, onSort, empty } = props
  return (
    <DataTable
      label={label}
      rows={answer.data?.items ?? []}
      columns={columns}
      getRowId={getRowId}
      {...(onSort && { sort: sort ?? null, onSortChange: onSort })}
      isLoading={answer.data === undefined}
      empty={
        search === '' ? (
          empty
        ) : (
          <NoMatch subject="Nothing" search={search} onClear={() => onSearch('')} />
        )
      }
    />
  )
}

type PagesProps = {
  offset: number
  data: Answer<unknown> | undefined
  onOffset: (offset: number) => void
}

function Pages({ offset, data, onOffset }: PagesProps) {
  if (!data || (offset === 0 && data.nextCursor === null)) return null
  return (
    <nav
      aria-label="Pages"
      className="flex items-center justify-end gap-2 border-line border-t px-5 py-3"
    >
      <Button
        variant="secondary"
        size="small"
        disabled={offset === 0}
        onClick={() => onOffset(Math.max(0, offset - PAGE_SIZE))}
      >
        Previous
      </Button>
      <Button
        variant="secondary"
        size="small"
        disabled={data.nextCursor === null}
        onClick={() => onOffset(offset + PAGE_SIZE)}
      >
        Next
      </Button>
    </nav>
  )
}
