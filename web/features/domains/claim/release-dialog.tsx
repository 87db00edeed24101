import { useNavigate } from 'react-router'
import type { DomainOwnership } from '#contract/dns/claims.ts'
import { deleteDomain } from '#contract/domains.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

type ReleaseDialogProps = { ownership: DomainOwnership; onClose: () => void }

/** Releasing is deleting: whoever has claimed the domain and proves it gets the name, and nothing else. */
export function ReleaseDialog({ ownership, onClose }: ReleaseDialogProps) {
  const { domainId, unicodeName, mailboxes } = ownership
  const navigate = useNavigate()
  const release = useCall(deleteDomain, {
    onSuccess: async () => {
      await navigate(paths.domains())
      toast({ title: 'Domain released', description: unicodeName, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !release.isPending && onClose()}
      title={`Release ${unicodeName}?`}
      description={`It leaves this workspace and goes to the one that has claimed it. ${lostOf(mailboxes)} This cannot be undone.`}
      confirmText={release.isPending ? 'Releasing...' : 'Release domain'}
      isPending={release.isPending}
      onConfirm={() => release.mutate({ params: { id: domainId } })}
    />
  )
}

const lostOf = (mailboxes: number): string =>
  mailboxes === 0
    ? 'It has no mailboxes.'
    : mailboxes === 1
      ? 'Its mailbox and all mail in it are deleted, and nobody else gets to see them.'
      : `Its ${formatCount(mailboxes)} mailboxes and all mail in them are deleted, and nobody else gets to see them.`
