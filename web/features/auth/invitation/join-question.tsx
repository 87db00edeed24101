import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { joinWorkspace } from '#contract/workspace/invitations.ts'
import { chosenWorkspace } from '#web/lib/api/chosen-workspace.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { AuthHeading } from '../parts/auth-heading.tsx'
import { type AnswerProps, toastJoined, toastRefusal } from './answer.ts'
import { DeclineButton } from './decline-button.tsx'
import { forgetInvitation } from './invitation-token.ts'

/** For somebody who is signed in with the invited address. */
export function JoinQuestion({ token, invitation, onAnswered, onStale }: AnswerProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { workspaceName, role, invitedBy, email } = invitation
  const join = useCall(joinWorkspace, {
    onSuccess: async ({ _id }) => {
      onAnswered()
      forgetInvitation()
      chosenWorkspace.choose(_id)
      // Nothing that was read belongs to the new workspace.
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
