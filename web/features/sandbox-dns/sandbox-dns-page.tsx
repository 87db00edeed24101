/** Sandbox DNS: an editor for the demo's own DNS, like that of a provider. Other installations have no such page. */
import { ArrowLeft, Ban, List, Lock } from 'lucide-react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { getSandboxZone, listSandboxZones } from '#contract/dns/sandbox.ts'
import { getInstallation } from '#contract/installation.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan, useMay } from '#web/lib/api/use-can.ts'
import { useHistoryState } from '#web/lib/history-state.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { AskedCard } from './asked-card.tsx'
import { MistakesCard } from './mistakes-card.tsx'
import { RecordsCard } from './records-card.tsx'
import { ZoneList } from './zone-list.tsx'

export const loadSandboxDns: LoadPage = async ({ ask, query }) => {
  if (!(await ask(getInstallation, {}))?.sandboxDns) return
  const id = query.get('id')
  await (id ? ask(getSandboxZone, { params: { id } }) : ask(listSandboxZones, {}))
}

export function SandboxDnsPage() {
  usePageTitle('Sandbox DNS')
  const [query] = useSearchParams()
  const installation = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  const canSee = useCan('see-domains')
  const id = query.get('id') || null
  if (installation.data && !installation.data.sandboxDns)
    return <Navigate to={paths.notFound()} replace />
  if (canSee) return id === null ? <ZoneList /> : <ZoneEditor key={id} id={id} />
  return (
    <div className="grid gap-6">
      <PageHeading title="Sandbox DNS" />
      <Card>
        <EmptyState
          icon={Lock}
          title="Only Admins and Editors can see this"
          description="They look after the domains of the workspace."
        />
      </Card>
    </div>
  )
}

/** One zone: the records that Mailstead asks for, its records, and the mistakes to try. */
export function ZoneEditor({ id }: { id: string }) {
  const zone = useApi(getSandboxZone, { params: { id } }, { enabled: useMay('see-domains') })
  const isMissing = zone.error?.type === 'NOT_EXISTS'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeading
        title="Sandbox DNS"
        subtitle={
          <span className="wrap-anywhere">
            {zone.data?.unicodeName ?? 'The DNS of this demo, edited as at a provider'}
          </span>
        }
        actions={
          <>
            <Button variant="secondary" asChild>
              <Link to={paths.sandboxDns()}>
                <List aria-hidden />
                All zones
              </Link>
            </Button>
            {zone.data && <BackToDomain id={id} />}
          </>
        }
      />
      {zone.error && (isMissing || !zone.data) ? (
        <Card>
          <ErrorState
            title={isMissing ? 'This domain is not in your workspace' : 'Error loading the zone'}
            description={
              isMissing
                ? 'It may have been deleted, or belong to another workspace.'
                : zone.error.message
            }
            {...(isMissing ? {} : { onRetry: () => zone.refetch() })}
          />
        </Card>
      ) : zone.data === undefined ? (
        <LoadingZone />
      ) : zone.data.isForeign ? (
        <Card>
          <EmptyState
            icon={Ban}
            title="This zone belongs to another workspace"
            description={`Another person runs ${zone.data.zone} in this demo and publishes its records.`}
          />
        </Card>
      ) : (
        <>
          <AskedCard zone={zone.data} />
          <RecordsCard zone={zone.data} />
          <MistakesCard zone={zone.data} />
        </>
      )}
    </div>
  )
}

function BackToDomain({ id }: { id: string }) {
  // The step of the wizard that the user came from.
  const state = useHistoryState()
  return (
    <Button variant="secondary" asChild>
      <Link to={paths.addDomain({ id })} state={state}>
        <ArrowLeft aria-hidden />
        Back to the domain
      </Link>
    </Button>
  )
}

function LoadingZone() {
  return (
    <Card className="grid gap-4 p-6">
      <p role="status" className="sr-only">
        Loading...
      </p>
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-4 w-full max-w-xl" />
      <Skeleton className="mt-4 h-40 w-full" />
    </Card>
  )
}
