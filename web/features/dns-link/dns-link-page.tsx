/**
 * The page behind a DNS link: the records of one domain, live, for the administrator of its DNS. Makes no call that needs an
 * account.
 */
import { useLocation } from 'react-router'
import { QueryProvider } from '#web/lib/api/query-provider.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Ended, NotLoaded, Opening } from './link-states.tsx'
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
    return <NotLoaded description={opened.error.message} onRetry={() => opened.refetch()} />
  return <Opening />
}
