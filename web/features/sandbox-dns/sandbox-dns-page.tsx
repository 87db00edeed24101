/** Sandbox DNS: the demo's own DNS as a provider's editor shows it. Elsewhere there is no such page. */
import { Lock } from 'lucide-react'
import { Navigate, useSearchParams } from 'react-router'
import { getInstallation } from '#contract/installation.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ZoneEditor } from './zone-editor.tsx'
import { ZoneList } from './zone-list.tsx'

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
