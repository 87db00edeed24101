/** What the link to a mailbox opens: whose it is, and the password that its holder chooses. */
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { openAccess } from '#contract/mail/access.ts'
import { queryClient } from '#web/lib/api/query-client.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/spinner.tsx'
import { useLinkToken } from '../parts/use-link-token.ts'
import { AccessSet } from './access-set.tsx'
import { EndedLink } from './ended-link.tsx'
import { SetPasswordForm } from './set-password-form.tsx'

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
