/** For a visitor with the link: login when the address has an account, else sign-up. */
import { Link, useNavigate } from 'react-router'
import { signUpInvited } from '#contract/invitations.ts'
import { call } from '#web/lib/api/api.ts'
import { signIn } from '#web/lib/api/session.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { AuthHeading, OtherWay } from './auth-parts.tsx'
import { GoogleButton } from './google-button.tsx'
import { forgetInvitation } from './invitation-token.ts'
import { type AnswerProps, DeclineButton, isStale, toastJoined } from './join-question.tsx'
import { SignUpForm, type SignUpValues } from './sign-up-form.tsx'
import { useInstallation } from './use-installation.ts'

export function InvitedVisitor(props: AnswerProps) {
  const { workspaceName, role, invitedBy, hasAccount, email } = props.invitation
  const installation = useInstallation()
  const isClosed = installation?.signUp === 'closed'
  const ask = invitedBy ? `${invitedBy} invites you` : 'You are invited'
  return (
    <>
      <AuthHeading title={`Join ${workspaceName}`}>
        {ask} to join as {role}.{' '}
        {hasAccount
          ? `Log in as ${email} to go on.`
          : isClosed
            ? 'Sign-up is closed here. Ask the operator for an account.'
            : 'Create your account to go on.'}
      </AuthHeading>
      <div className="grid gap-3">
        {hasAccount && (
          <Button asChild size="large">
            <Link to={paths.login()} state={{ from: paths.invitation(), email }}>
              Log in
            </Link>
          </Button>
        )}
        {!hasAccount && !isClosed && <InvitedSignUp {...props} />}
        {!hasAccount && !isClosed && installation?.google && (
          <div>
            <OtherWay />
            <GoogleButton from={paths.invitation()} />
          </div>
        )}
        <DeclineButton {...props} variant={hasAccount ? 'secondary' : 'quiet'} />
      </div>
    </>
  )
}

function InvitedSignUp({ token, invitation, onAnswered, onStale }: AnswerProps) {
  const navigate = useNavigate()
  const send = async ({ email: _, ...form }: SignUpValues) => {
    try {
      const answer = await call(signUpInvited, { body: { ...form, session: token } })
      onAnswered()
      forgetInvitation()
      signIn(answer)
      toastJoined(invitation)
      await navigate(paths.dashboard(), { replace: true, state: { showWelcomeModal: true } })
    } catch (error) {
      if (isStale(error)) onStale()
      throw error
    }
  }
  return <SignUpForm send={send} fixedEmail={invitation.email} />
}
