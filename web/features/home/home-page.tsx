import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { getStats, type Stats } from '#contract/stats.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useIsRoleKnown, useMay } from '#web/lib/api/use-can.ts'
import { PRODUCT_NAME, usePageTitle } from '#web/lib/page-title.ts'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Attention } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import { MailPerDayCard } from './mail-per-day.tsx'
import { StatCards } from './stat-cards.tsx'

export function HomePage() {
  usePageTitle('Dashboard')
  const stats = useApi(getStats, {})
  return (
    <>
      <PageHeading title="Dashboard" subtitle="Your domains, mailboxes and mail at a glance" />
      {stats.isError && !stats.data ? (
        <Card>
          <ErrorState
            title="The figures could not be loaded"
            description={stats.error.message}
            onRetry={() => void stats.refetch()}
          />
        </Card>
      ) : (
        <>
          <StatCards stats={stats.data} />
          {stats.data && <BelowCards stats={stats.data} />}
        </>
      )}
      <WelcomeDialog />
    </>
  )
}

/** Once, after the first verified e-mail: the navigation that leads here says so. */
export function WelcomeDialog() {
  const { state } = useLocation()
  const navigate = useNavigate()
  const isAsked = (state as { showWelcomeModal?: unknown } | null)?.showWelcomeModal === true
  const [isOpen, setIsOpen] = useState(isAsked)
  useEffect(() => {
    if (!isAsked) return
    setIsOpen(true)
    // The flag outlives the visit in the browser's history: without it neither reload nor back welcomes again.
    void navigate('.', { replace: true, state: null })
  }, [isAsked, navigate])
  const close = () => setIsOpen(false)
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      title={`Welcome to ${PRODUCT_NAME}`}
      description="Add a domain, publish its records, and create mailboxes for your people. The dashboard shows the next step."
      footer={<Button onClick={close}>Lets go</Button>}
    />
  )
}

/** In a new workspace the first steps; then what needs somebody, beside what goes on. */
function BelowCards({ stats }: { stats: Stats }) {
  const canManage = useMay('manage-domains')
  // What comes later would push the rest aside.
  if (!useIsRoleKnown()) return null
  return (
    <>
      {canManage && <FirstSteps stats={stats} />}
      {(stats.domains.total > 0 || !canManage) && (
        <div className={cn('grid items-start gap-4', canManage && 'xl:grid-cols-[3fr_2fr]')}>
          {canManage && <Attention stats={stats} />}
          <MailPerDayCard />
        </div>
      )}
    </>
  )
}
