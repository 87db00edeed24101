import { EllipsisVertical, FolderInput, Globe } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type Domain, listDomains } from '#contract/domains.ts'
import { recordTones } from '#web/dns-records/record-text.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan, useIsRoleKnown } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatCount } from '#web/lib/format.ts'
import { useListPlace } from '#web/lib/list-place.ts'
import { paths } from '#web/paths.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { type Column, matchesSearch } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { NoMatch } from '#web/ui/state/no-match.tsx'
import { useListHeight } from '#web/ui/use-list-height.tsx'

const BODY_HEIGHT = '551px'

const dnsRecordsOf = (domain: Domain) => `${domain.verifiedRecords} of ${domain.requiredRecords}`
const statusOf = (domain: Domain) => (domain.status === 'active' ? 'Active' : 'Inactive')

type StatusProps = { domain: Domain; className?: string }

function ActiveStatus({ domain, ...rest }: StatusProps) {
  return (
    <Status tone={domain.status === 'active' ? 'good' : 'neutral'} {...rest}>
      {statusOf(domain)}
    </Status>
  )
}

function DnsStatus({ domain, ...rest }: StatusProps) {
  return (
    <Status tone={recordTones[domain.dnsStatus]} {...rest}>
      {domain.dnsStatus}
    </Status>
  )
}

export function DomainTable({ onAdd }: { onAdd: () => void }) {
  const domains = useApi(listDomains, {}, { enabled: useIsRoleKnown() })
  const canManage = useCan('manage-domains')
  const { search, setSearch, sort, setSort } = useListPlace(sortable)
  const rows = domains.data ?? []
  const { card, button, height } = useListHeight(BODY_HEIGHT, rows.length)
  return (
    <Card ref={card} className="@container -scroll-mt-6 overflow-hidden">
      <header className="flex flex-wrap items-center justify-between gap-3 border-line border-b px-5 py-3.5">
        <div className="flex min-h-5 items-baseline gap-2 text-sm tabular-nums">
          <h2 aria-live="polite" className="font-semibold">
            {domains.isPending
              ? 'Loading...'
              : domains.data
                ? `Total Domains: ${formatCount(rows.length)}`
                : 'Domains'}
          </h2>
          <p role="status" className="text-soft">
            {domains.data &&
              search.trim() !== '' &&
              `${formatCount(matchesIn(rows, search))} shown`}
          </p>
        </div>
        <div className="flex w-full @xl:w-auto items-center gap-2">
          <SearchInput
            className="min-w-0 flex-1 @xl:w-72 @xl:flex-none"
            aria-label="Search domains"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {button}
        </div>
      </header>
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
          columns={columns}
          getRowId={(domain) => domain._id}
          search={search}
          sort={sort}
          onSortChange={setSort}
          bodyHeight={height}
          isLoading={domains.isPending}
          empty={
            rows.length === 0 ? (
              <NoDomains onAdd={onAdd} canManage={canManage} />
            ) : (
              <NoMatch subject="No domain" search={search} onClear={() => setSearch('')} />
            )
          }
        />
      )}
    </Card>
  )
}

const MoveDialog = lazyPart(async () => (await import('./move-dialog.tsx')).MoveDialog)

/** One item, as the specification has it: a domain is deleted on its own page. */
export function DomainRowMenu({ domain }: { domain: Domain }) {
  const [isMoving, setIsMoving] = useState(false)
  const canMove = useCan('move-domains')
  return (
    <>
      <DropdownMenu
        trigger={
          <Button variant="quiet" size="iconSmall" aria-label={`Actions for ${domain.unicodeName}`}>
            <EllipsisVertical aria-hidden />
          </Button>
        }
      >
        <MenuItem disabled={!canMove} onSelect={() => setIsMoving(true)}>
          <FolderInput aria-hidden />
          Add to workspace
        </MenuItem>
      </DropdownMenu>
      <Suspense>
        {isMoving && <MoveDialog domain={domain} onClose={() => setIsMoving(false)} />}
      </Suspense>
    </>
  )
}

const columns: readonly Column<Domain>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (domain) => `${domain.unicodeName} ${domain.name}`,
    isSortable: true,
    className: 'w-full max-w-0 @max-3xl:pr-0',
    cell: (domain) => <DomainName domain={domain} />,
  },
  {
    id: 'records',
    header: 'DNS Records',
    value: dnsRecordsOf,
    isSortable: true,
    className: 'min-w-28 whitespace-nowrap tabular-nums @max-3xl:hidden',
    cell: dnsRecordsOf,
  },
  {
    id: 'dns',
    header: 'DNS Status',
    value: (domain) => domain.dnsStatus,
    isWord: true,
    isSortable: true,
    className: 'min-w-32 @max-3xl:hidden',
    cell: (domain) => <DnsStatus domain={domain} />,
  },
  {
    id: 'status',
    header: 'Status',
    value: statusOf,
    isWord: true,
    isSortable: true,
    className: 'min-w-28 @max-xl:hidden',
    cell: (domain) => <ActiveStatus domain={domain} />,
  },
  {
    id: 'action',
    header: 'Action',
    // As wide without rows as with them.
    className: 'w-33 min-w-33 whitespace-nowrap',
    cell: (domain) => (
      <div className="flex items-center gap-1">
        <VerifyButton domain={domain} />
        <DomainRowMenu domain={domain} />
      </div>
    ),
  },
]
const sortable = columns.filter(({ isSortable }) => isSortable).map(({ id }) => id)

const matchesIn = (rows: readonly Domain[], search: string): number =>
  rows.filter((row) => matchesSearch(columns, row, search)).length

function VerifyButton({ domain }: { domain: Domain }) {
  const navigate = useNavigate()
  return (
    <Button
      variant="secondary"
      size="small"
      onClick={() => navigate(paths.addDomain({ id: domain._id }))}
    >
      Verify
    </Button>
  )
}

/** As people read it, with the A-label below where they differ; in a narrow place the other columns stand here too. */
function DomainName({ domain }: { domain: Domain }) {
  const isInternational = domain.unicodeName !== domain.name
  return (
    <div className="grid">
      <Link
        to={paths.domain(domain._id)}
        className="wrap-anywhere @3xl:truncate max-w-full justify-self-start py-0.5 font-medium underline-offset-4 hover:underline"
        title={domain.name}
        dir="auto"
      >
        {domain.unicodeName}
      </Link>
      {isInternational && <span className="truncate text-soft text-xs">{domain.name}</span>}
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-1 pt-1 text-soft text-xs tabular-nums @3xl:hidden">
        <ActiveStatus domain={domain} className="@xl:hidden" />
        <DnsStatus domain={domain} />
        <span>
          <span className="sr-only">DNS Records </span>
          {dnsRecordsOf(domain)}
        </span>
      </span>
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
