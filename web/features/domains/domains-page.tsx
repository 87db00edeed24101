/** The domains of the workspace: what state they are in, and the way to add and verify one. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { AddDomainDialog } from './add-domain-dialog.tsx'
import { QuestionedDomains } from './claim/questioned-domains.tsx'
import { DomainCards } from './domain-cards.tsx'
import { DomainTable } from './domain-table.tsx'
import { ManagersOnly } from './managers-only.tsx'

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
