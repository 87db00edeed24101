import { Globe } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type ListedSandboxZone, listSandboxZones } from '#contract/dns/sandbox.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useMay } from '#web/lib/api/use-can.ts'
import { paths } from '#web/paths.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { NoMatch } from '#web/ui/state/no-match.tsx'
import { spokenMistakes } from './mistakes-card.tsx'

/** The zones of the workspace's domains. */
export function ZoneList() {
  const zones = useApi(listSandboxZones, {}, { enabled: useMay('see-domains') })
  const [search, setSearch] = useState('')
  const rows = zones.data ?? []
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Sandbox DNS"
        subtitle="The DNS of this demo, edited as at a provider. Nothing here reaches the Internet."
      />
      <Card className="@container overflow-hidden">
        <header className="flex flex-wrap items-center justify-between gap-3 border-line border-b px-5 py-3.5">
          <h2 aria-live="polite" className="min-h-5 font-semibold text-sm tabular-nums">
            {zones.isPending ? 'Loading...' : `Zones: ${rows.length}`}
          </h2>
          <SearchInput
            className="w-full @xl:w-72"
            aria-label="Search zones"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </header>
        {zones.isError && !zones.data ? (
          <ErrorState
            title="Error loading the zones"
            description={zones.error.message}
            onRetry={() => zones.refetch()}
          />
        ) : (
          <DataTable
            label="Zones"
            rows={rows}
            columns={columns}
            getRowId={(zone) => zone._id}
            search={search}
            bodyMaxHeight="551px"
            isLoading={zones.isPending}
            empty={
              rows.length > 0 ? (
                <NoMatch subject="No zone" search={search} onClear={() => setSearch('')} />
              ) : (
                <EmptyState
                  icon={Globe}
                  title="No domain yet"
                  description="Add a domain, and its zone can be edited here."
                  action={
                    <Button asChild>
                      <Link to={paths.addDomain()}>Add domain</Link>
                    </Button>
                  }
                />
              )
            }
          />
        )}
      </Card>
    </div>
  )
}

function Published({ zone }: { zone: ListedSandboxZone }) {
  if (zone.isForeign) return <Status>Another workspace’s</Status>
  if (!zone.hasZone) return <Status tone="warn">No zone</Status>
  const isWhole = zone.published === zone.asked
  return (
    <Status tone={isWhole ? 'good' : 'warn'}>
      {zone.published} of {zone.asked} published
    </Status>
  )
}

const columns: readonly Column<ListedSandboxZone>[] = [
  {
    id: 'name',
    header: 'Zone',
    value: (zone) => `${zone.unicodeName} ${zone.name}`,
    isSortable: true,
    className: 'w-full max-w-0',
    cell: (zone) => (
      <div className="grid justify-items-start gap-1">
        <Link
          to={paths.sandboxDns({ id: zone._id })}
          className="wrap-anywhere py-0.5 font-medium underline-offset-4 hover:underline"
          dir="auto"
        >
          {zone.unicodeName}
        </Link>
        <span className="@2xl:hidden">
          <Published zone={zone} />
        </span>
        {zone.mistakes.length > 0 && (
          <span className="text-soft text-xs">{spokenMistakes(zone.mistakes)}</span>
        )}
      </div>
    ),
  },
  {
    id: 'published',
    header: 'Asked for',
    className: 'whitespace-nowrap @max-2xl:hidden',
    value: (zone) => zone.published,
    isSortable: true,
    cell: (zone) => <Published zone={zone} />,
  },
  {
    id: 'records',
    header: 'Records',
    align: 'right',
    className: 'whitespace-nowrap tabular-nums @max-xl:hidden',
    value: (zone) => zone.records,
    isSortable: true,
    cell: (zone) => zone.records,
  },
]
