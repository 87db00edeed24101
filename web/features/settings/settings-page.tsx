/** The workspace itself: its company profile and its people. For Admins; others are told so. */
import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import { memberCan } from '#contract/rights.ts'
import { useRole } from '#web/lib/api/use-can.ts'
import { useTab } from '#web/lib/list-place.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Tabs } from '#web/ui/data/tabs.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { CompanyCard } from './company-form.tsx'
import { InvitationList } from './invitation-list.tsx'
import { MemberTable } from './member-table.tsx'

export function SettingsPage() {
  usePageTitle('Settings')
  const [tab, openTab] = useTab(['account', 'users'])
  const role = useRole()
  return (
    <div className="grid gap-6">
      <PageHeading title="Settings" subtitle="The company behind this workspace and its people" />
      {role === undefined ? (
        <Skeleton className="h-96 w-full rounded-card" />
      ) : !memberCan(role, 'manage-company') ? (
        <AdminsOnly />
      ) : (
        <Tabs
          aria-label="Settings"
          value={tab}
          onValueChange={openTab}
          tabs={[
            { value: 'account', label: 'Account', content: <CompanyCard /> },
            { value: 'users', label: 'Users', content: <Users /> },
          ]}
        />
      )}
    </div>
  )
}

function Users() {
  return (
    <div className="grid gap-6">
      <MemberTable />
      <InvitationList />
      <p className="text-soft text-sm">
        Who got access to which mailbox, and from whom, is in the{' '}
        <Link
          to={paths.access()}
          className="rounded-sm font-medium text-accent-ink underline-offset-4 hover:underline"
        >
          access log
        </Link>
        .
      </p>
    </div>
  )
}

function AdminsOnly() {
  return (
    <Card>
      <EmptyState
        icon={Lock}
        title="Only an Admin can see this"
        description="Ask an Admin of the workspace if its company profile or its members need to change."
      />
    </Card>
  )
}
