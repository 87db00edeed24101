import { Globe, SearchX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Domain, listDomains } from '#contract/domains.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { Status, type Tone } from '#web/ui/data/badge.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { DomainRowMenu } from './domain-row-menu.tsx'

const BODY_HEIGHT = '551px'

const dnsTones = { Verified: 'good', Pending: 'neutral', Failed: 'bad' } as const satisfies Record<
  Domain['dnsStatus'],
  Tone
>
const dnsRecordsOf = (domain: Domain) => `${domain.verifiedRecords} of ${domain.requiredRecords}`
const activeTone = (domain: Domain): Tone => (domain.status === 'active' ? 'good' : 'neutral')
const statusOf = (domain: Domain) => (domain.status === 'active' ? 'Active' : 'Inactive')

export function DomainTable({ onAdd }: { onAdd: () => void }) {
  const domains = useApi(listDomains, {})
  const canManage = useCan('manage-domains')
  const [search, setSearch] = useState('')
  const columns = useDomainColumns(canManage)
  const rows = domains.data ?? []
  return (
    <Card className="@container overflow-hidden">
      <header className="flex flex-wrap items-center justify-between gap-3 border-line border-b px-5 py-3.5">
        <h2 aria-live="polite" className="font-semibold text-sm tabular-nums">
          {domains.isPending
            ? 'Loading...'
            : domains.data && `Total Domains: ${formatCount(rows.length)}`}
        </h2>
        <SearchInput
          className="w-full sm:w-72"
          aria-label="Search domains"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
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
          bodyHeight={BODY_HEIGHT}
          isLoading={domains.isPending}
          empty={
            rows.length === 0 ? (
              <NoDomains onAdd={onAdd} canManage={canManage} />
            ) : (
              <NoMatch search={search} onClear={() => setSearch('')} />
            )
          }
        />
      )}
    </Card>
  )
}

function useDomainColumns(canManage: boolean): readonly Column<Domain>[] {
  const navigate = useNavigate()
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        value: (domain) => `${domain.unicodeName} ${domain.name}`,
        isSortable: true,
        className: 'w-full max-w-0',
        cell: (domain) => <DomainName domain={domain} />,
      },
      {
        id: 'records',
        header: 'DNS Records',
        value: dnsRecordsOf,
        className: 'min-w-28 whitespace-nowrap tabular-nums @max-3xl:hidden',
        cell: dnsRecordsOf,
      },
      {
        id: 'dns',
        header: 'DNS Status',
        value: (domain) => domain.dnsStatus,
        isSortable: true,
        className: 'min-w-32 @max-3xl:hidden',
        cell: (domain) => <Status tone={dnsTones[domain.dnsStatus]}>{domain.dnsStatus}</Status>,
      },
      {
        id: 'status',
        header: 'Status',
        value: statusOf,
        isSortable: true,
        className: 'min-w-28 @max-md:hidden',
        cell: (domain) => <Status tone={activeTone(domain)}>{statusOf(domain)}</Status>,
      },
      {
        id: 'action',
        header: 'Action',
        className: 'w-px whitespace-nowrap',
        cell: (domain) => (
          <div className="flex items-center gap-1">
            <Button
              variant="secondary"
              size="small"
              onClick={() => navigate(paths.addDomain({ id: domain._id }))}
            >
              Verify
            </Button>
            <DomainRowMenu domain={domain} canManage={canManage} />
          </div>
        ),
      },
    ],
    [navigate, canManage],
  )
}

/** As people read it, with the A-label below where they differ; in a narrow place the other columns stand here too. */
function DomainName({ domain }: { domain: Domain }) {
  const isInternational = domain.unicodeName !== domain.name
  return (
    <div className="grid">
      <span className="truncate font-medium" title={domain.name}>
        {domain.unicodeName}
      </span>
      {isInternational && <span className="truncate text-soft text-xs">{domain.name}</span>}
      <span className="flex items-center gap-2 overflow-hidden pt-0.5 text-soft text-xs @3xl:hidden">
        <Status tone={activeTone(domain)} className="@md:hidden">
          {statusOf(domain)}
        </Status>
        <span className="truncate">
          DNS {dnsRecordsOf(domain)}, {domain.dnsStatus.toLowerCase()}
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

function NoMatch({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="Nothing found"
      description={`No domain matches “${search.trim()}”.`}
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear search
        </Button>
      }
    />
  )
}
