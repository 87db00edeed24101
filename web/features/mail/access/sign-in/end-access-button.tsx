import { useState } from 'react'
import { revokeAccess } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

export function EndAccessButton({ mailbox }: { mailbox: Mailbox }) {
  const [isAsking, setIsAsking] = useState(false)
  const revoke = useCall(revokeAccess, {
    onSuccess: () => {
      setIsAsking(false)
      toast({ title: 'Access revoked', description: mailbox.email, variant: 'success' })
    },
    onError: (error) => {
      setIsAsking(false)
      toastError(messageOf(error))
    },
  })
  return (
    <>
      <Button variant="quiet" onClick={() => setIsAsking(true)}>
        Revoke access
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !revoke.isPending && setIsAsking(false)}
        title={`Revoke the access to ${mailbox.email}?`}
        description="Its holder is signed out everywhere and cannot log in any more. The mail stays, and more arrives. You can set up access again, for them or for somebody else."
        confirmText={revoke.isPending ? 'Revoking...' : 'Revoke access'}
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate({ params: { id: mailbox._id } })}
      />
    </>
  )
}
