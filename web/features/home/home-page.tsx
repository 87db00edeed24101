import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { getStats } from '#contract/stats.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { FirstSteps } from './first-steps.tsx'
import { StatCards } from './stat-cards.tsx'
import { WelcomeDialog } from './welcome-dialog.tsx'

export function HomePage() {
  usePageTitle('Dashboard')
  const stats = useApi(getStats, {})
  const state = useLocation().state as { showWelcomeModal?: unknown } | null
  const navigate = useNavigate()
  const [isWelcomed, setIsWelcomed] = useState(false)
  return (
    <>
      <PageHeading title="Dashboard" subtitle="Your domains, mailboxes and mail at a glance" />
      {stats.isError && !stats.data ? (
        <Card>
          <ErrorState
            title="The figures could not be read"
            description={stats.error.message}
            onRetry={() => void stats.refetch()}
          />
        </Card>
      ) : (
        <>
          <StatCards stats={stats.data} />
          {stats.data && <FirstSteps stats={stats.data} />}
        </>
      )}
      <WelcomeDialog
        isOpen={state?.showWelcomeModal === true && !isWelcomed}
        onClose={() => {
          setIsWelcomed(true)
          // So that a reload does not welcome again.
          void navigate('.', { replace: true, state: null })
        }}
      />
    </>
  )
}
