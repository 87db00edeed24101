import { Columns3, Globe } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { JustDeleted } from '#web/deletions/just-deleted.tsx'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { useListFilters } from '#web/lib/list-filters.ts'
import { useListPlace } from '#web/lib/list-place.ts'
import { useSavedViews } from '#web/lib/saved-views.ts'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { SavedViews } from '#web/ui/data/saved-views.tsx'
import type { Sort } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { DropdownMenu, MenuChoice } from '#web/ui/overlay/dropdown-menu.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { NoMatch } from '#web/ui/state/no-match.tsx'
import { useListHeight } from '#web/ui/use-list-height.tsx'
import { columns, foundIn, OPTIONAL_COLUMNS, sortable } from './domain-columns.tsx'
import { DomainFiltersBar } from './domain-filters.tsx'
import { type DomainRow, matchesFilters, useDomainRows } from './domain-rows.ts'
import { DomainVerbs } from './domain-verbs.tsx'

const FILTERS = ['state', 'record', 'provider', 'mail'] as const
/** The columns that are hidden, in the URL: a saved view keeps them, too. */
const HIDDEN = 'hide'
const BODY_HEIGHT = '551px'
/** A shorter list is seen at a glance. */
const FILTERS_FROM = 6

type DomainTableProps = {
  onAdd: () => void
  onDeleted: (deleted: readonly JustDeleted[]) => void
}

export function DomainTable({ onAdd, onDeleted }: DomainTableProps) {
  const { domains, rows: all } = useDomainRows()
  const canManage = useCan('manage-domains')
  const { search, setSearch, sort, setSort } = useListPlace(sortable)
  const narrowing = useListFilters(FILTERS)
  const { filters, isFiltered, clear } = narrowing
  const rows = all?.filter((row) => matchesFilters(row, filters)) ?? []
  const shown = foundIn(rows, search)
  const [selected, setSelected] = useSelected(all)
  // What is not shown is not acted upon.
  const chosen = shown.filter(({ _id }) => selected.has(_id))
  const isNarrowed = isFiltered || search.trim() !== ''
  const list = useListHeight('domains', BODY_HEIGHT, rows.length)
  const hidden = useHiddenColumns()
  return (
    <Card ref={list.card} style={list.style} className="@container -scroll-mt-6 overflow-hidden">
      <header className="flex flex-wrap items-center justify-between gap-3 border-line border-b px-5 py-3.5">
        <Total
          count={all?.length}
          isPending={domains.isPending}
          shown={isNarrowed ? shown.length : null}
        />
        <div className="flex w-full @xl:w-auto items-center gap-2">
          <SearchInput
            className="min-w-0 flex-1 @xl:w-72 @xl:flex-none"
            aria-label="Search domains"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <ColumnsMenu ids={hidden.ids} toggle={hidden.toggle} />
          {list.button}
        </div>
      </header>
      {all && <Narrowing {...{ all, narrowing, sort, setSort }} />}
      <DomainVerbs
        domains={chosen}
        onClear={() => setSelected(new Set())}
        onDeleted={(deleted) => {
          setSelected(new Set())
          onDeleted(deleted)
        }}
      />
      {domains.isError && !domains.data ? (
        <div style={{ height: BODY_HEIGHT }} className="grid place-items-center">
          <ErrorState
            title="Error loading domains"
            description={domains.error.message}
            onRetry={() => domains.refetch()}
          />
        </div>
      ) : (
        <DataTable
          label="Domains"
          rows={rows}
          columns={hidden.shown}
          getRowId={(domain) => domain._id}
          rowLabel={(domain) => `Select ${domain.unicodeName}`}
          {...(canManage && { selection: { selected, onChange: setSelected } })}
          search={search}
          sort={sort}
          onSortChange={setSort}
          {...(list.bodyHeight !== undefined && { bodyHeight: list.bodyHeight })}
          className={list.bodyClass}
          isLoading={domains.isPending}
          empty={
            all?.length === 0 ? (
              <NoDomains onAdd={onAdd} canManage={canManage} />
            ) : (
              <NoMatch
                subject="No domain"
                search={search}
                onClear={() => (search === '' ? clear() : setSearch(''))}
              />
            )
          }
        />
      )}
    </Card>
  )
}

/** A domain that leaves the list is not selected any more when it comes back. */
function useSelected(all: readonly DomainRow[] | undefined) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (!all) return
    const there = new Set(all.map(({ _id }) => _id))
    setSelected((before) =>
      [...before].every((id) => there.has(id))
        ? before
        : new Set([...before].filter((id) => there.has(id))),
    )
  }, [all])
  return [selected, setSelected] as const
}

type NarrowingProps = {
  all: readonly DomainRow[]
  narrowing: ReturnType<typeof useListFilters<(typeof FILTERS)[number]>>
  sort: Sort | null
  setSort: (sort: Sort | null) => void
}

/** The saved views and the filters. */
function Narrowing({ all, narrowing, sort, setSort }: NarrowingProps) {
  const { filters, setFilters, isFiltered, clear } = narrowing
  const saved = useSavedViews('domains', ['q', 'sort', ...FILTERS, HIDDEN])
  return (
    <>
      <SavedViews
        {...saved}
        views={saved.views.map((view) => ({ ...view, count: countIn(all, view.place) }))}
      />
      {(all.length >= FILTERS_FROM || isFiltered) && (
        <DomainFiltersBar
          {...{ rows: all, filters, isFiltered, sort }}
          onSortChange={setSort}
          onChange={setFilters}
          onClear={clear}
        />
      )}
    </>
  )
}

function useHiddenColumns() {
  const [query, setQuery] = useSearchParams()
  const kept = query.get(HIDDEN) ?? ''
  const ids = useMemo(() => new Set(kept.split('.').filter((id) => id !== '')), [kept])
  const toggle = (id: string) =>
    setQuery(
      (before) => {
        const after = new URLSearchParams(before)
        const next = [...ids].filter((each) => each !== id)
        if (!ids.has(id)) next.push(id)
        if (next.length === 0) after.delete(HIDDEN)
        else after.set(HIDDEN, next.join('.'))
        return after
      },
      { replace: true },
    )
  const shown = useMemo(() => columns.filter(({ id }) => !ids.has(id)), [ids])
  return { ids, toggle, shown }
}

/** Which of our columns are shown: those of the specification always are. */
function ColumnsMenu({ ids, toggle }: Omit<ReturnType<typeof useHiddenColumns>, 'shown'>) {
  return (
    <DropdownMenu
      trigger={
        <Button variant="secondary" className="@max-5xl:hidden">
          <Columns3 aria-hidden />
          Columns
        </Button>
      }
    >
      {OPTIONAL_COLUMNS.map(({ id, header }) => (
        <MenuChoice key={id} isChecked={!ids.has(id)} onSelect={() => toggle(id)}>
          {header}
        </MenuChoice>
      ))}
    </DropdownMenu>
  )
}

/** How many domains a view shows. */
const countIn = (all: readonly DomainRow[], place: URLSearchParams): number => {
  const [state = '', record = '', provider = '', mail = ''] = FILTERS.map(
    (name) => place.get(name) ?? '',
  )
  const rows = all.filter((row) => matchesFilters(row, { state, record, provider, mail }))
  return foundIn(rows, place.get('q') ?? '').length
}

type TotalProps = { count: number | undefined; isPending: boolean; shown: number | null }

function Total({ count, isPending, shown }: TotalProps) {
  const total = count === undefined ? 'Domains' : `Total Domains: ${formatCount(count)}`
  return (
    <div className="flex min-h-5 items-baseline gap-2 text-sm tabular-nums">
      <h2 aria-live="polite" className="font-semibold">
        {isPending ? 'Loading...' : total}
      </h2>
      <p role="status" className="text-soft">
        {shown !== null && count !== undefined && `${formatCount(shown)} shown`}
      </p>
    </div>
  )
}

function NoDomains({ onAdd, canManage }: { onAdd: () => void; canManage: boolean }) {
  return (
    <EmptyState
      icon={Globe}
      title="No domain available"
      description="No domains here yet. Add one now to kick things off.."
      action={
        <Button onClick={onAdd} disabled={!canManage}>
          Add domain
        </Button>
      }
    />
  )
}
