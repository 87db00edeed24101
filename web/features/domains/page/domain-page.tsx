/**
 * The page of a domain: its health, records, mailboxes and history. The wizard completes what is not done yet
 * (decision 047).
 */

import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { listRecordChanges } from '#contract/dns/setting.ts'
import { type Domain, getDomain } from '#contract/domains.ts'
import {
  type DomainSteps,
  getDomainSteps,
  mailWorks,
  markWorksSeen,
} from '#contract/first-steps.ts'
import { getTestMail } from '#contract/mail/test-mail.ts'
import { listMailboxes } from '#contract/mailboxes.ts'
import { stepsOf } from '#web/dns-records/domain-steps.ts'
import { MailWorks } from '#web/dns-records/mail-works.tsx'
import type { ApiError } from '#web/lib/api/api-error.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useCan, useIsRoleKnown } from '#web/lib/api/use-can.ts'
import { formatDate } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { StepList } from '#web/ui/data/step-list.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { CatchAllDialog } from '../catch-all/catch-all-dialog.tsx'
import { OwnershipNotices, useDomainOwnership } from '../claim/ownership-notices.tsx'
import { ManagersOnly } from '../domain-refusals.tsx'
import { TrialNotice } from '../trial-notice.tsx'
import { loadRecords, useDnsRecords, useDnsSetting, useOwnership } from '../wizard/use-records.ts'
import { DeletedDomain, useDeletedDomain } from './deleted-domain.tsx'
import { HealthCard } from './health-card.tsx'
import { LeavingCard } from './leaving-card.tsx'
import { listQuery, MailboxesCard } from './mailboxes-card.tsx'
import { ActivityCard, RecordsCard, shownChanges } from './records-card.tsx'
import { senderQuery, TestMailCard } from './test-mail-card.tsx'

export function DomainPage() {
  const { id = '' } = useParams()
  const canSee = useCan('see-domains')
  // Loads the domain only when the role of this member is known.
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
  const ownershipStatus = useDomainOwnership(id)
  const knownDomain = domain.error?.type === 'NOT_EXISTS' ? undefined : domain.data
  const isActive = knownDomain?.status === 'active'
  const steps = useApi(getDomainSteps, { params: { id } }, { enabled: isActive })
  const unread = ownership.error ?? records.error
  const deleted = useDeletedDomain(id, domain.error?.type === 'NOT_EXISTS')
  const name = knownDomain?.unicodeName ?? deleted.data?.name ?? 'Domain'
  usePageTitle(name)
  return (
    <div className="grid gap-6">
      <PageHeading title={name} {...(knownDomain && { subtitle: <Subtitle {...knownDomain} /> })} />
      {domain.error && !knownDomain ? (
        <DeletedDomain id={id} error={domain.error} onRetry={() => void domain.refetch()} />
      ) : knownDomain === undefined || ownershipStatus.isPending || steps.isLoading ? (
        <Loading />
      ) : (
        <>
          {ownershipStatus.data && <OwnershipNotices ownership={ownershipStatus.data} />}
          {ownership.data && records.data ? (
            <HealthCard
              domain={knownDomain}
              ownership={ownership.data}
              records={records.data}
              ownershipStatus={ownershipStatus.data ?? null}
            />
          ) : (
            !unread && <LoadingHealth />
          )}
          {isActive && steps.data && <UntilMailWorks domain={steps.data} />}
          {isActive && knownDomain.mailboxes > 0 && (
            <TestMailCard domain={knownDomain} steps={steps.data} />
          )}
          <div className={columns}>
            {ownership.data && records.data ? (
              <RecordsCard
                domain={knownDomain}
                ownership={ownership.data}
                records={records.data}
                setting={setting}
              />
            ) : unread ? (
              <UnreadableRecords
                error={unread}
                onRetry={() => void Promise.all([ownership.refetch(), records.refetch()])}
              />
            ) : (
              <LoadingRecords />
            )}
            <div className="grid gap-6">
              <MailboxesCard domain={knownDomain} />
              <CatchAllCard domain={knownDomain} />
            </div>
          </div>
          <ActivityCard domain={knownDomain} />
          <LeavingCard domain={knownDomain} />
        </>
      )}
    </div>
  )
}

/** The way on from a domain that is right in DNS, and its end. */
function UntilMailWorks({ domain }: { domain: DomainSteps }) {
  const canDismiss = useCan('manage-domains')
  const seen = useCall(markWorksSeen, { onError: (error) => toastError(error.message) })
  const works = mailWorks(domain)
  return (
    <>
      {works && !domain.worksSeen && (
        <MailWorks
          domain={domain}
          isPending={seen.isPending}
          {...(canDismiss && { onSeen: (id) => seen.mutate({ params: { id } }) })}
        />
      )}
      <StepList
        title={works ? 'What is left to do' : 'Until mail works'}
        description="From top to bottom; the marked step is the next"
        steps={stepsOf(domain)}
      />
    </>
  )
}

function UnreadableRecords({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  return (
    <Card>
      {error.type === 'TRIAL' ? (
        <TrialNotice message={error.message} />
      ) : (
        <ErrorState
          title="Error loading the records"
          description={error.message}
          onRetry={onRetry}
        />
      )}
    </Card>
  )
}

/** Which mailbox receives mail for unknown addresses of the domain. */
export function CatchAllCard({ domain }: { domain: Domain }) {
  const { catchAll, unicodeName, isVerified } = domain
  return (
    <Card>
      <section aria-label="Mail for unknown addresses">
        <CardHeader
          title="Mail for unknown addresses"
          aside={isVerified && <CatchAllButton domain={domain} />}
        />
        <p className="wrap-anywhere px-5 pb-5 text-pretty text-soft text-sm">
          {catchAll ? (
            <>
              Mail for addresses of {unicodeName} that do not exist goes to{' '}
              <span className="font-medium text-ink">{catchAll.email}</span>.
            </>
          ) : isVerified ? (
            `Mail for addresses of ${unicodeName} that do not exist is refused, and its sender is notified. One mailbox can get it instead.`
          ) : (
            'Once the domain is verified, one mailbox can get the mail for addresses that do not exist.'
          )}
        </p>
      </section>
    </Card>
  )
}

export function CatchAllButton({ domain }: { domain: Domain }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        <Inbox aria-hidden />
        Catch-all
      </Button>
      {isOpen && <CatchAllDialog domain={domain} onClose={() => setIsOpen(false)} />}
    </>
  )
}

export const loadDomain: LoadPage = ({ ask, params: { id = '' } }) => {
  const own = { params: { id } }
  const mailboxes = async () => {
    const domain = await ask(getDomain, own)
    const isActive = domain?.status === 'active'
    await Promise.all([
      domain?.mailboxes && ask(listMailboxes, { query: listQuery(domain.name) }),
      isActive && ask(getDomainSteps, own),
      ...(isActive && domain.mailboxes > 0
        ? [ask(getTestMail, own), ask(listMailboxes, { query: senderQuery(domain.name) })]
        : []),
    ])
  }
  return Promise.all([
    loadRecords(ask, id),
    mailboxes(),
    ask(listRecordChanges, { ...own, query: shownChanges }),
  ])
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

/** The records beside the mailboxes and the catch-all. */
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
