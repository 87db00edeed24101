/** The domains of the workspace with their states, and the button to add one. */
import { CircleCheck, Clock3, Globe, Plus, ShoppingBag } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { listDeleted } from '#contract/deletions.ts'
import { listOwnership } from '#contract/dns/claims.ts'
import { listDomains } from '#contract/domains.ts'
import { listDomainHealth } from '#contract/many-domains.ts'
import { listSavedViews } from '#contract/saved-views.ts'
import { getStats } from '#contract/stats.ts'
import { DeletedList, deletedQuery } from '#web/deletions/deleted-list.tsx'
import { JustDeletedNotice, useJustDeleted } from '#web/deletions/just-deleted.tsx'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { StatisticCards } from '#web/ui/data/stat-card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { type RadioCard, RadioCards } from '#web/ui/form/radio-cards.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { OwnershipIssues } from './claim/ownership-issues.tsx'
import { ManagersOnly } from './domain-refusals.tsx'
import { DomainTable } from './list/domain-table.tsx'

export function DomainsPage() {
  usePageTitle('Domains')
  const [isAdding, setIsAdding] = useState(false)
  const canSee = useCan('see-domains')
  const canManage = useCan('manage-domains')
  const { deleted, setDeleted } = useJustDeleted()
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
          <OwnershipIssues>
            <JustDeletedNotice deleted={deleted} onChange={setDeleted} />
            <DomainTable onAdd={() => setIsAdding(true)} onDeleted={setDeleted} />
            <DeletedList kind="domain" />
          </OwnershipIssues>
        </>
      ) : (
        <ManagersOnly />
      )}
      {isAdding && <AddDomainDialog onClose={() => setIsAdding(false)} />}
    </div>
  )
}

type Choice = 'new' | 'pre'

const choices: readonly RadioCard<Choice>[] = [
  {
    value: 'new',
    title: 'New Register Domain',
    description: 'Registering is not offered here: get the name from a registrar, then add it.',
    icon: ShoppingBag,
  },
  {
    value: 'pre',
    title: 'Pre-Register Domain',
    description: 'You already own the name and can edit its DNS records.',
    icon: Globe,
  },
]

export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [choice, setChoice] = useState<Choice | null>(null)
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Add domain"
      description="Select one of the domain to continue"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={choice !== 'pre'} onClick={() => navigate(paths.addDomain())}>
            Continue
          </Button>
        </>
      }
    >
      <RadioCards aria-label="Domain" value={choice} onValueChange={setChoice} cards={choices} />
    </Dialog>
  )
}

export const loadDomains: LoadPage = ({ ask }) =>
  Promise.all([
    ask(listDomains, {}),
    ask(listDomainHealth, {}),
    ask(getStats, {}),
    ask(listOwnership, {}),
    ask(listDeleted, deletedQuery('domain')),
    ask(listSavedViews, {}),
  ])

/** Total, active and pending; pending means every domain that is not active. */
function DomainCards() {
  const { data, isError } = useApi(getStats, {})
  const counts = data?.domains
  return (
    <StatisticCards
      isFailed={isError}
      figures={[
        { title: 'Total Domains', icon: Globe, count: counts?.total },
        { title: 'Active Domains', icon: CircleCheck, count: counts?.active },
        { title: 'Pending Domains', icon: Clock3, count: counts?.pending },
      ]}
    />
  )
}
