/** What programs may do with the workspace, and what they are told. Only for Admins; others see a note. */
import { Lock } from 'lucide-react'
import { listWebhooks } from '#contract/developers/webhooks.ts'
import { memberCan } from '#contract/rights.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useRole } from '#web/lib/api/use-can.ts'
import { useTab } from '#web/lib/list-place.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Tabs } from '#web/ui/data/tabs.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { WebhooksTab } from './webhooks-tab.tsx'

export function DevelopersPage() {
  usePageTitle('Developers')
  const [tab, openTab] = useTab(['webhooks'])
  const role = useRole()
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Developers"
        subtitle="What programs may do with this workspace, and what they are told"
      />
      {role === undefined ? (
        <Skeleton className="h-96 w-full rounded-card" />
      ) : !memberCan(role, 'manage-webhooks') ? (
        <AdminsOnly />
      ) : (
        <Tabs
          aria-label="Developers"
          value={tab}
          onValueChange={openTab}
          tabs={[{ value: 'webhooks', label: 'Webhooks', content: <WebhooksTab /> }]}
        />
      )}
    </div>
  )
}

export const loadDevelopers: LoadPage = ({ ask }) => ask(listWebhooks, {})

export function AdminsOnly() {
  return (
    <Card>
      <EmptyState
        icon={Lock}
        title="Only an Admin can see this"
        description="Ask an Admin of the workspace if a program has to work with it."
      />
    </Card>
  )
}
