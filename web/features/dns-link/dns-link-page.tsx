/**
 * The page behind a DNS link: the records of one domain, live, for the administrator of its DNS. Makes no call that needs an
 * account.
 */
import { Unlink } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { QueryProvider } from '#web/lib/api/query-provider.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import { LinkedRecords } from './linked-records.tsx'
import { useLinkedRecords } from './use-linked-records.ts'

export function DnsLinkPage() {
  usePageTitle('DNS records')
  const token = useLocation().hash.slice(1)
  return (
    <QueryProvider>
      {/* Another link starts a new page. */}
      <LinkView key={token} token={token} />
    </QueryProvider>
  )
}

function LinkView({ token }: { token: string }) {
  const { opened, ...rest } = useLinkedRecords(token)
  if (rest.isEnded) return <Ended />
  if (opened.data) return <LinkedRecords token={token} opened={opened.data} {...rest} />
  if (opened.isError)
    return (
      <>
        <h1 tabIndex={-1} className="sr-only">
          DNS records
        </h1>
        <ErrorState
          title="Error loading the records"
          description={opened.error.message}
          onRetry={() => opened.refetch()}
        />
      </>
    )
  return (
    <div role="status" className="m-auto flex items-center gap-3 text-sm text-soft">
      <Spinner className="size-5" />
      <h1 tabIndex={-1}>Opening the records...</h1>
    </div>
  )
}

/** Does not say why the link does not work: the server answers the same for a link that never existed. */
function Ended() {
  useEffect(() => {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [])
  return (
    <EmptyState
      icon={Unlink}
      className="m-auto"
      title={<h1 tabIndex={-1}>This link does not work</h1>}
      description="It may have expired or been withdrawn, or part of it is missing. Ask the person who sent it to you for a new one."
    />
  )
}
