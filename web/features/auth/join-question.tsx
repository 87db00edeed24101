import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { declineInvitation, joinWorkspace, type OpenedInvitation } from '#contract/invitations.ts'
import { chosenWorkspace } from '#web/lib/api/access-token.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { AuthHeading } from './auth-parts.tsx'
import { forgetInvitation } from './invitation-token.ts'

/** For a user who is signed in with the invited address. */
export function JoinQuestion({ token, invitation, onAnswered, onStale }: AnswerProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { workspaceName, role, invitedBy, email } = invitation
  const join = useCall(joinWorkspace, {
    onSuccess: async ({ _id }) => {
      onAnswered()
      forgetInvitation()
      chosenWorkspace.choose(_id)
      // The cache belongs to the previous workspace.
      client.clear()
      toastJoined(invitation)
      await navigate(paths.dashboard(), { replace: true })
    },
    onError: (error) => toastRefusal(error, onStale),
  })
  return (
    <>
      <AuthHeading title={`Join ${workspaceName} as ${role}?`}>
        {invitedBy ? `${invitedBy} invites you.` : 'You are invited.'} You are signed in as{' '}
        <strong className="wrap-anywhere font-medium text-ink">{email}</strong>.
      </AuthHeading>
      <div className="grid gap-3">
        <Button
          size="large"
          isPending={join.isPending}
          onClick={() => join.mutate({ body: { session: token } })}
        >
          {join.isPending ? 'Joining...' : 'Join'}
        </Button>
        <DeclineButton {...{ token, invitation, onStale }} variant="secondary" />
      </div>
    </>
  )
}

export type OpenInvitation = Extract<OpenedInvitation, { type: 'OPEN' }>

/** Props of the views of an open invitation. */
export type AnswerProps = {
  token: string
  invitation: OpenInvitation
  /** Called when the user has accepted; another page follows. */
  onAnswered: () => void
  /** Called when the invitation has ended meanwhile or the address has got an account: reload it. */
  onStale: () => void
}

const STALE = ['INVALID_SIGNATURE', 'LINK_EXPIRED', 'USER_ALREADY_EXISTS', 'FORBIDDEN']

export const isStale = (error: unknown): boolean =>
  error instanceof ApiError && STALE.includes(error.type)

export function toastRefusal(error: unknown, onStale: () => void): void {
  toastError(messageOf(error))
  if (isStale(error)) onStale()
}

export const toastJoined = ({ workspaceName, role }: OpenInvitation): void =>
  void toast({
    title: `You joined ${workspaceName}`,
    description: `You are ${role} there.`,
    variant: 'success',
  })

type DeclineButtonProps = Pick<AnswerProps, 'token' | 'invitation' | 'onStale'> & {
  variant: 'secondary' | 'quiet'
}

/** Declines after a confirmation, because only an Admin can invite again. */
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
