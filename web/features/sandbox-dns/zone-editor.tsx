import { ArrowLeft, Ban, List } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { getSandboxZone } from '#contract/dns/sandbox.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useMay } from '#web/lib/api/use-can.ts'
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

/** One zone: what Mailstead asks for, what stands in it, and the mistakes that can be made. */
export function ZoneEditor({ id }: { id: string }) {
  const { state } = useLocation()
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
            {zone.data && (
              <Button variant="secondary" asChild>
                {/* With the step of the wizard from which somebody came. */}
                <Link to={paths.addDomain({ id })} state={state}>
                  <ArrowLeft aria-hidden />
                  Back to the domain
                </Link>
              </Button>
            )}
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
            title="This zone belongs to somebody else"
            description={`${zone.data.zone} is run by somebody else in this demo, who publishes its records.`}
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
