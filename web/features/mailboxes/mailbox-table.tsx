import { Inbox } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { useListPlace } from '#web/lib/list-place.ts'
import { useSavedViews } from '#web/lib/saved-views.ts'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { SavedViews } from '#web/ui/data/saved-views.tsx'
import type { Sort } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { NoMatch } from '#web/ui/state/no-match.tsx'
import { useListHeight } from '#web/ui/use-list-height.tsx'
import { SORTABLE, sortOfServer, useMailboxColumns } from './mailbox-columns.tsx'
import {
  MAILBOX_FILTERS,
  MailboxFiltersBar,
  narrowingAt,
  useMailboxFilters,
} from './mailbox-filters.tsx'
import { MailboxVerbs } from './mailbox-verbs.tsx'
import { NextStep, useNextStep } from './next-step.tsx'
import { PayNow } from './payment/pay-now.tsx'
import {
  type MailboxQuery,
  useInactiveMailboxes,
  useMailboxCount,
  useMailboxCounts,
  useMailboxes,
  useReadingOn,
} from './use-mailboxes.ts'
import { useSelectedMailboxes } from './use-selected-mailboxes.ts'

const BODY_MAX_HEIGHT = '24rem'
/** A shorter list is seen at a glance. */
const FILTERS_FROM = 6

type MailboxTableProps = {
  hasBilling: boolean
  /** Ids of those that were just generated. */
  made: ReadonlySet<string>
  onCreate: () => void
  onImport: () => void
  onEdit: (mailbox: Mailbox) => void
}

export function MailboxTable(props: MailboxTableProps) {
  const { hasBilling, made, onCreate, onImport, onEdit } = props
  const { search: typed, settled: search, setSearch, sort, setSort } = useListPlace(SORTABLE)
  const canManage = useCan('manage-mailboxes')
  const filters = useMailboxFilters()
  const narrowed = { ...(search !== '' && { q: search }), ...filters.narrowed }
  const isNarrowed = search !== '' || filters.isFiltered
  const [sorted, columns] = [sortOfServer(sort), useMailboxColumns(canManage, onEdit)]
  const mailboxes = useMailboxes(narrowed, sorted)
  const inactive = useInactiveMailboxes(narrowed, hasBilling)
  const { data } = mailboxes
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  const { selection, toPay, onPaid, isOwn, clear } = useSelectedMailboxes(
    rows,
    inactive.data,
    { narrowedTo: isNarrowed ? JSON.stringify(narrowed) : null, isWhole: !mailboxes.hasNextPage },
    hasBilling && canManage,
  )
  const canGive = canManage && data !== undefined && toPay.length === 0
  const next = useNextStep(rows, made, { canGive, isWhole: !mailboxes.hasNextPage, isNarrowed })
  // What is selected, or was just paid, may be further down.
  useReadingOn(mailboxes, (sort !== null && sorted === undefined) || isOwn || next.hasNew)
  const selected = isOwn ? rows.filter(({ _id }) => selection.selected.has(_id)) : []
  const list = useListHeight('mailboxes', BODY_MAX_HEIGHT, rows.length)
  return (
    <Card ref={list.card} style={list.style} className="@container -scroll-mt-6 overflow-hidden">
      <NextStep {...next} unpaid={hasBilling ? next.unpaid : 0} />
      <ListHeader typed={typed} setSearch={setSearch}>
        {hasBilling && canManage && toPay.length > 0 && (
          <PayNow mailboxes={toPay} onPaid={next.after(onPaid)} />
        )}
        {list.button}
      </ListHeader>
      <Narrowing {...{ filters, narrowed, sort, setSort }} isLong={rows.length >= FILTERS_FROM} />
      {canManage && (
        <MailboxVerbs mailboxes={selected} isReading={mailboxes.hasNextPage} onClear={clear} />
      )}
      {mailboxes.isError && !mailboxes.data ? (
        <ErrorState
          title="Error loading mailboxes"
          description={mailboxes.error.message}
          onRetry={() => mailboxes.refetch()}
        />
      ) : (
        <DataTable
          // Another search or order starts at its first row.
          key={JSON.stringify([narrowed, sorted])}
          label="Mailboxes"
          rows={rows}
          columns={columns}
          getRowId={(mailbox) => mailbox._id}
          rowLabel={(mailbox) => `Select ${mailbox.email}`}
          selection={selection}
          sort={sort}
          onSortChange={setSort}
          {...(list.bodyHeight !== undefined && { bodyMaxHeight: list.bodyHeight })}
          className={list.bodyClass}
          isLoading={mailboxes.isPending}
          onEndReached={() => {
            if (mailboxes.hasNextPage && !mailboxes.isFetchingNextPage)
              void mailboxes.fetchNextPage()
          }}
          empty={
            <Empty
              {...{ search, canManage, onCreate, onImport }}
              isFiltered={filters.isFiltered}
              onClearSearch={() => (search === '' ? filters.clear() : setSearch(''))}
            />
          }
        />
      )}
    </Card>
  )
}

type ListHeaderProps = { typed: string; setSearch: (typed: string) => void; children: ReactNode }

function ListHeader({ typed, setSearch, children }: ListHeaderProps) {
  return (
    <header className="flex min-h-16 items-center gap-3 border-line border-b px-5 py-3.5">
      <SearchInput
        className="mr-auto min-w-0 flex-1 sm:max-w-72"
        aria-label="Search mailboxes"
        placeholder="Search"
        value={typed}
        onChange={(event) => setSearch(event.target.value)}
      />
      {children}
    </header>
  )
}

type NarrowingProps = {
  filters: ReturnType<typeof useMailboxFilters>
  narrowed: MailboxQuery
  sort: Sort | null
  setSort: (sort: Sort | null) => void
  isLong: boolean
}

/** The saved views, the filters and the order. */
function Narrowing({ filters, narrowed, sort, setSort, isLong }: NarrowingProps) {
  const isShown = isLong || filters.isFiltered
  const count = useMailboxCount(narrowed, isShown)
  const saved = useSavedViews('mailboxes', ['q', 'sort', ...MAILBOX_FILTERS])
  const counts = useMailboxCounts(saved.views.map(({ place }) => narrowingAt(place)))
  return (
    <>
      <SavedViews
        {...saved}
        views={saved.views.map((view, index) => ({ ...view, count: counts[index] ?? null }))}
      />
      {isShown && (
        <MailboxFiltersBar list={filters} sort={sort} onSortChange={setSort} count={count} />
      )}
    </>
  )
}

type EmptyProps = {
  search: string
  isFiltered: boolean
  canManage: boolean
  onCreate: () => void
  onImport: () => void
  onClearSearch: () => void
}

function Empty(props: EmptyProps) {
  const { search, isFiltered, canManage, onCreate, onImport, onClearSearch } = props
  if (search !== '' || isFiltered)
    return <NoMatch subject="No mailbox" search={search} onClear={onClearSearch} />
  return canManage ? <NoMailboxes {...{ onCreate, onImport }} /> : <NoneGiven />
}

/** For Users, who cannot create mailboxes. */
function NoneGiven() {
  return (
    <EmptyState
      icon={Inbox}
      title="No mailboxes available"
      description="Ask an Admin of this workspace to give you a mailbox."
    />
  )
}

function NoMailboxes({ onCreate, onImport }: Pick<EmptyProps, 'onCreate' | 'onImport'>) {
  return (
    <EmptyState
      icon={Inbox}
      title={
        <>
          No mailboxes available
          <span className="font-normal text-soft text-sm">
            {' - Your mailbox list is empty. Add a new mailbox to get going.'}
          </span>
        </>
      }
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button onClick={onCreate}>Create mailboxes</Button>
          <Button variant="secondary" onClick={onImport}>
            Import a list
          </Button>
        </div>
      }
    />
  )
}
