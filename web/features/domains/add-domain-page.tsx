/** The wizard: add a domain, prove it, publish its records. `?id=` opens it at step 2 for a domain that exists. */
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { type Domain, getDomain } from '#contract/domains.ts'
import { HostFormProvider } from '#web/dns-records/host-switch.tsx'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan, useIsRoleKnown } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Stepper } from '#web/ui/data/stepper.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { OwnershipNotices, useDomainOwnership } from './claim/ownership-notices.tsx'
import { DeleteDomainButton } from './delete-domain-dialog.tsx'
import { SendLinkButton } from './dns-link/send-link.tsx'
import { ManagersOnly, UnreadableDomain } from './domain-refusals.tsx'
import { SandboxLink } from './sandbox-link.tsx'
import { DomainAddedStep, DomainNameStep } from './wizard/domain-name-step.tsx'
import { FinishStep } from './wizard/finish-step.tsx'
import {
  ADD,
  FINISH,
  leadTo,
  type Progress,
  STEPS,
  stepKept,
  VERIFY_DNS,
  VERIFY_DOMAIN,
  withinReach,
} from './wizard/step-panel.tsx'
import { requiredOf, useDnsRecords, useDnsSetting, useOwnership } from './wizard/use-records.ts'
import { VerifyDnsStep } from './wizard/verify-dns-step.tsx'
import { VerifyDomainStep } from './wizard/verify-domain-step.tsx'

export function AddDomainPage() {
  usePageTitle('Add Domain')
  const [query] = useSearchParams()
  const id = query.get('id') || null
  const canManage = useCan('manage-domains')
  // A domain is asked for once it is known who may see it.
  const isKnown = useIsRoleKnown()
  if (!canManage || (id !== null && !isKnown))
    return (
      <div className="grid gap-6">
        <PageHeading title={id === null ? 'Add Domain' : 'Domain'} />
        {canManage ? <LoadingStep /> : <ManagersOnly />}
      </div>
    )
  // Another domain is another walk through the steps.
  return <Wizard key={id ?? ''} id={id} />
}

function Wizard({ id }: { id: string | null }) {
  const domain = useApi(getDomain, { params: { id: id ?? '' } }, { enabled: id !== null })
  const ownership = useOwnership(id)
  const records = useDnsRecords(id)
  const setting = useDnsSetting(id)
  const questioned = useDomainOwnership(id)
  const required = requiredOf(records.data ?? [])
  const place = usePlace(id, {
    isKnown: !ownership.isPending && !records.isPending,
    hasDomain: id !== null,
    isOwned: ownership.data?.isVerified === true,
    isDnsVerified: required.length > 0 && required.every((record) => record.isVerified === true),
  })
  const isMissing = domain.error?.type === 'NOT_EXISTS'
  const shown = isMissing ? undefined : domain.data
  return (
    <div className="grid gap-6 max-sm:gap-4">
      <PageHeading
        title={id === null ? 'Add Domain' : (shown?.unicodeName ?? 'Domain')}
        {...(id === null && { subtitle: 'In four steps' })}
        actions={shown && <WaysOn className="max-sm:hidden" domain={shown} step={place.step} />}
      />
      {!isMissing && (
        <Stepper
          aria-label="Steps"
          steps={STEPS}
          current={place.step}
          onStep={place.goTo}
          // Where it has no room for the names, the heading of the step says it.
          className="[&>p]:hidden"
        />
      )}
      {place.isSettled && !isMissing && questioned.data && (
        <OwnershipNotices ownership={questioned.data} />
      )}
      {id === null ? (
        <DomainNameStep takesFocus={place.wasReached} onAdded={place.goToAdded} />
      ) : domain.error && (isMissing || !domain.data) ? (
        <UnreadableDomain error={domain.error} onRetry={() => domain.refetch()} />
      ) : domain.data === undefined || !place.isSettled || questioned.isPending ? (
        <LoadingStep />
      ) : (
        <HostFormProvider domainName={domain.data.name} setting={setting ?? undefined}>
          <Step
            step={place.step}
            domain={domain.data}
            setting={setting}
            ownership={ownership}
            records={records}
            takesFocus={place.wasReached}
            onStep={place.goTo}
          />
        </HostFormProvider>
      )}
      {shown && (
        <div className="flex flex-wrap items-center gap-2">
          <WaysOn className="sm:hidden" domain={shown} step={place.step} />
          <DeleteDomainButton domain={shown} />
        </div>
      )}
    </div>
  )
}

/** Which step is shown. The browser keeps it with the place in its history, so that back and reload lead to it. */
function usePlace(id: string | null, progress: Progress & { isKnown: boolean }) {
  const navigate = useNavigate()
  const location = useLocation()
  const [firstKey] = useState(location.key)
  const kept = stepKept(location.state)
  const asked = id === null ? ADD : (kept ?? VERIFY_DOMAIN)
  const isSettled = asked <= VERIFY_DOMAIN || progress.isKnown
  const step =
    useFirst(location.key, progress.isKnown ? withinReach(asked, progress) : null) ?? asked
  return {
    step,
    isSettled,
    /** By a click, not by opening the page: the heading of the step takes the focus. */
    wasReached: kept !== null || location.key !== firstKey,
    goTo: (target: number) => {
      const way = leadTo(target, step, progress)
      if (way === null) return
      if ('refusal' in way) toast({ title: way.refusal })
      else if (way.step !== step)
        void navigate(paths.addDomain({ id: id ?? '' }), { state: { step: way.step } })
    },
    goToAdded: ({ _id }: Domain) =>
      navigate(paths.addDomain({ id: _id }), { replace: true, state: { step: VERIFY_DOMAIN } }),
  }
}

/** The first value at this place: what is verified or lost while somebody looks moves nobody. */
function useFirst<T>(place: string, value: T | null): T | null {
  const [first, setFirst] = useState<{ place: string; value: T } | null>(null)
  if (first?.place === place) return first.value
  if (value !== null) setFirst({ place, value })
  return value
}

type WaysOnProps = { className: string; domain: Domain; step: number }

/** Beside the record: on a phone they stand below it, which is what one came for. */
function WaysOn({ className, domain, step }: WaysOnProps) {
  return (
    <div className={cn('flex flex-wrap items-center gap-2', className)}>
      <SandboxLink id={domain._id} step={step} />
      <Button variant="secondary" asChild>
        <Link to={paths.domain(domain._id)}>Open its page</Link>
      </Button>
      <SendLinkButton domain={domain} />
    </div>
  )
}

type StepProps = {
  step: number
  domain: Domain
  setting: ReturnType<typeof useDnsSetting>
  ownership: ReturnType<typeof useOwnership>
  records: ReturnType<typeof useDnsRecords>
  takesFocus: boolean
  onStep: (step: number) => void
}

function Step({ step, domain, setting, ownership, records, takesFocus, onStep }: StepProps) {
  const shared = { domain, takesFocus }
  if (step === ADD)
    return (
      <DomainAddedStep {...shared} setting={setting} onContinue={() => onStep(VERIFY_DOMAIN)} />
    )
  if (step === VERIFY_DOMAIN)
    return (
      <VerifyDomainStep
        {...shared}
        setting={setting}
        ownership={ownership}
        onContinue={() => onStep(VERIFY_DNS)}
      />
    )
  if (step === FINISH && ownership.data && records.data)
    return <FinishStep {...shared} ownership={ownership.data} records={records.data} />
  return (
    <VerifyDnsStep
      {...shared}
      setting={setting}
      records={records}
      onContinue={() => onStep(FINISH)}
    />
  )
}

function LoadingStep() {
  return (
    <Card className="grid gap-4 p-6">
      <p role="status" className="sr-only">
        Loading...
      </p>
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-4 w-full max-w-xl" />
      <Skeleton className="mt-4 h-24 w-full" />
    </Card>
  )
}
