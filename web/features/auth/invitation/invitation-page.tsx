/** What a mailed invitation opens: who invites to what, and the way in for whoever holds the link. */
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { openInvitation } from '#contract/workspace/invitations.ts'
import { queryClient } from '#web/lib/api/query-client.ts'
import { useSession } from '#web/lib/api/session.ts'
import { startSession } from '#web/lib/api/start-session.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/spinner.tsx'
import { EndedInvitation } from './ended-invitation.tsx'
import { useInvitationToken } from './invitation-token.ts'
import { InvitedVisitor } from './invited-visitor.tsx'
import { JoinQuestion } from './join-question.tsx'
import { WrongAccount } from './wrong-account.tsx'

/** The pages of visitors ask nothing through queries but here. */
export function InvitationPage() {
  usePageTitle('Invitation')
  return (
    <QueryClientProvider client={queryClient}>
      <InvitationView />
    </QueryClientProvider>
  )
}

function InvitationView() {
  const token = useInvitationToken()
  const session = useSession()
  const [isAnswered, setIsAnswered] = useState(false)
  const isKnown = session.status === 'signed-in' || session.status === 'anonymous'
  // Not before: what was asked is forgotten when somebody turns out to be signed in.
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
    /** It is no longer as it was shown. */
    onStale: () => void opened.refetch(),
  }
  if (session.status === 'anonymous') return <InvitedVisitor {...answer} />
  return session.user.email === invitation.email ? (
    <JoinQuestion {...answer} />
  ) : (
    <WrongAccount email={invitation.email} ownEmail={session.user.email} />
  )
}

/** What was pressed is gone with the view before: the focus goes to the new heading. */
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
