/** What the link to a mailbox opens: whose it is, and the password that its holder chooses. */
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { ACCESS_LINK_DAYS, type OpenedAccess, openAccess } from '#contract/mail/access.ts'
import { queryClient } from '#web/lib/api/query-client.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import { AuthHeading } from './auth-parts.tsx'
import { SetPasswordForm } from './set-password-form.tsx'
import { useLinkToken } from './use-link-token.ts'

export function AccessLinkPage() {
  usePageTitle('Your mailbox')
  return (
    <QueryClientProvider client={queryClient}>
      <AccessView />
    </QueryClientProvider>
  )
}

function AccessView() {
  const token = useLinkToken()
  const [doneFor, setDoneFor] = useState<string | null>(null)
  const opened = useApi(
    openAccess,
    { body: { session: token } },
    { enabled: token !== '' && doneFor === null, gcTime: 0 },
  )
  if (doneFor !== null) return <AccessSet email={doneFor} />
  if (token === '' || [400, 422].includes(opened.error?.statusCode ?? 0))
    return <EndedLink type="BROKEN" />
  if (opened.isError && !opened.data)
    return (
      <>
        <h1 tabIndex={-1} className="sr-only">
          Your mailbox
        </h1>
        <ErrorState
          title="Error loading the mailbox"
          description={opened.error.message}
          onRetry={() => opened.refetch()}
        />
      </>
    )
  if (!opened.data)
    return (
      <div role="status" className="flex items-center justify-center gap-3 text-sm text-soft">
        <Spinner className="size-5" />
        <h1 tabIndex={-1}>Opening your mailbox...</h1>
      </div>
    )
  if (opened.data.type !== 'OPEN') return <EndedLink type={opened.data.type} />
  return (
    <SetPasswordForm
      token={token}
      mailbox={opened.data}
      onDone={setDoneFor}
      onStale={() => void opened.refetch()}
    />
  )
}

type Ended = Exclude<OpenedAccess['type'], 'OPEN'> | 'BROKEN'

const texts: Record<Ended, readonly [title: string, text: string]> = {
  EXPIRED: [
    'This link has expired',
    `It works for ${ACCESS_LINK_DAYS} days. Ask the person who gave it to you for a new one.`,
  ],
  USED: [
    'This link has been used',
    'It works once. If that was you, log in with the address of your mailbox. If it was not, tell your administrator at once.',
  ],
  WITHDRAWN: [
    'This link was withdrawn',
    'There may be a newer one. Ask the person who gave it to you.',
  ],
  BROKEN: [
    'This link is not valid',
    'Part of it may be missing. Open it again exactly as you got it, or ask for a new one.',
  ],
}

export function EndedLink({ type }: { type: Ended }) {
  const [title, text] = texts[type]
  return (
    <>
      <AuthHeading title={title}>{text}</AuthHeading>
      <Button asChild size="large" className="w-full">
        <Link to={paths.login()}>Go to login</Link>
      </Button>
    </>
  )
}

/** The form is gone: the focus goes to what came in its place. */
export function AccessSet({ email }: { email: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('h1')?.focus(), [])
  return (
    <div ref={box}>
      <AuthHeading title="Your password is set">
        From now on you log in with <strong className="font-medium text-ink">{email}</strong> and
        this password.
      </AuthHeading>
      <Button asChild size="large" className="w-full">
        <Link to={paths.login()} state={{ email }}>
          Log in
        </Link>
      </Button>
    </div>
  )
}
