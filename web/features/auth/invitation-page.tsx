/** The page behind a mailed invitation: who invites to which workspace, and how the visitor can join. */
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { INVITATION_DAYS, type OpenedInvitation, openInvitation } from '#contract/invitations.ts'
import { endSession } from '#web/lib/api/end-session.ts'
import { QueryProvider } from '#web/lib/api/query-provider.tsx'
import { useSession } from '#web/lib/api/session.ts'
import { startSession } from '#web/lib/api/start-session.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import { AuthHeading } from './auth-parts.tsx'
import { useInvitationToken } from './invitation-token.ts'
import { InvitedVisitor } from './invited-visitor.tsx'
import { JoinQuestion } from './join-question.tsx'

/** The only page of visitors that uses queries. */
export function InvitationPage() {
  usePageTitle('Invitation')
  return (
    <QueryProvider>
      <InvitationView />
    </QueryProvider>
  )
}

function InvitationView() {
  const token = useInvitationToken()
  const session = useSession()
  const [isAnswered, setIsAnswered] = useState(false)
  const isKnown = session.status === 'signed-in' || session.status === 'anonymous'
  // Waits for the session: signing in clears the query cache.
  const opened = useApi(
    openInvitation,
    { body: { session: token } },
    { enabled: token !== '' && isKnown && !isAnswered, gcTime: 0 },
  )
  const isUnknown = session.status === 'unknown'
  useEffect(() => {
    if (isUnknown) void startSession(false)
  }, [isUnknown])
  useNewView(`${session.status} ${opened.data?.type}`)
  const isBroken = token === '' || [400, 422].includes(opened.error?.statusCode ?? 0)
  if (isBroken && !isAnswered) return <EndedInvitation type="BROKEN" />
  if (opened.isError && !opened.data)
    return (
      <>
        <h1 tabIndex={-1} className="sr-only">
          Invitation
        </h1>
        <ErrorState
          title="Error loading the invitation"
          description={opened.error.message}
          onRetry={() => opened.refetch()}
        />
      </>
    )
  if (!opened.data || !isKnown || isAnswered) return <Opening />
  if (opened.data.type !== 'OPEN') return <EndedInvitation type={opened.data.type} />
  const { data: invitation } = opened
  const answer = {
    ...{ token, invitation },
    onAnswered: () => setIsAnswered(true),
    /** Called when the invitation has changed since it was loaded. */
    onStale: () => void opened.refetch(),
  }
  if (session.status === 'anonymous') return <InvitedVisitor {...answer} />
  return session.user.email === invitation.email ? (
    <JoinQuestion {...answer} />
  ) : (
    <WrongAccount email={invitation.email} ownEmail={session.user.email} />
  )
}

type WrongAccountProps = { email: string; ownEmail: string }

/** Shown to a user with another account. After log-out the invitation is still here. */
export function WrongAccount({ email, ownEmail }: WrongAccountProps) {
  const [isPending, setIsPending] = useState(false)
  const logOut = async () => {
    setIsPending(true)
    try {
      await endSession()
    } catch {
      setIsPending(false)
      const description = 'Failed to logout, please try again'
      toastError(description)
    }
  }
  return (
    <>
      <AuthHeading title="This invitation is for another person">
        It is for <strong className="wrap-anywhere font-medium text-ink">{email}</strong>, and you
        are signed in as <strong className="wrap-anywhere font-medium text-ink">{ownEmail}</strong>.
        Log out to go on with the invited address.
      </AuthHeading>
      <div className="grid gap-3">
        <Button size="large" isPending={isPending} onClick={logOut}>
          {isPending ? 'Logging out...' : 'Log out'}
        </Button>
        <Button asChild variant="secondary" size="large">
          <Link to={paths.dashboard()}>Go to your dashboard</Link>
        </Button>
      </div>
    </>
  )
}

type Ended = Exclude<OpenedInvitation['type'], 'OPEN'> | 'BROKEN'

const texts: Record<Ended, readonly [title: string, text: string]> = {
  EXPIRED: [
    'This invitation has expired',
    `Invitations work for ${INVITATION_DAYS} days. Ask the person who invited you to send it again.`,
  ],
  REVOKED: [
    'This invitation was withdrawn',
    'The person who invited you withdrew it. Ask them if you think that this is a mistake.',
  ],
  DECLINED: [
    'This invitation was declined',
    'If you have changed your mind, ask to be invited again.',
  ],
  USED: [
    'This invitation has been used',
    'It works once. If that was you, you have joined: the workspace is in the list at the top of the menu.',
  ],
  BROKEN: [
    'This invitation link is not valid',
    'Part of it may be missing. Open it from the mail again, or ask the person who invited you for a new one.',
  ],
}

/** Shown when the invitation no longer works; links to the user's own dashboard. */
export function EndedInvitation({ type }: { type: Ended }) {
  const isSignedIn = useSession().status === 'signed-in'
  const [title, text] = texts[type]
  return (
    <>
      <AuthHeading title={title}>{text}</AuthHeading>
      <Button asChild size="large" className="w-full">
        {isSignedIn ? (
          <Link to={paths.dashboard()}>Go to your dashboard</Link>
        ) : (
          <Link to={paths.login()}>Go to login</Link>
        )}
      </Button>
    </>
  )
}

/** The pressed button is gone with the view before, so the new heading takes the focus. */
function useNewView(view: string): void {
  const last = useRef(view)
  useEffect(() => {
    if (last.current === view) return
    last.current = view
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [view])
}

function Opening() {
  return (
    <div role="status" className="flex items-center justify-center gap-3 text-sm text-soft">
      <Spinner className="size-5" />
      <h1 tabIndex={-1}>Opening your invitation...</h1>
    </div>
  )
}
