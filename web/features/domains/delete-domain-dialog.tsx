import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type Domain, deleteDomain } from '#contract/domains.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

type DeleteDomainDialogProps = { domain: Domain; onClose: () => void; onDeleted: () => void }

export function DeleteDomainDialog({ domain, onClose, onDeleted }: DeleteDomainDialogProps) {
  const remove = useCall(deleteDomain, {
    onSuccess: () => {
      onDeleted()
      toast({ title: 'Domain deleted', description: domain.unicodeName, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !remove.isPending && onClose()}
      title={`Delete ${domain.unicodeName}?`}
      description={<WhatIsLost domain={domain} />}
      confirmText={remove.isPending ? 'Deleting...' : 'Delete domain'}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: domain._id } })}
    />
  )
}

function WhatIsLost({ domain }: { domain: Domain }) {
  const mailboxes =
    domain.mailboxes === 0
      ? 'It has no mailboxes.'
      : domain.mailboxes === 1
        ? 'Its mailbox and all mail in it are deleted.'
        : `Its ${formatCount(domain.mailboxes)} mailboxes and all mail in them are deleted.`
  return (
    <>
      {mailboxes} Its signing keys are deleted too: adding the domain again makes new ones, and its
      DNS records have to be published again. This cannot be undone.
    </>
  )
}

/** A quiet button at the end of a page: few users need it. */
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
