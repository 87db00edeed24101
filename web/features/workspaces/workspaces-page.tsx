/** All workspaces of the user: how their domains do, who is in them, and what they cost. */
import { Building2 } from 'lucide-react'
import { formatCents } from '#contract/money.ts'
import { listWorkspaceFigures, type WorkspaceFigures } from '#contract/stats.ts'
import { NO_WORKSPACE } from '#web/deletions/workspace-end.tsx'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { useListPlace } from '#web/lib/list-place.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { matchesSearch } from '#web/ui/data/table-model.ts'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { NoMatch } from '#web/ui/state/no-match.tsx'
import { useListHeight } from '#web/ui/use-list-height.tsx'
import { useSwitchWorkspace } from './use-switch-workspace.ts'
import { sortable, useWorkspaceColumns } from './workspace-columns.tsx'

const BODY_MAX_HEIGHT = '35rem'

export function WorkspacesPage() {
  usePageTitle('Workspaces')
  // What happens in another workspace is not announced here.
  const figures = useApi(listWorkspaceFigures, {}, { staleTime: 0 })
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Workspaces"
        subtitle="All workspaces that you are in. Choose one to work there"
      />
      {figures.isError && !figures.data ? (
        <Card>
          <ErrorState
            title="Error loading the workspaces"
            description={figures.error.message}
            onRetry={() => void figures.refetch()}
          />
        </Card>
      ) : (
        <WorkspaceTable all={figures.data} />
      )}
    </div>
  )
}

export const loadWorkspaces: LoadPage = ({ ask }) => ask(listWorkspaceFigures, {})

function WorkspaceTable({ all }: { all: readonly WorkspaceFigures[] | undefined }) {
  const { choose } = useSwitchWorkspace()
  const columns = useWorkspaceColumns(all ?? [], (id) => void choose(id))
  const { search, setSearch, sort, setSort } = useListPlace(sortable)
  const shown = (all ?? []).filter((row) => matchesSearch(columns, row, search))
  const list = useListHeight('workspaces', BODY_MAX_HEIGHT, shown.length)
  return (
    <Card ref={list.card} style={list.style} className="@container -scroll-mt-6 overflow-hidden">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b px-5 py-3.5">
        <Sums rows={shown} isLoading={all === undefined} />
        <div className="flex w-full @3xl:w-auto items-center gap-2">
          <SearchInput
            className="min-w-0 flex-1 @3xl:w-72 @3xl:flex-none"
            aria-label="Search workspaces"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {list.button}
        </div>
      </header>
      <DataTable
        label="Workspaces"
        rows={all ?? []}
        columns={columns}
        getRowId={({ _id }) => _id}
        search={search}
        sort={sort}
        onSortChange={setSort}
        {...(list.bodyHeight !== undefined && { bodyMaxHeight: list.bodyHeight })}
        className={list.bodyClass}
        isLoading={all === undefined}
        empty={
          all?.length === 0 ? (
            <EmptyState icon={Building2} {...NO_WORKSPACE} />
          ) : (
            <NoMatch subject="No workspace" search={search} onClear={() => setSearch('')} />
          )
        }
      />
    </Card>
  )
}

/** Of the rows that are shown. Costs are those of the workspaces whose bills the user sees. */
function Sums({ rows, isLoading }: { rows: readonly WorkspaceFigures[]; isLoading: boolean }) {
  const sum = (of: (row: WorkspaceFigures) => number) =>
    rows.reduce((total, row) => total + of(row), 0)
  const count = (number: number, one: string, many: string) =>
    `${formatCount(number)} ${number === 1 ? one : many}`
  const needWork = sum(({ domains }) => domains.needWork)
  const due = sum(({ bill }) => bill?.dueCents ?? 0)
  // An installation has one currency.
  const { currency } = rows.find(({ bill }) => bill !== null)?.bill ?? {}
  const parts = [
    `${count(
      sum(({ domains }) => domains.total),
      'domain',
      'domains',
    )}${needWork > 0 ? ` (${formatCount(needWork)} ${needWork === 1 ? 'needs' : 'need'} work)` : ''}`,
    count(
      sum(({ mailboxes }) => mailboxes.total),
      'mailbox',
      'mailboxes',
    ),
    ...(rows.some(({ bill }) => bill !== null)
      ? [
          `${formatCents(
            sum(({ bill }) => bill?.monthCents ?? 0),
            currency,
          )} this month`,
        ]
      : []),
    ...(due > 0 ? [`${formatCents(due, currency)} due`] : []),
  ]
  return (
    <div className="grid min-h-5 gap-0.5 text-sm tabular-nums">
      <h2 aria-live="polite" className="font-semibold">
        {isLoading ? 'Loading...' : count(rows.length, 'workspace', 'workspaces')}
      </h2>
      <p role="status" className="text-soft">
        {!isLoading && rows.length > 0 && parts.join(', ')}
      </p>
    </div>
  )
}
