import { EllipsisVertical, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { RESEND_COOLDOWN_SECONDS } from '#contract/auth.ts'
import {
  type Invitation,
  resendInvitation,
  revokeInvitation,
} from '#contract/workspace/invitations.ts'
import { type ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { useSecondsUntil } from '#web/lib/time/use-seconds-until.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'

/** Sends an invitation again, not more often than every 30 seconds, or takes it back. */
export function InvitationMenu({ invitation }: { invitation: Invitation }) {
  const { _id: id, email, sentAt } = invitation
  const [isAsking, setIsAsking] = useState(false)
  const mayResendAt = new Date(sentAt).getTime() + RESEND_COOLDOWN_SECONDS * 1000
  const secondsLeft = useSecondsUntil(mayResendAt, RESEND_COOLDOWN_SECONDS)
  const onError = (error: ApiError) => {
    setIsAsking(false)
    toastError(messageOf(error))
  }
  const resend = useCall(resendInvitation, {
    onSuccess: () => {
      toast({ title: 'Invitation sent again', description: `To ${email}`, variant: 'success' })
    },
    onError,
  })
  const revoke = useCall(revokeInvitation, {
    onSuccess: () => {
      setIsAsking(false)
      toast({ title: 'Invitation revoked', description: email, variant: 'success' })
    },
    onError,
  })
  return (
    <>
      <DropdownMenu
        trigger={
          <Button
            variant="quiet"
            size="iconSmall"
            aria-label={`Actions for ${email}`}
            isPending={resend.isPending}
          >
            {!resend.isPending && <EllipsisVertical aria-hidden />}
          </Button>
        }
      >
        <MenuItem
          disabled={secondsLeft > 0}
          className="tabular-nums"
          onSelect={() => resend.mutate({ params: { id } })}
        >
          <RotateCw aria-hidden />
          {secondsLeft > 0 ? `Resend in ${secondsLeft}s` : 'Resend invitation'}
        </MenuItem>
        <MenuItem isDangerous onSelect={() => setIsAsking(true)}>
          <Trash2 aria-hidden />
          Revoke invitation
        </MenuItem>
      </DropdownMenu>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !revoke.isPending && setIsAsking(false)}
        title={`Revoke the invitation of ${email}?`}
        description="The links that were mailed to them stop working. You can invite them again."
        confirmText={revoke.isPending ? 'Revoking...' : 'Revoke'}
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate({ params: { id } })}
      />
    </>
  )
}
