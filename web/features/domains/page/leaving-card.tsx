import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Domain } from '#contract/domains.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { DeleteDomainButton } from '../delete-domain-dialog.tsx'

const MoveDialog = lazyPart(async () => (await import('../move-dialog.tsx')).MoveDialog)

/** At the end of the page: moves the domain to another workspace or deletes it. */
export function LeavingCard({ domain }: { domain: Domain }) {
  const navigate = useNavigate()
  const [isMoving, setIsMoving] = useState(false)
  const canMove = useCan('move-domains')
  return (
    <Card>
      <section
        aria-label="Move or delete"
        className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-3.5"
      >
        <p className="text-soft text-sm">
          {canMove
            ? 'Moving keeps its mailboxes and their mail. Deleting removes them, after 14 days in which it can be taken back.'
            : 'An Admin can move it to another workspace, or delete it.'}
        </p>
        <div className="-mx-3.5 flex flex-wrap">
          <Button variant="quiet" disabled={!canMove} onClick={() => setIsMoving(true)}>
            Add to workspace
          </Button>
          <DeleteDomainButton domain={domain} />
        </div>
        <Suspense>
          {isMoving && (
            <MoveDialog
              domain={domain}
              onClose={() => setIsMoving(false)}
              onMoved={() => navigate(paths.domains())}
            />
          )}
        </Suspense>
      </section>
    </Card>
  )
}
