/**
 * The page behind a DNS link to several domains: what is still to be published for each, and its records when it is opened
 * (decision 067). Makes no call that needs an account.
 */
import { CircleCheck, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { OpenedDnsLinks } from '#contract/dns/links.ts'
import { ZoneFileButton } from '#web/dns-records/zone-file-button.tsx'
import { QueryProvider } from '#web/lib/api/query-provider.tsx'
import { formatCount } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Progress } from '#web/ui/data/progress.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Ended, NotLoaded, Opening } from './link-states.tsx'
import { LinkedDomainItem } from './linked-domain-item.tsx'
import { LinkExpiry, useZoneFile } from './linked-records.tsx'
import { isDone, type LinkedDomain, useCheckAll, useLinkedDomains } from './use-linked-domains.ts'

export function LinkedDomainsPage() {
  usePageTitle('DNS records')
  const token = useLocation().hash.slice(1)
  return (
    <QueryProvider>
      {/* Another link starts a new page. */}
      <DomainsView key={token} token={token} />
    </QueryProvider>
  )
}

function DomainsView({ token }: { token: string }) {
  const { opened, isEnded } = useLinkedDomains(token)
  if (isEnded) return <Ended />
  if (opened.data)
    return <LinkedDomains token={token} opened={opened.data} onChanged={() => opened.refetch()} />
  if (opened.isError)
    return <NotLoaded description={opened.error.message} onRetry={() => opened.refetch()} />
  return <Opening />
}

type LinkedDomainsProps = {
  token: string
  opened: OpenedDnsLinks
  onChanged: () => Promise<unknown>
}

function LinkedDomains({ token, opened, onChanged }: LinkedDomainsProps) {
  const { workspaceName, domains } = opened
  const shown = useToDoFirst(domains)
  const [open, setOpen] = useState(() => shown.find((each) => !isDone(each))?.name ?? null)
  const toDo = domains.filter((each) => !isDone(each))
  const zoneFile = useZoneFile({ token }, 'dns-records.zone.txt')
  const checking = useCheckAll(token, onChanged)
  const named = domains.length === 1 ? 'one domain' : `${formatCount(domains.length)} domains`
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="grid gap-1.5">
        <h1 tabIndex={-1} className="font-semibold text-2xl tracking-tight">
          DNS records for {named}
        </h1>
        <p className="wrap-anywhere max-w-3xl text-pretty text-soft text-sm">
          {workspaceName} asks you to publish these records where the DNS of each domain is hosted.
          Open a domain to see its records. This page checks them by itself, one domain after the
          other, and shows what it found and what to fix.
        </p>
      </div>
      <Card className="overflow-hidden">
        <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 sm:px-6">
          <Summary count={domains.length} toDo={toDo.length} />
          <div className="flex flex-wrap items-center gap-2">
            <ZoneFileButton
              label="All zone files"
              onDownload={zoneFile.download}
              isPending={zoneFile.isPending}
            />
            {toDo.length > 0 && (
              <Button
                size="small"
                isPending={checking.progress !== null}
                onClick={() => checking.check(toDo)}
              >
                {checking.progress === null && <RotateCw aria-hidden />}
                {checking.progress === null
                  ? 'Check all now'
                  : `Checking ${checking.progress.done + 1} of ${checking.progress.of}`}
              </Button>
            )}
          </div>
        </header>
        <ul aria-label="Domains" className="divide-y divide-line border-line border-t">
          {shown.map((domain) => (
            <LinkedDomainItem
              key={domain.name}
              token={token}
              domain={domain}
              isOpen={open === domain.name}
              onToggle={() => setOpen(open === domain.name ? null : domain.name)}
            />
          ))}
        </ul>
      </Card>
      <LinkExpiry at={opened.expiresAt} />
    </div>
  )
}

function Summary({ count, toDo }: { count: number; toDo: number }) {
  const done = count - toDo
  return (
    <div className="grid min-w-48 flex-1 gap-2 sm:max-w-md">
      <p role="status" className="flex items-center gap-2 font-medium text-sm tabular-nums">
        {toDo === 0 && <CircleCheck className="size-4 shrink-0 text-good" aria-hidden />}
        {toDo === 0
          ? 'Everything that is required is published. Leave the records in place.'
          : `${formatCount(done)} of ${formatCount(count)} domains ${done === 1 ? 'has' : 'have'} every required record`}
      </p>
      {toDo > 0 && <Progress label="Domains done" percent={(100 * done) / count} />}
    </div>
  )
}

/** By their state when the page opened: a domain that is done meanwhile stays where the reader sees it. */
const useToDoFirst = (domains: readonly LinkedDomain[]): LinkedDomain[] => {
  const [atFirst] = useState(() => new Set(domains.filter(isDone).map(({ name }) => name)))
  return domains.toSorted((a, b) => Number(atFirst.has(a.name)) - Number(atFirst.has(b.name)))
}
