/** The domains of the workspace: what state they are in, and the way to add and verify one. */
import { CircleCheck, Clock3, Globe, Plus } from 'lucide-react'
import { useState } from 'react'
import { getStats } from '#contract/stats.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { StatisticCard } from '#web/ui/data/stat-card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { AddDomainDialog } from './add-domain-dialog.tsx'
import { QuestionedDomains } from './claim/questioned-domains.tsx'
import { ManagersOnly } from './domain-refusals.tsx'
import { DomainTable } from './domain-table.tsx'

export function DomainsPage() {
  usePageTitle('Domains')
  const [isAdding, setIsAdding] = useState(false)
  const canSee = useCan('see-domains')
  const canManage = useCan('manage-domains')
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Domains"
        subtitle="View your domain to your account"
        actions={
          canManage && (
            <Button onClick={() => setIsAdding(true)}>
              <Plus aria-hidden />
              Add Domain
            </Button>
          )
        }
      />
      {canSee ? (
        <>
          <DomainCards />
          <QuestionedDomains>
            <DomainTable onAdd={() => setIsAdding(true)} />
          </QuestionedDomains>
        </>
      ) : (
        <ManagersOnly />
      )}
      {isAdding && <AddDomainDialog onClose={() => setIsAdding(false)} />}
    </div>
  )
}

/** Total, active and pending, where pending is all that are not active. */
export function DomainCards() {
  const { data, isError } = useApi(getStats, {})
  const shown = (count: number | undefined) =>
    count === undefined ? (isError ? '–' : undefined) : formatCount(count)
  return (
    <div className="grid grid-cols-3 gap-2 sm:gap-4 max-sm:[&_h2]:min-h-10 max-sm:[&_svg]:hidden">
      <StatisticCard
        className="max-sm:p-3"
        title="Total Domains"
        count={shown(data?.domains.total)}
        icon={Globe}
      />
      <StatisticCard
        className="max-sm:p-3"
        title="Active Domains"
        count={shown(data?.domains.active)}
        icon={CircleCheck}
      />
      <StatisticCard
        className="max-sm:p-3"
        title="Pending Domains"
        count={shown(data?.domains.pending)}
        icon={Clock3}
      />
    </div>
  )
}
