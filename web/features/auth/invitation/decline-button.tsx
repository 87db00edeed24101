import { useState } from 'react'
import { declineInvitation } from '#contract/workspace/invitations.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { type AnswerProps, toastRefusal } from './answer.ts'

type DeclineButtonProps = Pick<AnswerProps, 'token' | 'invitation' | 'onStale'> & {
  variant: 'secondary' | 'quiet'
}

/** Says no, after asking: only an Admin can invite again. */
export function DeclineButton({ token, invitation, onStale, variant }: DeclineButtonProps) {
  const [isAsking, setIsAsking] = useState(false)
  const decline = useCall(declineInvitation, {
    onSuccess: onStale,
    onError: (error) => {
      setIsAsking(false)
      toastRefusal(error, onStale)
    },
  })
  return (
    <>
      <Button variant={variant} size="large" className="w-full" onClick={() => setIsAsking(true)}>
        Decline
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !decline.isPending && setIsAsking(false)}
        title="Decline the invitation?"
        description={`You will not join ${invitation.workspaceName}. Only one of its Admins can invite you again.`}
        confirmText={decline.isPending ? 'Declining...' : 'Decline'}
        isPending={decline.isPending}
        onConfirm={() => decline.mutate({ body: { session: token } })}
      />
    </>
  )
}
