import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Domain } from '#contract/domains.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { DeleteDomainDialog } from './delete-domain-dialog.tsx'

/** Quiet, and at the end of a page: few come for it. */
export function DeleteDomainButton({ domain }: { domain: Domain }) {
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const canManage = useCan('manage-domains')
  return (
    <>
      <Button variant="quiet" disabled={!canManage} onClick={() => setIsAsking(true)}>
        Delete domain
      </Button>
      {isAsking && (
        <DeleteDomainDialog
          domain={domain}
          onClose={() => setIsAsking(false)}
          onDeleted={() => navigate(paths.domains())}
        />
      )}
    </>
  )
}
