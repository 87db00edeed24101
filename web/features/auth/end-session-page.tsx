/** The page behind the link in a mail of a new sign-in or a changed account: one button ends the session, without signing in. */
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { endSessionByLink, openEndingLink } from '#contract/account/sessions.ts'
import type { Output } from '#contract/route.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { QueryProvider } from '#web/lib/api/query-provider.tsx'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatMoment } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import { AuthHeading } from './auth-parts.tsx'
import { useLinkToken } from './use-link-token.ts'

type Ended = Output<typeof endSessionByLink>
type Opened = Extract<Output<typeof openEndingLink>, { type: 'OPEN' }>

export function EndSessionPage() {
  usePageTitle('End a session')
  return (
    <QueryProvider>
      <EndSession />
    </QueryProvider>
  )
}

function EndSession() {
  const token = useLinkToken()
  const [ended, setEnded] = useState<Ended | null>(null)
  const opened = useApi(
    openEndingLink,
    { body: { session: token } },
    { enabled: token !== '' && ended === null, gcTime: 0 },
  )
  if (ended !== null) return <IsEnded {...ended} />
  if (token === '' || [400, 422].includes(opened.error?.statusCode ?? 0))
    return (
      <Without title="This link is not valid">
        Part of it may be missing. Open it again exactly as you got it, or set a new password: that
        ends every session.
      </Without>
    )
  if (opened.isError && !opened.data)
    return (
      <>
        <h1 tabIndex={-1} className="sr-only">
          End a session
        </h1>
        <ErrorState
          title="Error loading the session"
          description={opened.error.message}
          onRetry={() => void opened.refetch()}
        />
      </>
    )
  if (!opened.data)
    return (
      <div role="status" className="flex items-center justify-center gap-3 text-soft text-sm">
        <Spinner className="size-5" />
        <h1 tabIndex={-1}>Looking for the session...</h1>
      </div>
    )
  if (opened.data.type !== 'OPEN')
    return (
      <Without title="This session has ended">
        Nobody uses it any more. If you do not know who did, set a new password.
      </Without>
    )
  return (
    <Question
      token={token}
      session={opened.data}
      onEnded={setEnded}
      onStale={() => void opened.refetch()}
    />
  )
}

type QuestionProps = {
  token: string
  session: Opened
  onEnded: (ended: Ended) => void
  onStale: () => void
}

function Question({ token, session, onEnded, onStale }: QuestionProps) {
  const { email, browser, ip, createdAt } = session
  const end = useCall(endSessionByLink, {
    onSuccess: onEnded,
    onError: (error) => error.type === 'LINK_EXPIRED' && onStale(),
  })
  return (
    <>
      <AuthHeading title="End this session?">
        {browser} is signed in as <strong className="font-medium text-ink">{email}</strong>, from
        the network address {ip}, since <LocalTime at={createdAt} format={formatMoment} />. If that
        is not you, end it now.
      </AuthHeading>
      <div className="grid gap-5">
        {end.error && <FormAlert>{messageOf(end.error)}</FormAlert>}
        <Button
          size="large"
          isPending={end.isPending}
          onClick={() => end.mutate({ body: { session: token } })}
        >
          {end.isPending ? 'Ending...' : 'End this session'}
        </Button>
      </div>
    </>
  )
}

/** The button is gone, so the heading that replaces it takes the focus. */
function IsEnded({ email, isHolder }: Ended) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('h1')?.focus(), [])
  return (
    <div ref={box}>
      <AuthHeading title="The session has ended">
        {isHolder
          ? 'That browser is signed out. Whoever used it may know your password: ask your administrator for a new link, which sets a new one.'
          : 'That browser is signed out. Whoever used it may know your password: set a new one now.'}
      </AuthHeading>
      <Button asChild size="large" className="w-full">
        {isHolder ? (
          <Link to={paths.login()} state={{ email }}>
            Go to login
          </Link>
        ) : (
          <Link to={paths.forgotPassword()} state={{ email }}>
            Set a new password
          </Link>
        )}
      </Button>
    </div>
  )
}

function Without({ title, children }: { title: string; children: string }) {
  return (
    <>
      <AuthHeading title={title}>{children}</AuthHeading>
      <Button asChild size="large" className="w-full">
        <Link to={paths.forgotPassword()}>Set a new password</Link>
      </Button>
    </>
  )
}
