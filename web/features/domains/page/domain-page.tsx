/**
 * A domain's own page: how it is, its records, mailboxes and history. What is not done yet is done in the wizard
 * (decision 047).
 */
import { useParams } from 'react-router'
import { getOwnership } from '#contract/dns/claims.ts'
import { getDnsSetting, listRecordChanges } from '#contract/dns/setting.ts'
import { getDomain, getOwnershipRecord, listDnsRecords } from '#contract/domains.ts'
import type { Asks } from '#web/lib/api/asks.ts'
import { keyOf, useApi } from '#web/lib/api/use-api.ts'
import { useCan, useIsRoleKnown } from '#web/lib/api/use-can.ts'
import { formatDate } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Card } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { OwnershipNotices, useDomainOwnership } from '../claim/ownership-notices.tsx'
import { ManagersOnly, UnreadableDomain } from '../domain-refusals.tsx'
import { useDnsRecords, useDnsSetting, useOwnership } from '../wizard/use-records.ts'
import { CatchAllCard } from './catch-all-card.tsx'
import { HealthCard } from './health-card.tsx'
import { LeavingCard } from './leaving-card.tsx'
import { MailboxesCard } from './mailboxes-card.tsx'
import { ActivityCard, RecordsCard, shownChanges } from './records-card.tsx'

export function DomainPage() {
  const { id = '' } = useParams()
  const canSee = useCan('see-domains')
  // A domain is asked for once it is known who may see it.
  const isKnown = useIsRoleKnown()
  return canSee && isKnown ? <KnownDomain key={id} id={id} /> : <Bare isRefused={!canSee} />
}

function Bare({ isRefused }: { isRefused: boolean }) {
  usePageTitle('Domain')
  return (
    <div className="grid gap-6">
      <PageHeading title="Domain" />
      {isRefused ? <ManagersOnly /> : <Loading />}
    </div>
  )
}

function KnownDomain({ id }: { id: string }) {
  const domain = useApi(getDomain, { params: { id } })
  const ownership = useOwnership(id)
  const records = useDnsRecords(id)
  const setting = useDnsSetting(id)
  const question = useDomainOwnership(id)
  const isMissing = domain.error?.type === 'NOT_EXISTS'
  const shown = isMissing ? undefined : domain.data
  const unread = ownership.error ?? records.error
  usePageTitle(shown?.unicodeName ?? 'Domain')
  return (
    <div className="grid gap-6">
      <PageHeading
        title={shown?.unicodeName ?? 'Domain'}
        {...(shown && { subtitle: <Subtitle {...shown} /> })}
      />
      {domain.error && !shown ? (
        <UnreadableDomain error={domain.error} onRetry={() => domain.refetch()} />
      ) : shown === undefined || question.isPending ? (
        <Loading />
      ) : (
        <>
          {question.data && <OwnershipNotices ownership={question.data} />}
          {ownership.data && records.data ? (
            <HealthCard
              domain={shown}
              ownership={ownership.data}
              records={records.data}
              question={question.data ?? null}
            />
          ) : (
            !unread && <LoadingHealth />
          )}
          <div className={columns}>
            {ownership.data && records.data ? (
              <RecordsCard
                domain={shown}
                ownership={ownership.data}
                records={records.data}
                setting={setting}
              />
            ) : unread ? (
              <Card>
                <ErrorState
                  title="Error loading the records"
                  description={unread.message}
                  onRetry={() => void Promise.all([ownership.refetch(), records.refetch()])}
                />
              </Card>
            ) : (
              <LoadingRecords />
            )}
            <div className="grid gap-6">
              <MailboxesCard domain={shown} />
              <CatchAllCard domain={shown} />
            </div>
          </div>
          <ActivityCard domain={shown} />
          <LeavingCard domain={shown} />
        </>
      )}
    </div>
  )
}

/** The server asks for all of it at once, before it knows what the page shows. */
export const domainAsks: Asks = (_, { id = '' }) => {
  const params = { id }
  return [
    ...[getDomain, getOwnershipRecord, listDnsRecords, getDnsSetting, getOwnership].map((route) =>
      keyOf(route, { params }),
    ),
    keyOf(listRecordChanges, { params, query: shownChanges }),
  ]
}

function Subtitle({
  name,
  unicodeName,
  createdAt,
}: Record<'name' | 'unicodeName' | 'createdAt', string>) {
  return (
    <>
      {name !== unicodeName && <span className="break-all">{name} · </span>}
      Added on <LocalTime at={createdAt} format={formatDate} />
    </>
  )
}

/** The records, beside what the domain has. */
const columns = 'grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]'

function Loading() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <LoadingHealth />
      <div className={columns}>
        <LoadingRecords />
        <LoadingRecords />
      </div>
    </>
  )
}

function LoadingHealth() {
  return (
    <Card aria-hidden className="grid gap-3 p-5 sm:px-6">
      <Skeleton className="h-6 w-48" />
      <Skeleton className="h-4 w-full max-w-xl" />
      <Skeleton className="mt-6 h-9 w-28 justify-self-end" />
    </Card>
  )
}

function LoadingRecords() {
  return (
    <Card aria-hidden className="grid gap-4 p-5">
      <Skeleton className="h-5 w-32" />
      <Skeleton className="h-72 w-full" />
    </Card>
  )
}
