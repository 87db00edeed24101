/** What programs may do with the workspace, by API keys, and what they are told, by webhooks. */
import { Braces, Lock } from 'lucide-react'
import { Link } from 'react-router'
import { listApiKeys } from '#contract/developers/api-keys.ts'
import { listWebhooks } from '#contract/developers/webhooks.ts'
import { memberCan } from '#contract/rights.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useHolder, useRole } from '#web/lib/api/use-can.ts'
import { useTab } from '#web/lib/list-place.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Tabs } from '#web/ui/data/tabs.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { KeysTab } from './keys-tab.tsx'
import { WebhooksTab } from './webhooks-tab.tsx'

export function DevelopersPage() {
  const [tab, openTab] = useTab(['keys', 'webhooks'])
  const isHolder = useHolder() !== null
  const title = isHolder ? 'API keys' : 'Developers'
  usePageTitle(title)
  return (
    <div className="grid gap-6">
      <PageHeading
        title={title}
        subtitle={
          isHolder
            ? 'What programs may do with your mailbox'
            : 'What programs may do with this workspace, and what they are told'
        }
        actions={
          <Button variant="secondary" asChild>
            <Link to={paths.apiReference()}>
              <Braces aria-hidden />
              API reference
            </Link>
          </Button>
        }
      />
      {isHolder ? (
        <KeysTab />
      ) : (
        <Tabs
          aria-label="Developers"
          value={tab}
          onValueChange={openTab}
          tabs={[
            { value: 'keys', label: 'API keys', content: <KeysTab /> },
            { value: 'webhooks', label: 'Webhooks', content: <WebhooksOfAdmins /> },
          ]}
        />
      )}
    </div>
  )
}

export const loadDevelopers: LoadPage = ({ ask, query }) =>
  ask(query.get('tab') === 'webhooks' ? listWebhooks : listApiKeys, {})

function WebhooksOfAdmins() {
  const role = useRole()
  if (role === undefined) return <Skeleton className="h-96 w-full rounded-card" />
  return memberCan(role, 'manage-webhooks') ? <WebhooksTab /> : <AdminsOnly />
}

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
