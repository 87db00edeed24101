/** A list whose search, order and pages are the server's, and stand in the URL. */
import { keepPreviousData } from '@tanstack/react-query'
import { FileX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Arguments, Route } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { useListPlace } from '#web/lib/list-place.ts'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import type { Column, Sort } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { NoMatch } from '#web/ui/state/no-match.tsx'
import { ExportButton, type Exported } from './export-button.tsx'

const PAGE_SIZE = 50
export const EXPORT_PAGE_SIZE = 200

type ListPlace = ReturnType<typeof useListPlace>

type Answer<Row> = {
  items: readonly Row[]
  total: number
  nextCursor: string | null
  previousCursor: string | null
}

type PagedTableProps<Row extends object, Line> = {
  /** 'workspaces'. */
  label: string
  title: (count: string) => string
  place: ListPlace
  answer: {
    data: Answer<Row> | undefined
    error: { message: string } | null
    refetch: () => unknown
  }
  /** false: the rows are all there are, and sorted here. */
  isSorted?: boolean
  columns: readonly Column<Row>[]
  getRowId: (row: Row) => string
  /** Its lines may be others than the rows. */
  exported: Exported<Line>
  empty: ReactNode
  actions?: ReactNode
}

/** The query of a list: what is searched, the order and the page. */
export const listQuery = <Order extends string>(
  { q, sort, page }: { q: string; sort: Sort | null; page: string },
  orders: readonly Order[],
) => {
  const order = orders.find((each) => each === sort?.id)
  const direction = sort?.isDescending === false ? ('up' as const) : ('down' as const)
  return {
    ...{ limit: PAGE_SIZE, direction },
    ...(order !== undefined && { order }),
    ...(q !== '' && { q }),
    ...(page !== '' && { cursor: page }),
  }
}

type QueryOf<R> = Arguments<R> extends { query: infer Query } ? Query : never

/** The page that the URL names, and each page for the file. `more`: filters beside search and order. */
export function usePagedList<R extends Route>(
  route: R,
  orders: readonly string[],
  more: Partial<QueryOf<R>> = {},
) {
  const place = useListPlace(orders)
  const query = { ...listQuery({ ...place, q: place.settled }, orders), ...more }
  // The compiler does not see into the arguments of a route that it does not know.
  const asking = (page: object) => ({ query: { ...query, ...page } }) as unknown as Arguments<R>
  const answer = useApi(route, asking({}), { placeholderData: keepPreviousData })
  const read = (cursor: string | undefined) =>
    call(route, asking({ limit: EXPORT_PAGE_SIZE, cursor }))
  return { place, answer, read }
}

export function PagedTable<Row extends object, Line>(props: PagedTableProps<Row, Line>) {
  const { label, answer, place, exported, actions } = props
  const { data, error, refetch } = answer
  if (error && !data)
    return (
      <Card>
        <ErrorState
          title={`Error loading the ${label}`}
          description={error.message}
          onRetry={() => void refetch()}
        />
      </Card>
    )
  return (
    <Card className="@container overflow-hidden">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b px-5 py-3.5">
        <h2 aria-live="polite" className="font-semibold text-sm tabular-nums">
          {data ? props.title(formatCount(data.total)) : 'Loading...'}
        </h2>
        <div className="flex w-full @2xl:w-auto flex-wrap items-center gap-2">
          <SearchInput
            className="min-w-0 flex-1 basis-56 @2xl:w-72 @2xl:flex-none"
            aria-label={`Search ${label}`}
            placeholder="Search"
            value={place.search}
            onChange={(event) => place.setSearch(event.target.value)}
          />
          {actions}
          {data !== undefined && data.items.length > 0 && <ExportButton exported={exported} />}
        </div>
      </header>
      <Rows {...props} />
      <Pages data={data} onTurn={place.setPage} />
    </Card>
  )
}

function Rows<Row extends object>(props: Omit<PagedTableProps<Row, unknown>, 'exported'>) {
  const { label, answer, columns, getRowId, place, isSorted = true } = props
  return (
    <DataTable
      label={label}
      rows={answer.data?.items ?? []}
      columns={columns}
      getRowId={getRowId}
      sort={place.sort}
      onSortChange={place.setSort}
      isSorted={isSorted}
      isLoading={answer.data === undefined}
      empty={<Nothing place={place} empty={props.empty} />}
    />
  )
}

function Nothing({ place, empty }: { place: ListPlace; empty: ReactNode }) {
  if (place.page !== '')
    return (
      <EmptyState
        icon={FileX}
        title="Nothing is left on this page"
        description="What was here has gone since."
        action={<Button onClick={() => place.setPage('')}>First page</Button>}
      />
    )
  if (place.search === '') return empty
  return <NoMatch subject="Nothing" search={place.search} onClear={() => place.setSearch('')} />
}

type PagesProps = { data: Answer<unknown> | undefined; onTurn: (cursor: string) => void }

function Pages({ data, onTurn }: PagesProps) {
  if (!data || (data.previousCursor === null && data.nextCursor === null)) return null
  const turn = (cursor: string | null) => ({
    disabled: cursor === null,
    onClick: () => onTurn(cursor ?? ''),
  })
  return (
    <nav
      aria-label="Pages"
      className="flex items-center justify-end gap-2 border-line border-t px-5 py-3"
    >
      <Button variant="secondary" size="small" {...turn(data.previousCursor)}>
        Previous
      </Button>
      <Button variant="secondary" size="small" {...turn(data.nextCursor)}>
        Next
      </Button>
    </nav>
  )
}
