/** The user's own account, and the invoices of the workspace. */
import { ShieldCheck } from 'lucide-react'
import { Link } from 'react-router'
import { getInstallation } from '#contract/installation.ts'
import { getProfile } from '#contract/profile.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useTab } from '#web/lib/list-place.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Tabs } from '#web/ui/data/tabs.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { DetailsCard } from './details-form.tsx'
import { InvoiceTable } from './invoice-table.tsx'
import { PreferencesCard } from './preferences-card.tsx'
import { SavedCard } from './saved-card.tsx'

export function ProfilePage() {
  usePageTitle('Profile')
  const [tab, openTab] = useTab(['details', 'billing'])
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Profile"
        subtitle="Your account and what the workspace pays"
        actions={
          <Button asChild variant="secondary">
            <Link to={paths.security()}>
              <ShieldCheck aria-hidden />
              Security
            </Link>
          </Button>
        }
      />
      <Tabs
        aria-label="Profile"
        value={tab}
        onValueChange={openTab}
        tabs={[
          { value: 'details', label: 'Details', content: <DetailsCard /> },
          { value: 'billing', label: 'Billing', content: <Billing /> },
        ]}
      />
      {tab === 'details' && <PreferencesCard />}
    </div>
  )
}

export const loadProfile: LoadPage = ({ ask, query }) =>
  query.get('tab') === 'billing' ? ask(getInstallation, {}) : ask(getProfile, {})

function Billing() {
  // Whether there is a card above the invoices.
  const { isPending } = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  if (isPending)
    return (
      <div role="status">
        <span className="sr-only">Loading...</span>
        <Skeleton className="h-40 w-full rounded-2xl" />
      </div>
    )
  return (
    <div className="grid gap-6">
      <SavedCard />
      <InvoiceTable />
    </div>
  )
}
