/** What the operator of this installation sees and does: what it lacks, workspaces, people, the queue, and what operators did. */
import { Lock } from 'lucide-react'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useSession } from '#web/lib/api/session.ts'
import { useTab } from '#web/lib/list-place.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Tabs } from '#web/ui/data/tabs.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ActionList } from './action-list.tsx'
import { HealthList } from './health-list.tsx'
import { PeopleList } from './people-list.tsx'
import { QueueList } from './queue-list.tsx'
import { loadWorkspaces, WorkspaceList } from './workspace-list.tsx'

export function OperatorPage() {
  usePageTitle('Operator')
  const [tab, openTab] = useTab(['health', 'workspaces', 'people', 'queue', 'log'])
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Operator"
        subtitle="All of this installation: what it lacks, sizes, people and what waits. Nobody's mail is shown here"
      />
      <OperatorsOnly>
        <Tabs
          aria-label="Operator"
          value={tab}
          onValueChange={openTab}
          tabs={[
            { value: 'health', label: 'Health', content: <HealthList /> },
            { value: 'workspaces', label: 'Workspaces', content: <WorkspaceList /> },
            { value: 'people', label: 'People', content: <PeopleList /> },
            { value: 'queue', label: 'Queue', content: <QueueList /> },
            { value: 'log', label: 'Log', content: <ActionList /> },
          ]}
        />
      </OperatorsOnly>
    </div>
  )
}

/** Health is not waited for: it asks servers elsewhere. */
export const loadOperator: LoadPage = async ({ ask, query }) => {
  if (query.get('tab') === 'workspaces') await loadWorkspaces(ask, query)
}

export function OperatorsOnly({ children }: { children: React.ReactNode }) {
  const session = useSession()
  if (session.status !== 'signed-in' || session.user.isOperator) return children
  return (
    <Card>
      <EmptyState
        icon={Lock}
        title="Only an operator can see this"
        description="Operators run this installation for everybody. Ask one of them, or make one at the terminal: npm run operator -- operator add"
      />
    </Card>
  )
}
